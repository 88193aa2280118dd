import { boolean, describe, int64, list, mapOf, object, required, type Static, string } from '../schema.ts';
import { info, retryStrategy } from './operation.ts';
import { applicationSource, directorySource, helmSource, kustomizeSource, pluginSource } from './source.ts';

export const destination = object(
  {
    server: string('The cluster’s API address. Give this or name.'),
    name: string('The cluster’s name. Give this or server.'),
    namespace: string('The namespace of namespaced objects that name none.'),
  },
  'The destination of the objects.',
);

export const ignoreDifference = object({
  group: string(),
  kind: required(string()),
  name: string(),
  namespace: string(),
  jsonPointers: list(string(), 'Fields as JSON pointers.'),
  jqPathExpressions: list(string(), 'Fields as jq paths.'),
  managedFieldsManagers: list(string(), 'All fields that these field managers own.'),
});

export const managedNamespaceMetadata = object(
  { labels: mapOf(string()), annotations: mapOf(string()) },
  'Labels and annotations of the namespace that CreateNamespace=true creates.',
);

export const syncPolicy = object(
  {
    automated: object(
      {
        enabled: boolean('Off when false; on when absent.'),
        prune: boolean('Delete objects that are no longer in the source.'),
        selfHeal: boolean('Sync again when the live objects drift.'),
        allowEmpty: boolean('Allow a sync that deletes everything.'),
      },
      'Enables automated sync.',
    ),
    syncOptions: list(string(), 'Options such as CreateNamespace=true.'),
    retry: retryStrategy,
    managedNamespaceMetadata,
  },
  'When and how to sync.',
);

export const sourceHydrator = object(
  {
    drySource: required(
      object({
        repoURL: required(string()),
        targetRevision: required(string()),
        path: required(string()),
        directory: directorySource,
        helm: helmSource,
        kustomize: kustomizeSource,
        plugin: pluginSource,
      }),
    ),
    syncSource: required(
      object({
        repoURL: string(),
        targetBranch: required(string()),
        path: required(string({ minLength: 1, pattern: '^.{2,}|[^./]$' })),
      }),
    ),
    hydrateTo: object({ targetBranch: required(string()) }),
  },
  'Rendered manifests are committed to a branch, and synced from there.',
);

export const applicationSpec = object(
  {
    project: required(string('The AppProject that permits this Application; default when empty.')),
    source: describe(applicationSource, 'The single source. Set this, sources or sourceHydrator.'),
    sources: list(applicationSource, 'Several sources, whose manifests are combined.'),
    sourceHydrator,
    destination: required(destination),
    syncPolicy,
    ignoreDifferences: list(ignoreDifference, 'Fields that are ignored in the comparison.'),
    info: list(info, 'Information and links for users.'),
    revisionHistoryLimit: int64('How many past syncs to keep for rollback; 10 when absent.'),
  },
  'The desired state: sources, destination and sync policy.',
);

export interface ApplicationSpec extends Static<typeof applicationSpec> {}
export interface ApplicationDestination extends Static<typeof destination> {}
export interface SyncPolicy extends Static<typeof syncPolicy> {}
export interface IgnoreDifference extends Static<typeof ignoreDifference> {}
