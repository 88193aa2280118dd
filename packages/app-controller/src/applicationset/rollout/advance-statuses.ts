import type { Application, RolloutStatus } from '@fairlead/api';
import { equalJson } from '@fairlead/apimachinery';

export interface AdvanceInput {
  readonly previous: readonly RolloutStatus[];
  readonly applications: readonly Application[];
  readonly stepOf: ReadonlyMap<string, number>;
  /** Applications whose spec is not yet what the ApplicationSet wants. */
  readonly changed: ReadonlySet<string>;
  /** RFC 3339. */
  readonly now: string;
}

/** Where each Application is in the rollout, from what its own status says. One that has pending changes waits for its turn again. */
export const advanceStatuses = ({ previous, applications, stepOf, changed, now }: AdvanceInput): RolloutStatus[] =>
  applications.map((application) => {
    const { name } = application.metadata;
    const step = String((stepOf.get(name) ?? -2) + 1);
    const known = previous.find((one) => one.application === name) ?? {
      application: name,
      targetRevisions: revisionsOf(application),
      lastTransitionTime: now,
      message: 'No Application status found, defaulting status to Waiting',
      status: 'Waiting',
      step,
    };
    return advance({ ...known, step }, application, changed.has(name), now);
  });

function advance(current: RolloutStatus, application: Application, specChanged: boolean, now: string): RolloutStatus {
  const revisions = revisionsOf(application);
  const revisionsChanged = !equalJson(current.targetRevisions ?? [], revisions);
  const to = (status: string, message: string): Partial<RolloutStatus> => ({
    status,
    message,
    lastTransitionTime: now,
  });
  const next: RolloutStatus =
    revisionsChanged || specChanged
      ? { ...current, targetRevisions: revisions, ...to('Waiting', pendingMessage(revisionsChanged, specChanged)) }
      : current;
  const { sync, health } = application.status ?? {};
  const isHealthy = health?.status === 'Healthy';
  if (next.status === 'Waiting') {
    if (sync?.status !== 'Synced') return next;
    // Nothing differs, so there is nothing to sync.
    const status = isHealthy ? 'Healthy' : 'Progressing';
    return { ...next, ...to(status, `Application resource has synced, updating status to ${status}`) };
  }
  if (current.status === 'Pending') {
    const message = startedMessage(current, application);
    return message === undefined ? next : { ...next, ...to('Progressing', message) };
  }
  if (current.status === 'Progressing' && isHealthy && sync?.status === 'Synced') {
    const message = 'Application resource became Healthy, updating status from Progressing to Healthy';
    return { ...next, ...to('Healthy', message) };
  }
  return next;
}

function pendingMessage(revisions: boolean, spec: boolean): string {
  const what = revisions && spec ? ' (revision and spec differ)' : revisions ? '' : ' (spec differs)';
  return `Application has pending changes${what}, setting status to Waiting`;
}

/** How the sync that was requested is seen to have started; undefined if it is not. */
function startedMessage({ lastTransitionTime }: RolloutStatus, { status }: Application): string | undefined {
  const since = Date.parse(lastTransitionTime ?? '');
  // Times have no fractions of a second: a sync may start in the second in which it was requested.
  const isAfter = (time: string | undefined): boolean => time !== undefined && Date.parse(time) >= since;
  // Not reconciled since: what it says of itself is about the time before.
  if (status?.reconciledAt !== undefined && !isAfter(status.reconciledAt)) return undefined;
  const operation = status?.operationState;
  if (operation && isAfter(operation.startedAt)) {
    if (operation.phase === 'Succeeded')
      return 'Application resource completed a sync successfully, updating status from Pending to Progressing';
    if (operation.phase === 'Failed' || operation.phase === 'Error')
      return 'Application resource completed a sync, updating status from Pending to Progressing';
    return 'Application resource became Progressing, updating status from Pending to Progressing';
  }
  const hasError = (status?.conditions ?? []).some(
    ({ type }) => type === 'InvalidSpecError' || type === 'UnknownError',
  );
  return hasError ? 'Application resource has error and cannot sync, updating status to Progressing' : undefined;
}

function revisionsOf({ status }: Application): string[] {
  const { revisions, revision } = status?.sync ?? {};
  if (revisions?.length) return [...revisions];
  return revision ? [revision] : [];
}

/** The new statuses by name; the old ones if no status, step or message has changed. */
export function settledStatuses(
  old: readonly RolloutStatus[],
  next: readonly RolloutStatus[],
): readonly RolloutStatus[] {
  const isSame =
    old.length === next.length &&
    next.every((one) => {
      const before = old.find(({ application }) => application === one.application);
      return before?.status === one.status && before.step === one.step && before.message === one.message;
    });
  return isSame ? old : [...next].sort((a, b) => (a.application < b.application ? -1 : 1));
}
