import type { JsonObject } from '@fairlead/apimachinery';
import type { Listed, ListedGroup } from './listed.ts';

export type AggregatedVersion = 'v2' | 'v2beta1';

export const aggregatedType = (version: AggregatedVersion): string =>
  `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;

/** All groups and their resources in one document: newer clients request it from `/api` and `/apis`. */
export const aggregatedList = (groups: readonly ListedGroup[], version: AggregatedVersion): JsonObject => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: `apidiscovery.k8s.io/${version}`,
  metadata: {},
  items: groups.map(({ group, versions }) => ({
    metadata: group === '' ? {} : { name: group },
    versions: versions.map((each) => ({
      version: each.version,
      resources: each.resources.map(resource),
      freshness: 'Current',
    })),
  })),
});

function resource(listed: Listed): JsonObject {
  // A real server names the group and version of custom resources only; for built-in ones they are those of the document.
  const own = listed.custom ? { group: listed.group, version: listed.version } : { group: '', version: '' };
  return {
    resource: listed.plural,
    responseKind: { ...own, kind: listed.kind },
    scope: listed.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: listed.singular,
    verbs: [...listed.verbs],
    ...(listed.shortNames.length ? { shortNames: [...listed.shortNames] } : {}),
    ...(listed.categories.length ? { categories: [...listed.categories] } : {}),
    ...(listed.subresources.length
      ? {
          subresources: listed.subresources.map((part) => ({
            subresource: part.name,
            responseKind: { group: part.group ?? own.group, version: part.version ?? own.version, kind: part.kind },
            verbs: [...part.verbs],
          })),
        }
      : {}),
  };
}

/** The aggregated form that an Accept header prefers; undefined for the plain documents (or any type). */
export function aggregatedVersionFor(accept: string | undefined): AggregatedVersion | undefined {
  for (const clause of (accept ?? '').split(',')) {
    const [media, ...parameters] = clause.split(';').map((part) => part.trim().toLowerCase());
    if (media !== 'application/json' && media !== '*/*' && media !== 'application/*') continue;
    const values = new Map(parameters.map((each) => each.split('=', 2) as [string, string]));
    if (!values.has('as')) return undefined;
    const version = values.get('v');
    if (values.get('g') !== 'apidiscovery.k8s.io' || values.get('as') !== 'apigroupdiscoverylist') continue;
    if (version === 'v2' || version === 'v2beta1') return version;
  }
  return undefined;
}
