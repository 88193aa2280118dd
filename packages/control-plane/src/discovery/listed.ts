import { groupRows } from '../catalogue/group-rows.ts';
import type { Resource, ReviewResource, Subresource } from '../resource.ts';

/** The entry of a resource in discovery. */
export interface Listed
  extends Pick<
    Resource,
    | 'group'
    | 'version'
    | 'kind'
    | 'plural'
    | 'singular'
    | 'namespaced'
    | 'shortNames'
    | 'categories'
    | 'verbs'
    | 'custom'
    | 'storageVersionHash'
  > {
  readonly subresources: readonly Subresource[];
}

/** The part of a registry that discovery and OpenAPI read. `generation` changes whenever the registry changes. */
export interface Served {
  readonly generation: number;
  all(): readonly Resource[];
  reviews(): readonly Pick<ReviewResource, 'group' | 'version' | 'kind' | 'plural' | 'namespaced' | 'schema'>[];
}

const readAndChange = ['get', 'patch', 'update'];
const scale: Subresource = { name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: readAndChange };

export function listResource(resource: Resource): Listed {
  const status: Subresource = { name: 'status', kind: resource.kind, verbs: readAndChange };
  const subresources = [
    ...(resource.hasStatus ? [status] : []),
    ...(resource.scale ? [scale] : []),
    ...(resource.subresources ?? []),
  ];
  // Custom resources list status before scale, built-in ones are sorted by name.
  if (!resource.custom) subresources.sort((a, b) => compare(a.name, b.name));
  return { ...resource, subresources };
}

export function listAll(served: Served): Listed[] {
  const reviews = served.reviews().map(
    (review): Listed => ({
      ...review,
      singular: review.kind.toLowerCase(),
      shortNames: [],
      categories: [],
      verbs: ['create'],
      subresources: [],
    }),
  );
  return [...served.all().map(listResource), ...reviews];
}

export interface ListedVersion {
  readonly version: string;
  readonly resources: readonly Listed[];
}

export interface ListedGroup {
  readonly group: string;
  /** The preferred one first. */
  readonly versions: readonly ListedVersion[];
}

/** Built-in groups in the order of the catalogue, then those of custom resources by name; the preferred version is first. */
export function listGroups(listed: readonly Listed[]): ListedGroup[] {
  return [...Map.groupBy(listed, (each) => each.group)]
    .sort(([a], [b]) => rankOfGroup(a) - rankOfGroup(b) || compare(a, b))
    .map(([group, members]) => ({
      group,
      versions: [...Map.groupBy(members, (each) => each.version)]
        .sort(([a], [b]) => rankOfVersion(group, a) - rankOfVersion(group, b) || compareVersions(a, b))
        .map(([version, resources]) => ({
          version,
          resources: resources.toSorted((a, b) => compare(a.plural, b.plural)),
        })),
    }));
}

const rankOfGroup = (group: string): number => rank(groupRows.findIndex((each) => each.group === group));
const rankOfVersion = (group: string, version: string): number =>
  rank(groupRows.findIndex((each) => each.group === group && each.version === version));
const rank = (index: number): number => (index < 0 ? groupRows.length : index);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Sorts v10, v2, v2beta1, v1alpha1, then other versions alphabetically. */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [partsOf(a), partsOf(b)];
  if (!one || !other) return one ? -1 : other ? 1 : compare(a, b);
  for (const [index, part] of one.entries()) {
    const difference = other[index]! - part;
    if (difference) return difference;
  }
  return 0;
}

/** Stability (GA over beta over alpha), major, minor. */
function partsOf(version: string): number[] | undefined {
  const match = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version);
  if (!match) return undefined;
  const stability = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0;
  return [stability, Number(match[1]), Number(match[3] ?? 0)];
}
