import { boolean, describe, int64, list, object, required, type Static, string } from '../schema.ts';
import { applicationSource } from './source.ts';

export const info = object({ name: required(string()), value: required(string()) });

export const initiatedBy = object(
  {
    username: string('Who asked.'),
    automated: boolean('Whether the controller asked by itself.'),
  },
  'Who started it.',
);

export const retryStrategy = object(
  {
    limit: int64('Maximum number of retries; no limit below 0, none at 0.'),
    backoff: object({
      duration: string('The first wait: seconds, or such as 2m.'),
      factor: int64('What each wait is multiplied by.'),
      maxDuration: string('No wait is longer than this.'),
    }),
    refresh: boolean('Take the newest revision on a retry and not the one that failed.'),
  },
  'How a failed sync is tried again.',
);

export const syncOperation = object(
  {
    revision: string('The revision to sync to; the Application’s own when empty.'),
    revisions: list(string(), 'The same, one a source.'),
    prune: boolean('Delete what is no longer in the source.'),
    dryRun: boolean('Ask the server, change nothing.'),
    syncStrategy: object({
      apply: object({ force: boolean('Delete and create again where an update is refused.') }),
      hook: object({ force: boolean('Delete and create again where an update is refused.') }),
    }),
    resources: list(
      object({ group: string(), kind: required(string()), name: required(string()), namespace: string() }),
      'Only these; everything when empty.',
    ),
    source: describe(applicationSource, 'Replaces the Application’s source; used by rollbacks.'),
    sources: list(applicationSource, 'Instead of the Application’s sources.'),
    manifests: list(string(), 'Manifests to use instead of what the source renders.'),
    syncOptions: list(string(), 'Options such as CreateNamespace=true, for this sync.'),
    autoHealAttemptsCount: int64('How many self-heals came before this one.'),
  },
  'A sync to carry out.',
);

export const operation = object(
  {
    sync: syncOperation,
    info: list(info, 'Notes kept with the operation.'),
    initiatedBy,
    retry: retryStrategy,
  },
  'What is to be done now; the controller takes it and clears it.',
);

export interface Operation extends Static<typeof operation> {}
export interface SyncOperation extends Static<typeof syncOperation> {}
export interface RetryStrategy extends Static<typeof retryStrategy> {}
