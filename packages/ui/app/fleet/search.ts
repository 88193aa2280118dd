import type { Operations } from '@fairlead/client';
import { listParam, textParam } from '../lib/search-params.ts';

export type ListQuery = NonNullable<Operations['listApplications']['request']['query']>;
export type FleetView = 'table' | 'tiles' | 'heatmap';
export type GroupBy = NonNullable<NonNullable<Operations['getHeatmap']['request']['query']>['group']>;
export type SortKey = NonNullable<ListQuery['sort']>;

export const filterNames = [
  'sync',
  'health',
  'operation',
  'autoSync',
  'project',
  'tenant',
  'cluster',
  'namespace',
  'label',
] as const;
export type FilterName = (typeof filterNames)[number];

export const groupKeys = ['project', 'cluster', 'tenant', 'namespace'] as const satisfies readonly GroupBy[];
export const sortColumns = [
  'name',
  'sync',
  'health',
  'project',
  'cluster',
  'operation',
  'reconciledAt',
  'createdAt',
] as const;

/** The state of the page, as its URL has it. */
export type FleetSearch = {
  readonly [Name in FilterName]?: readonly string[] | undefined;
} & {
  readonly q?: undefined | string;
  readonly view?: undefined | FleetView;
  readonly sort?: undefined | SortKey;
  readonly group?: undefined | GroupBy;
};

export function fleetSearch(search: Record<string, unknown>): FleetSearch {
  const found: { -readonly [Key in keyof FleetSearch]: FleetSearch[Key] } = {};
  for (const name of filterNames) {
    const values = listParam(search, name);
    if (values) found[name] = values;
  }
  const [q, view, sort, group] = ['q', 'view', 'sort', 'group'].map((name) => textParam(search, name));
  if (q !== undefined) found.q = q;
  if (view === 'tiles' || view === 'heatmap') found.view = view;
  if (isSortKey(sort)) found.sort = sort;
  const known = groupKeys.find((key) => key === group);
  if (known) found.group = known;
  return found;
}

const isSortKey = (text: string | undefined): text is SortKey =>
  sortColumns.some((key) => text === key || text === `-${key}`);

type Filters = Omit<ListQuery, 'sort' | 'limit' | 'cursor'>;

const oneOf =
  <T extends string>(values: readonly T[]) =>
  (value: string): value is T =>
    values.some((known) => known === value);
const isSync = oneOf(['Synced', 'OutOfSync', 'Unknown'] as const);
const isHealth = oneOf(['Healthy', 'Progressing', 'Degraded', 'Suspended', 'Missing', 'Unknown'] as const);
const isPhase = oneOf(['None', 'Running', 'Terminating', 'Succeeded', 'Failed', 'Error'] as const);
const isSwitch = oneOf(['true', 'false'] as const);

/** The filters of the API. Values of a closed list that do not exist are dropped. */
export function filtersOf(search: FleetSearch): Filters {
  const { q, sync, health, operation, autoSync, project, tenant, cluster, namespace, label } = search;
  return {
    ...(q === undefined ? {} : { q }),
    ...(sync ? { sync: sync.filter(isSync) } : {}),
    ...(health ? { health: health.filter(isHealth) } : {}),
    ...(operation ? { operation: operation.filter(isPhase) } : {}),
    ...(autoSync ? { autoSync: autoSync.filter(isSwitch) } : {}),
    ...(project ? { project } : {}),
    ...(tenant ? { tenant } : {}),
    ...(cluster ? { cluster } : {}),
    ...(namespace ? { namespace } : {}),
    ...(label ? { label } : {}),
  };
}

/** The search with a value of a filter added, or removed if it was there. */
export function toggled(search: FleetSearch, name: FilterName, value: string): FleetSearch {
  const values = search[name] ?? [];
  const next = values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
  return { ...search, [name]: next.length === 0 ? undefined : next };
}

export const withoutFilters = ({ view, sort, group }: FleetSearch): FleetSearch => ({ view, sort, group });

export const hasFilters = (search: FleetSearch): boolean =>
  search.q !== undefined || filterNames.some((name) => search[name] !== undefined);

/** As the `filter` of an action on many Applications. */
export function filterText(search: FleetSearch): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(filtersOf(search)))
    for (const one of [value].flat()) params.append(name, String(one));
  return params.toString();
}
