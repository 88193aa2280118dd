import { boolean, int64, list, mapOf, object, required, string, time } from '../schema.ts';

const source = object({ repoURL: required(string()), path: required(string()), targetRevision: string() });

const sync = object({
  revision: string(),
  revisions: list(string()),
  prune: boolean(),
  dryRun: boolean(),
  manifests: list(string()),
  resources: list(object({ group: string(), kind: required(string()), name: required(string()), namespace: string() })),
  source,
  sources: list(source),
  syncOptions: list(string()),
  syncStrategy: object({ apply: object({ force: boolean() }), hook: object({ force: boolean() }) }),
});

const operation = object({
  info: list(object({ name: required(string()), value: required(string()) })),
  initiatedBy: object({ automated: boolean(), username: string() }),
  retry: object({
    limit: int64(),
    backoff: object({ duration: string(), factor: int64(), maxDuration: string() }),
  }),
  sync,
});

const resourceResult = object({
  group: required(string()),
  version: required(string()),
  kind: required(string()),
  namespace: required(string()),
  name: required(string()),
  status: string(),
  message: string(),
  hookType: string(),
  hookPhase: string(),
  syncPhase: string(),
});

/** The operation on a deployment, with the fields that tenants may see. */
export const operationState = object(
  {
    operation: required(operation),
    phase: required(string('Running, Terminating, Failed, Error or Succeeded.')),
    message: string(),
    startedAt: required(time()),
    finishedAt: time(),
    retryCount: int64(),
    syncResult: object({
      revision: required(string()),
      revisions: list(string()),
      source,
      sources: list(source),
      resources: list(resourceResult),
      managedNamespaceMetadata: object({ labels: mapOf(string()), annotations: mapOf(string()) }),
    }),
  },
  'The operation under way, or the last one.',
);
