import type { Application, OperationState, ResourceResult } from '@fairlead/api';
import { isAutomated, nameOf, objectText, shortRevision } from '@fairlead/app-controller/application-text';
import { failedPart, syncView } from '@fairlead/app-controller/explain';
import { remedyFor } from '@fairlead/engine';
import { conditionOf, type Finding, type FlowState, reconciledAt, sentence } from './flow-state.ts';

/** Whether the cluster has what the source says, and it works. */
export function clusterHop(state: FlowState): Finding {
  const { application } = state;
  const shared = deployed(application);
  const found =
    deleting(application) ??
    unreadable(application) ??
    running(application) ??
    failed(application) ??
    refused(application);
  return { ...shared, ...(found ?? standing(state)) };
}

/** The revision of the last sync that succeeded; that of the comparison if everything is as it says. */
function deployed({ status }: Application): Pick<Finding, 'revision'> {
  const { syncResult, phase } = status?.operationState ?? {};
  const synced = phase === 'Succeeded' ? syncResult?.revisions?.join(', ') || syncResult?.revision : undefined;
  const last = status?.history?.at(-1);
  const compared = status?.sync?.status === 'Synced' ? status.sync.revision : undefined;
  const revision = compared || synced || last?.revisions?.join(', ') || last?.revision;
  return revision ? { revision } : {};
}

function deleting(application: Application): Finding | undefined {
  const { deletionTimestamp } = application.metadata;
  if (!deletionTimestamp) return undefined;
  const problem = conditionOf(application, (type) => type === 'DeletionError');
  if (problem) return { state: 'broken', reason: sentence(problem.message), ...problem.since };
  return { state: 'working', reason: 'Its objects are being deleted.', since: deletionTimestamp };
}

function unreadable(application: Application): Finding | undefined {
  const problem = conditionOf(
    application,
    (type, message) => type === 'ComparisonError' && failedPart(message, application) === 'cluster',
  );
  if (!problem) return undefined;
  return {
    state: 'broken',
    reason: sentence(problem.message),
    action: 'check that the cluster runs and that its Secret has an address and credentials that work',
    ...problem.since,
  };
}

function running(application: Application): Finding | undefined {
  const { operation, status } = application;
  const state = status?.operationState;
  const isStarted = state?.phase === 'Running' || state?.phase === 'Terminating';
  if (!isStarted)
    return operation ? { state: 'working', reason: 'A sync was requested and has not started.' } : undefined;
  const since = { since: state.startedAt };
  const held = failuresOf(state)[0];
  if (/Retrying attempt #\d+/u.test(state.message ?? '') && held) {
    return { state: 'broken', ...aboutFailure(application, held, state), ...since };
  }
  const waiting = syncView(application, state)
    .groups.flatMap(({ rows }) => rows)
    .find((row) => row.state === 'running');
  const reason = waiting
    ? `The sync waits for ${waiting.hook ? 'the hook ' : ''}${waiting.object}${waiting.says ? `: ${waiting.says}` : ''}`
    : state.message || 'The sync is running';
  return { state: 'working', reason: sentence(reason), ...since };
}

function failed(application: Application): Finding | undefined {
  const state = application.status?.operationState;
  if (!state || (state.phase !== 'Failed' && state.phase !== 'Error')) return undefined;
  // A later commit that needs no sync, or was undone.
  if (application.status?.sync?.status === 'Synced') return undefined;
  const since = state.finishedAt ? { since: state.finishedAt } : {};
  const first = failuresOf(state)[0];
  if (first) return { state: 'broken', ...aboutFailure(application, first, state), ...since };
  const name = nameOf(application);
  return {
    state: 'broken',
    reason: sentence(`The last sync failed: ${state.message || 'no reason was reported'}`),
    action: `fix the cause, then sync again: fairlead app sync ${name}`,
    ...since,
  };
}

const failuresOf = ({ syncResult }: OperationState): ResourceResult[] =>
  (syncResult?.resources ?? []).filter(
    ({ status, hookPhase }) => status === 'SyncFailed' || hookPhase === 'Failed' || hookPhase === 'Error',
  );

function aboutFailure(
  application: Application,
  failure: ResourceResult,
  state: OperationState,
): Pick<Finding, 'reason' | 'action' | 'resource'> {
  const { group = '', kind, namespace = '', name, message, hookType } = failure;
  const app = nameOf(application);
  const what = hookType
    ? `The ${hookType} hook ${objectText(failure)} failed: `
    : `The cluster does not accept ${objectText(failure)}: `;
  const fix = `fix the source and commit, or sync again: fairlead app sync ${app}`;
  return {
    reason: sentence(`${what}${message || state.message || 'no reason was reported'}`),
    action: hookType
      ? `read the output of the hook: fairlead app logs ${app}; then ${fix}`
      : (remedyFor(message ?? '') ?? fix),
    resource: { group, kind, namespace, name },
  };
}

function refused(application: Application): Finding | undefined {
  const problem = conditionOf(application, (type) => type === 'NotPermittedWarning' || type === 'SyncError');
  if (!problem) return undefined;
  const project = application.spec.project || 'default';
  return {
    state: 'broken',
    reason: sentence(problem.message),
    action: `change the project ${project} or the source: fairlead app explain ${nameOf(application)}`,
    ...problem.since,
  };
}

/** No sync runs, and the last one has not failed. */
function standing({ application, window }: FlowState): Finding {
  const { status } = application;
  const name = nameOf(application);
  if (!status?.sync) return { state: 'unknown' };
  if (status.sync.status === 'Unknown') return { state: 'unknown', reason: 'The live state was not compared.' };
  if (status.sync.status === 'OutOfSync') {
    const differs = conditionOf(application, (type) => type === 'OutOfSync');
    const what = differs ? `${sentence(differs.message)} ` : '';
    const since = differs?.since ?? {};
    const sync = `sync it: fairlead app sync ${name}`;
    if (window !== undefined) {
      return { state: 'waiting', reason: `${what}${sentence(`A sync window blocks it: ${window}`)}`, ...since };
    }
    if (!isAutomated(application)) {
      return { state: 'waiting', reason: `${what}It is synced manually.`, action: sync, ...since };
    }
    const isSynced = status.operationState?.syncResult?.revision === status.sync.revision;
    return isSynced && status.operationState?.phase === 'Succeeded'
      ? {
          state: 'waiting',
          reason: `${what}${shortRevision(status.sync.revision ?? '')} was synced, and automated sync does not correct what changes afterwards.`,
          action: sync,
          ...since,
        }
      : { state: 'working', reason: `${what}Automated sync is about to start.`, ...since };
  }
  return health(application);
}

function health(application: Application): Finding {
  const { status } = application;
  const is = status?.health?.status ?? 'Unknown';
  const said = conditionOf(application, (type) => type === 'NotHealthy');
  const why = said ? sentence(said.message) : `The objects are ${is}.`;
  const since = status?.health?.lastTransitionTime ? { since: status.health.lastTransitionTime } : {};
  if (is === 'Degraded' || is === 'Missing') {
    const action = `see why: fairlead app explain ${nameOf(application)}`;
    return { state: 'broken', reason: why, action, ...since };
  }
  if (is === 'Progressing') return { state: 'working', reason: why, ...since };
  const finishedAt = status?.operationState?.finishedAt;
  return { state: 'ok', ...(finishedAt ? { since: finishedAt } : reconciledAt(application)) };
}
