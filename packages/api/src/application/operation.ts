import { boolean, describe, int64, list, object, required, type Static, string } from '../schema.ts';
import { applicationSource } from './source.ts';

export const info = object({ name: required(string()), value: required(string()) });

export const initiatedBy = object(
  {
    username: string('The user that requested the operation.'),
    automated: boolean('Whether the controller started the operation automatically.'),
  },
  'Who started it.',
);

export const retryStrategy = object(
  {
    limit: int64('Maximum number of retries; no limit below 0, none at 0.'),
    backoff: object({
      duration: string('The first delay: seconds, or a duration such as 2m.'),
      factor: int64('The factor between two delays.'),
      maxDuration: string('The maximum delay.'),
    }),
    refresh: boolean('Use the newest revision on a retry instead of the failed one.'),
  },
  'How a failed sync is retried.',
);

export const syncOperation = object(
  {
    revision: string('The revision to sync to; the Application’s own when empty.'),
    revisions: list(string(), 'The same, one per source.'),
    prune: boolean('Delete objects that are no longer in the source.'),
    dryRun: boolean('Dry run: change nothing.'),
    syncStrategy: object({
      apply: object({ force: boolean('Delete and create again if an update is rejected.') }),
      hook: object({ force: boolean('Delete and create again if an update is rejected.') }),
    }),
    resources: list(
      object({ group: string(), kind: required(string()), name: required(string()), namespace: string() }),
      'Only these; everything when empty.',
    ),
    source: describe(applicationSource, 'Replaces the Application’s source; used by rollbacks.'),
    sources: list(applicationSource, 'Instead of the Application’s sources.'),
    manifests: list(string(), 'Local manifests to use instead of the source.'),
    syncOptions: list(string(), 'Options such as CreateNamespace=true, for this sync.'),
    autoHealAttemptsCount: int64('The number of self-heals before this one.'),
  },
  'The requested sync.',
);

export const operation = object(
  {
    sync: syncOperation,
    info: list(info, 'Information stored with the operation.'),
    initiatedBy,
    retry: retryStrategy,
  },
  'The requested operation; the controller removes it when it has ended.',
);

export interface Operation extends Static<typeof operation> {}
export interface SyncOperation extends Static<typeof syncOperation> {}
export interface RetryStrategy extends Static<typeof retryStrategy> {}
