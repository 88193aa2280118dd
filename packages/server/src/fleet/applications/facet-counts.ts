import { limits } from '@fairlead/kube';
import type { FacetCounts } from '../api/application-shapes.ts';
import type { ApplicationIndex, Constraint, Entry, Viewer } from './application-index.ts';
import type { Filter } from './filter.ts';
import { facetProperties, labelOf } from './properties.ts';

type Counts = Omit<FacetCounts, 'version'>;
/** How many of some Applications have a value. */
type CountOf = (value: { readonly id: number; readonly members: ReadonlySet<Entry> }) => number;

/** Counts of a property ignore the filter on it, so that the other choices can be seen. */
export function facetCounts(index: ApplicationIndex, filter: Filter, viewer: Viewer): Counts {
  const constraints = index.constraints(filter);
  const isEverything = constraints.length === 0 && index.isAllVisible(viewer);
  const selected = isEverything ? undefined : index.select(constraints, viewer);
  const matching: CountOf = selected ? counted(index, selected) : ({ members }) => members.size;
  const truncated: string[] = [];
  const countsBy = (property: string, name: string): Record<string, number> => {
    const count = isConstrained(constraints, property)
      ? counted(index, index.select(without(constraints, property), viewer))
      : matching;
    const pairs: [string, number][] = [];
    for (const value of index.values.values(property)) {
      const number = count(value);
      if (number > 0 && !(property === 'tenant' && value.text === '')) pairs.push([value.text, number]);
    }
    if (pairs.length > limits.fleetFacetValues) truncated.push(name);
    return Object.fromEntries(highest(pairs, limits.fleetFacetValues));
  };
  const labels: [string, Record<string, number>][] = [];
  const keys = [...index.values.properties()].flatMap((property) => labelOf(property) ?? []);
  for (const key of keys.sort()) {
    const counts = countsBy(`label:${key}`, `labels.${key}`);
    if (Object.keys(counts).length > 0) labels.push([key, counts]);
  }
  if (labels.length > limits.fleetFacetValues) truncated.push('labels');
  const [sync, health, project, tenant, cluster, namespace, autoSync, operation] = facetProperties.map((property) =>
    countsBy(property, property),
  );
  return {
    total: selected?.length ?? index.size,
    sync: sync ?? {},
    health: health ?? {},
    project: project ?? {},
    tenant: tenant ?? {},
    cluster: cluster ?? {},
    namespace: namespace ?? {},
    autoSync: autoSync ?? {},
    operation: operation ?? {},
    labels: Object.fromEntries(labels.slice(0, limits.fleetFacetValues)),
    truncated: truncated.sort(),
  };
}

const isConstrained = (constraints: readonly Constraint[], property: string): boolean =>
  constraints.some((constraint) => constraint.property === property);

const without = (constraints: readonly Constraint[], property: string): Constraint[] =>
  constraints.filter((constraint) => constraint.property !== property);

function counted(index: ApplicationIndex, entries: readonly Entry[]): CountOf {
  const counts = new Int32Array(index.values.idLimit);
  for (const { values } of entries) for (const { id } of values) counts[id] = (counts[id] ?? 0) + 1;
  return ({ id }) => counts[id] ?? 0;
}

/** Those with the highest counts, in the given order, without sorting all of them. */
function highest(pairs: [string, number][], most: number): [string, number][] {
  if (pairs.length <= most) return pairs;
  const byCount = new Map<number, number>();
  for (const [, count] of pairs) byCount.set(count, (byCount.get(count) ?? 0) + 1);
  let [left, least] = [most, 0];
  for (const [count, values] of [...byCount].sort(([a], [b]) => b - a)) {
    least = count;
    if (values > left) break;
    left -= values;
  }
  return pairs.filter(([, count]) => {
    if (count !== least) return count > least;
    left -= 1;
    return left >= 0;
  });
}
