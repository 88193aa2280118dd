import type { Application, OperationState, RevisionHistory } from '@fairlead/api';

/** Selective and dry syncs are not in the history: they cannot be rolled back to. */
export function historyWith(
  { status, spec, operation }: Application,
  state: OperationState,
): RevisionHistory[] | undefined {
  const { syncResult } = state;
  if (!syncResult || operation?.sync?.dryRun || (operation?.sync?.resources ?? []).length > 0) return undefined;
  const before = status?.history ?? [];
  const { revision, revisions, source, sources } = syncResult;
  const entry: RevisionHistory = {
    id: (before.at(-1)?.id ?? -1) + 1,
    ...(revisions ? { revisions } : { revision }),
    ...(sources ? { sources } : source ? { source } : {}),
    deployStartedAt: state.startedAt,
    deployedAt: state.finishedAt!,
    ...(operation?.initiatedBy ? { initiatedBy: operation.initiatedBy } : {}),
  };
  const limit = spec.revisionHistoryLimit ?? 10;
  return limit <= 0 ? [] : [...before, entry].slice(-limit);
}
