import type { Application, OperationState, RevisionHistory } from '@fairlead/api';
import { must } from '@fairlead/apimachinery';

/**
 * The history with a successful sync. Selective syncs, dry runs and syncs of local manifests are not in it: they cannot be rolled back to.
 */
export function historyWith({ status, spec }: Application, state: OperationState): RevisionHistory[] | undefined {
  const { syncResult, operation } = state;
  const { dryRun, resources = [], manifests = [] } = operation.sync ?? {};
  if (!syncResult || dryRun || resources.length > 0 || manifests.length > 0) return undefined;
  const before = status?.history ?? [];
  const { revision, revisions, source, sources } = syncResult;
  const entry: RevisionHistory = {
    id: (before.at(-1)?.id ?? -1) + 1,
    ...(revisions ? { revisions } : { revision }),
    ...(sources ? { sources } : source ? { source } : {}),
    deployStartedAt: state.startedAt,
    deployedAt: must(state.finishedAt, 'finishedAt'),
    ...(operation.initiatedBy ? { initiatedBy: operation.initiatedBy } : {}),
  };
  const limit = spec.revisionHistoryLimit ?? 10;
  return limit <= 0 ? [] : [...before, entry].slice(-limit);
}
