import type { ResourceType } from '@fairlead/apimachinery';

/** One kind in one version, as reported by the server. */
export interface ApiResource extends ResourceType {
  readonly singular: string;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly string[];
}

export interface ApiGroup {
  readonly name: string;
  /** In the order of preference of the server: the first is the default. */
  readonly versions: readonly { readonly version: string; readonly resources: readonly ApiResource[] }[];
}

/** All kinds of a server. */
export interface ApiCatalogue {
  readonly groups: readonly ApiGroup[];
  /** Versions that could not be read, such as those of an unavailable aggregated server: they are missing or stale above. */
  readonly failures: readonly { readonly apiVersion: string; readonly message: string }[];
}

export function findByApiVersion(catalogue: ApiCatalogue, apiVersion: string, kind: string): ApiResource | undefined {
  const [version, group = ''] = apiVersion.split('/').toReversed();
  return catalogue.groups
    .find(({ name }) => name === group)
    ?.versions.find((each) => each.version === version)
    ?.resources.find((resource) => resource.kind === kind);
}

/** The kind in the preferred version among those that have it. */
export function findPreferred(catalogue: ApiCatalogue, group: string, kind: string): ApiResource | undefined {
  return catalogue.groups
    .find(({ name }) => name === group)
    ?.versions.flatMap(({ resources }) => resources)
    .find((resource) => resource.kind === kind);
}

/** A document of `/api` or `/apis` in the aggregated form (v2 and v2beta1 have the same shape). */
export function parseAggregated(document: AggregatedDocument): ApiCatalogue {
  const failures: { apiVersion: string; message: string }[] = [];
  const groups = (document.items ?? []).map(({ metadata, versions }) => {
    const group = metadata?.name ?? '';
    return {
      name: group,
      versions: (versions ?? []).map(({ version, resources, freshness }) => {
        if (freshness === 'Stale')
          failures.push({ apiVersion: joined(group, version), message: 'the server cannot reach it' });
        return { version, resources: (resources ?? []).map((resource) => ofAggregated(group, version, resource)) };
      }),
    };
  });
  return { groups, failures };
}

/** An APIResourceList: resources, and subresources as `deployments/scale`. */
export function parseResourceList(group: string, version: string, document: ResourceListDocument): ApiResource[] {
  const entries = document.resources ?? [];
  const subresourcesOf = (plural: string) =>
    entries.filter(({ name }) => name.startsWith(`${plural}/`)).map(({ name }) => name.slice(plural.length + 1));
  return entries
    .filter(({ name }) => !name.includes('/'))
    .map((entry) => ({
      group,
      version,
      kind: entry.kind,
      plural: entry.name,
      namespaced: entry.namespaced === true,
      singular: entry.singularName || entry.kind.toLowerCase(),
      verbs: entry.verbs ?? [],
      shortNames: entry.shortNames ?? [],
      categories: entry.categories ?? [],
      subresources: subresourcesOf(entry.name),
    }));
}

export interface AggregatedDocument {
  readonly kind?: string;
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      readonly freshness?: string;
      readonly resources?: readonly AggregatedResource[];
    }[];
  }[];
}

interface AggregatedResource {
  readonly resource: string;
  readonly responseKind?: { readonly kind?: string };
  readonly scope?: string;
  readonly singularResource?: string;
  readonly verbs?: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}

export interface ResourceListDocument {
  readonly resources?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced?: boolean;
    readonly singularName?: string;
    readonly verbs?: readonly string[];
    readonly shortNames?: readonly string[];
    readonly categories?: readonly string[];
  }[];
}

const ofAggregated = (group: string, version: string, entry: AggregatedResource): ApiResource => ({
  group,
  version,
  kind: entry.responseKind?.kind ?? '',
  plural: entry.resource,
  namespaced: entry.scope === 'Namespaced',
  singular: entry.singularResource ?? '',
  verbs: entry.verbs ?? [],
  shortNames: entry.shortNames ?? [],
  categories: entry.categories ?? [],
  subresources: (entry.subresources ?? []).map(({ subresource }) => subresource),
});

export const joined = (group: string, version: string): string => (group === '' ? version : `${group}/${version}`);
