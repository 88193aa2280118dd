import { at, formatTime } from '@fairlead/apimachinery';
import type { ActionTable, Change, ResourceAction } from '../action.ts';
import { withoutValue, withValue } from '../change.ts';
import { numberParameter } from '../parameters.ts';

const restart: ResourceAction = { name: 'restart', iconClass: 'fa fa-fw fa-redo' };
const scale: ResourceAction = {
  name: 'scale',
  iconClass: 'fa fa-fw fa-plus-circle',
  params: [{ name: 'replicas' }],
};

/** As `kubectl rollout restart`: a changed template makes the controller replace the pods. */
const restarted: Change = (object, { now }) =>
  withValue(
    object,
    ['spec', 'template', 'metadata', 'annotations', 'kubectl.kubernetes.io/restartedAt'],
    formatTime(now),
  );

const scaled: Change = (object, context) =>
  withValue(object, ['spec', 'replicas'], numberParameter(context, 'replicas'));

export const workloadActions: ActionTable = {
  'apps/DaemonSet': { discover: () => [restart], changes: { restart: restarted } },
  'apps/StatefulSet': { discover: () => [restart, scale], changes: { restart: restarted, scale: scaled } },
  'apps/Deployment': {
    discover: (object) => {
      const isPaused = at(object, 'spec', 'paused') === true;
      return [
        { name: 'pause', disabled: isPaused, iconClass: 'fa fa-fw fa-pause-circle' },
        restart,
        { name: 'resume', disabled: !isPaused, iconClass: 'fa fa-fw fa-play-circle' },
        scale,
      ];
    },
    changes: {
      pause: (object) => withValue(object, ['spec', 'paused'], true),
      restart: restarted,
      resume: (object) => withoutValue(object, ['spec', 'paused']),
      scale: scaled,
    },
  },
};
