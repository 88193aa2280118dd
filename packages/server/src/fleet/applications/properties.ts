import type { ApplicationSummary } from '../api/application-shapes.ts';
import type { FilterName } from '../api/endpoints.ts';
import type { ApplicationRecord } from './summary.ts';

/** Properties that Applications are counted and filtered by. Each label is one more. */
export const facetProperties = [
  'sync',
  'health',
  'project',
  'tenant',
  'cluster',
  'namespace',
  'autoSync',
  'operation',
] as const satisfies readonly FilterName[];
export type FacetProperty = (typeof facetProperties)[number];

export const isFacet = (property: string): property is FacetProperty =>
  facetProperties.some((known) => known === property);

const facetValues: Readonly<Record<FacetProperty, (summary: ApplicationSummary) => string>> = {
  sync: ({ sync }) => sync,
  health: ({ health }) => health,
  project: ({ project }) => project,
  tenant: ({ tenant = '' }) => tenant,
  cluster: ({ cluster }) => cluster,
  namespace: ({ namespace }) => namespace,
  autoSync: ({ autoSync }) => String(autoSync),
  operation: ({ operation }) => operation?.phase ?? 'None',
};

export const facetValue = (property: FacetProperty, summary: ApplicationSummary): string =>
  facetValues[property](summary);

const labelPrefix = 'label:';
export const labelProperty = (key: string): string => `${labelPrefix}${key}`;
/** Undefined if the property is not a label. */
export const labelOf = (property: string): string | undefined =>
  property.startsWith(labelPrefix) ? property.slice(labelPrefix.length) : undefined;

/** Whether a search reads the values of a property. */
export const isSearched = (property: string): boolean => searched.has(property) || property.startsWith(labelPrefix);

const searched: ReadonlySet<string> = new Set([
  'name',
  'project',
  'cluster',
  'server',
  'namespace',
  'destinationNamespace',
  'repository',
  'image',
]);

/** What a search finds a value by. */
export const searchText = (property: string, value: string): string => {
  const label = labelOf(property);
  return (label === undefined ? value : `${label}=${value}`).toLowerCase();
};

/** Values by which an Application is counted, filtered and found. */
export function* propertyValues({ summary, server }: ApplicationRecord): Iterable<readonly [string, string]> {
  for (const property of facetProperties) yield [property, facetValue(property, summary)];
  yield ['name', summary.name];
  if (server !== '' && server !== summary.cluster) yield ['server', server];
  if (summary.destinationNamespace !== '') yield ['destinationNamespace', summary.destinationNamespace];
  if (summary.repoURL !== '') yield ['repository', summary.repoURL];
  for (const image of new Set(summary.images)) yield ['image', image];
  for (const [key, value] of Object.entries(summary.labels)) {
    yield [labelProperty(key), value];
    yield ['labelKey', key];
  }
}

export const searchTexts = (record: ApplicationRecord): string[] =>
  [...propertyValues(record)].flatMap(([property, value]) =>
    isSearched(property) ? [searchText(property, value)] : [],
  );
