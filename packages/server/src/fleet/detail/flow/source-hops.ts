import { failedPart, remedyForSource } from '@fairlead/app-controller/explain';
import {
  conditionOf,
  type Finding,
  type FlowState,
  queueOf,
  reconciledAt,
  revisionOf,
  roleFinding,
  sentence,
} from './flow-state.ts';

/** Whether the controller can read the repository at the revision. */
export function commitHop(state: FlowState): Finding {
  const { application } = state;
  const failed = conditionOf(
    application,
    (type, message) => type === 'ComparisonError' && failedPart(message, application) === 'repository',
  );
  if (failed) {
    return {
      state: 'broken',
      reason: sentence(failed.message),
      action: remedyForSource(failed.message, application),
      ...failed.since,
      ...revisionOf(application),
    };
  }
  if (!application.status?.sync) return { state: 'unknown', reason: 'No controller has read the repository yet.' };
  return { state: 'ok', ...revisionOf(application), ...reconciledAt(application) };
}

/** Whether the controller may and can make manifests of the source. */
export function renderHop(state: FlowState): Finding {
  const { application, agent } = state;
  const refused = conditionOf(application, (type) => type === 'InvalidSpecError' || type === 'UnknownError');
  const failed =
    refused ??
    conditionOf(
      application,
      (type, message) => type === 'ComparisonError' && failedPart(message, application) === 'render',
    );
  const shared = { ...revisionOf(application), ...queueOf(controllerOf(state)) };
  if (failed) {
    return {
      ...shared,
      state: 'broken',
      reason: sentence(failed.message),
      action: remedyForSource(failed.message, application),
      ...failed.since,
      ...(refused ? { resource: projectRef(application.spec.project || 'default') } : {}),
    };
  }
  // The controller of an agent's cluster reports there.
  const idle = agent ? undefined : whyIdle(state);
  if (idle) return { ...shared, ...idle };
  if (!application.status?.sync) return { ...shared, state: 'unknown', reason: 'It has not been compared yet.' };
  return { ...shared, state: 'ok', ...reconciledAt(application) };
}

const projectRef = (name: string) => ({ group: 'argoproj.io', kind: 'AppProject', namespace: '', name });

const controllerOf = (state: FlowState) => roleFinding(state, ['controller'], 'application controller');

/** A controller that does not run keeps everything where it is. */
function whyIdle(state: FlowState): Finding | undefined {
  const { application } = state;
  const found = controllerOf(state);
  const action = 'start the application controller: its Deployment, or fairlead up';
  if (found.is === 'stopped') return { state: 'broken', reason: found.problem, action, since: found.since };
  if (found.is === 'running') {
    return found.problem === undefined ? undefined : { state: 'broken', reason: sentence(found.problem) };
  }
  const isAwaited =
    application.status?.sync === undefined ||
    application.metadata.annotations?.['argocd.argoproj.io/refresh'] !== undefined;
  if (!isAwaited || found.is === 'unknown') return undefined;
  return { state: 'broken', reason: 'No application controller reports that it runs.', action };
}
