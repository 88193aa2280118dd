import { textAt, type Unstructured } from '@fairlead/apimachinery';
import { toNumber } from '../../health/lua/values.ts';
import { ActionError, type ActionTable, type Change, type ResourceAction } from '../action.ts';
import { withAnnotation, withoutAnnotation } from '../change.ts';

const paused = 'autoscaling.keda.sh/paused';
const pausedReplicas = 'autoscaling.keda.sh/paused-replicas';

const annotation = (object: Unstructured, name: string): string => textAt(object, 'metadata', 'annotations', name);

const pause = (disabled: boolean): ResourceAction => ({
  name: 'pause',
  disabled,
  iconClass: 'fa fa-fw fa-pause-circle',
});
const resume = (disabled: boolean): ResourceAction => ({
  name: 'resume',
  disabled,
  iconClass: 'fa fa-fw fa-play-circle',
});

const pausedNow: Change = (object) => withAnnotation(object, paused, 'true');

/** Scales to a number of replicas and stays there. */
const pausedAt: Change = (object, { parameters: { replicas } }) => {
  if (replicas === undefined) throw new ActionError('replicas parameter is required');
  const count = toNumber(replicas);
  if (count === undefined || count < 0) throw new ActionError(`invalid number: ${replicas} (must be >= 0)`);
  return withAnnotation(object, pausedReplicas, String(count));
};

export const kedaActions: ActionTable = {
  'keda.sh/ScaledJob': {
    discover: (object) => {
      const isPaused = annotation(object, paused) === 'true';
      return [pause(isPaused), resume(!isPaused)];
    },
    changes: { pause: pausedNow, resume: (object) => withoutAnnotation(object, paused) },
  },
  'keda.sh/ScaledObject': {
    discover: (object) => {
      const isPaused = annotation(object, paused) === 'true';
      const replicas = annotation(object, pausedReplicas);
      return [
        pause(isPaused || replicas !== ''),
        {
          name: 'paused-replicas',
          disabled: isPaused,
          iconClass: 'fa fa-fw fa-pause-circle',
          params: [{ name: 'replicas', default: replicas || '0' }],
        },
        resume(!isPaused && replicas === ''),
      ];
    },
    changes: {
      pause: pausedNow,
      'paused-replicas': pausedAt,
      resume: (object) => withoutAnnotation(withoutAnnotation(object, paused), pausedReplicas),
    },
  },
};
