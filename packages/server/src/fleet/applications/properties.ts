import type { ApplicationRecord } from './summary.ts';

/** Properties that Applications are counted by. Each label is one more. */
export const facetProperties = [
  'sync',
  'health',
  'project',
  'tenant',
  'cluster',
  'namespace',
  'autoSync',
  'operation',
] as const;
export type FacetProperty = (typeof facetProperties)[number];

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
  yield ['sync', summary.sync];
  yield ['health', summary.health];
  yield ['project', summary.project];
  yield ['tenant', summary.tenant ?? ''];
  yield ['cluster', summary.cluster];
  yield ['namespace', summary.namespace];
  yield ['autoSync', String(summary.autoSync)];
  yield ['operation', summary.operation?.phase ?? 'None'];
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
