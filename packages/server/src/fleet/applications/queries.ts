import { limits } from '@fairlead/kube';
import type { ApplicationPage, FacetCounts, Heatmap } from '../api/application-shapes.ts';
import { type GroupKey, groupKeys } from '../api/endpoints.ts';
import type { FleetRequest } from '../http/fleet-handler.ts';
import type { ApplicationIndex, Entry, KeyedViewer } from './application-index.ts';
import { readCursor, readSort, writeCursor } from './cursor.ts';
import { facetCounts } from './facet-counts.ts';
import { type Filter, readFilter } from './filter.ts';
import { heatmapOf } from './heatmap.ts';
import { positionOf } from './sorted-order.ts';

/** The state of the fleet, and which it is. */
export interface FleetState {
  readonly index: ApplicationIndex;
  /** The id of the last event. */
  readonly version: string;
  /** Changes when the rights of callers may have changed. */
  readonly rights: number;
}

const usualPage = 100;
/** Fewer matches than this are sorted; more are picked from the order of all. */
const sortedUpTo = 500;

export function pageOf({ index, version }: FleetState, viewer: KeyedViewer, { query }: FleetRequest): ApplicationPage {
  const sort = readSort(query.one('sort'));
  const limit = query.count('limit', usualPage, limits.fleetPage);
  const cursor = query.one('cursor');
  const position = cursor === undefined ? undefined : readCursor(cursor, sort);
  const constraints = index.constraints(readFilter(query));
  const isEverything = constraints.length === 0 && index.isAllVisible(viewer);
  const selected = isEverything ? undefined : index.select(constraints, viewer);
  const order = index.order(sort.key);
  const few = selected && selected.length <= sortedUpTo ? order.sorted(selected) : undefined;
  const isSelected = (entry: Entry): boolean =>
    few !== undefined || isEverything || (constraints.every((one) => one.has(entry)) && viewer.allows(entry.record));
  const page: Entry[] = [];
  let hasMore = false;
  for (const entry of order.after(position, sort.isReversed, few)) {
    if (!isSelected(entry)) continue;
    hasMore = page.length === limit;
    if (hasMore) break;
    page.push(entry);
  }
  const last = page.at(-1);
  return {
    items: page.map(({ record }) => record.summary),
    total: selected?.length ?? index.size,
    ...(hasMore && last ? { nextCursor: writeCursor(sort, positionOf(sort.key, last.record.summary)) } : {}),
    version,
  };
}

interface CachedCounts {
  readonly version: string;
  readonly rights: number;
  readonly counts: FacetCounts;
}

const maxCached = 200;

/** Counts are computed once for all who ask for the same in the same state. */
export class FacetQueries {
  readonly #cached = new Map<string, CachedCounts>();

  of({ index, version, rights }: FleetState, viewer: KeyedViewer, filter: Filter): FacetCounts {
    const key = `${viewer.key} ${filter.key}`;
    const known = this.#cached.get(key);
    if (known && known.version === version && known.rights === rights) return known.counts;
    const counts = { ...facetCounts(index, filter, viewer), version };
    this.#cached.delete(key);
    this.#cached.set(key, { version, rights, counts });
    for (const oldest of this.#cached.keys()) {
      if (this.#cached.size <= maxCached) break;
      this.#cached.delete(oldest);
    }
    return counts;
  }
}

export function heatmapFor(state: FleetState, viewer: KeyedViewer, { query }: FleetRequest): Heatmap {
  const { index, version } = state;
  const constraints = index.constraints(readFilter(query));
  const name = query.one('group');
  const group: GroupKey = groupKeys.find((one) => one === name) ?? 'project';
  const selected = new Set(index.select(constraints, viewer));
  const summaries = function* () {
    for (const entry of index.order('name').after(undefined, false)) {
      if (selected.has(entry)) yield entry.record.summary;
    }
  };
  return { version, ...heatmapOf(summaries(), group) };
}
