import { at, formatTime, listAt, type Unstructured } from '@fairlead/apimachinery';
import { toNumber } from '../../health/lua/values.ts';
import type { ActionTable, Change, ResourceAction } from '../action.ts';
import { withoutValue, withValue } from '../change.ts';

const steps = (rollout: Unstructured) => at(rollout, 'spec', 'strategy', 'canary', 'steps');
const stepCount = (rollout: Unstructured): number => listAt(rollout, 'spec', 'strategy', 'canary', 'steps').length;
const isPausedByStep = (rollout: Unstructured): boolean => listAt(rollout, 'status', 'pauseConditions').length > 0;
const isAborted = (rollout: Unstructured): boolean => at(rollout, 'status', 'abort') === true;

/** A new Rollout has no hashes yet: there is nothing to promote. */
const isFullyPromoted = (rollout: Unstructured): boolean =>
  at(rollout, 'status', 'currentPodHash') === at(rollout, 'status', 'stableRS');

/** Before version 0.10 `observedGeneration` was a hash, and only the steps of a canary could be skipped. */
function isBefore010(rollout: Unstructured): boolean {
  const observed = at(rollout, 'status', 'observedGeneration');
  const generation = typeof observed === 'number' || typeof observed === 'string' ? toNumber(observed) : undefined;
  return generation === undefined || generation > (rollout.metadata.generation ?? 0);
}

function discover(rollout: Unstructured): ResourceAction[] {
  const isPromoted = isFullyPromoted(rollout);
  const isPaused =
    at(rollout, 'status', 'pauseConditions') === undefined
      ? at(rollout, 'spec', 'paused') === true
      : isPausedByStep(rollout);
  const isBlueGreen = at(rollout, 'spec', 'strategy', 'blueGreen') !== undefined;
  const isAtLastStep = at(rollout, 'status', 'currentStepIndex') === stepCount(rollout);
  return [
    { name: 'abort', disabled: isPromoted || isAborted(rollout) },
    { name: 'pause', disabled: isPromoted || isAborted(rollout) || at(rollout, 'spec', 'paused') === true },
    { name: 'promote-full', disabled: isPromoted || (isBefore010(rollout) && isBlueGreen) },
    { name: 'restart', displayName: 'Restart Pods' },
    { name: 'resume', disabled: !isPaused },
    { name: 'retry', disabled: isPromoted || !isAborted(rollout) },
    { name: 'skip-current-step', disabled: steps(rollout) === undefined || isAtLastStep },
  ];
}

const promotedFully: Change = (rollout) => {
  if (at(rollout, 'status') === undefined) return rollout;
  if (!isBefore010(rollout)) return withValue(rollout, ['status', 'promoteFull'], true);
  const running = withoutValue(rollout, ['status', 'abort']);
  return steps(rollout) === undefined
    ? running
    : withValue(running, ['status', 'currentStepIndex'], stepCount(rollout));
};

const resumed: Change = (rollout) => {
  const continued = isPausedByStep(rollout) ? withoutValue(rollout, ['status', 'pauseConditions']) : rollout;
  return at(rollout, 'spec', 'paused') === true ? withValue(continued, ['spec', 'paused'], false) : continued;
};

const stepSkipped: Change = (rollout) => {
  const index = at(rollout, 'status', 'currentStepIndex');
  if (typeof index !== 'number' || index >= stepCount(rollout)) return rollout;
  const continued = isPausedByStep(rollout) ? withoutValue(rollout, ['status', 'pauseConditions']) : rollout;
  return withValue(continued, ['status', 'currentStepIndex'], index + 1);
};

export const rolloutActions: ActionTable = {
  'argoproj.io/Rollout': {
    discover,
    changes: {
      abort: (rollout) => withValue(rollout, ['status', 'abort'], true),
      pause: (rollout) => withValue(rollout, ['spec', 'paused'], true),
      'promote-full': promotedFully,
      restart: (rollout, { now }) => withValue(rollout, ['spec', 'restartAt'], formatTime(now)),
      resume: resumed,
      retry: (rollout) => withoutValue(rollout, ['status', 'abort']),
      'skip-current-step': stepSkipped,
    },
  },
};
