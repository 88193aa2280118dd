import { at, formatTime, listAt, objectAt, textAt, type Unstructured } from '@fairlead/apimachinery';
import { toNumber } from '../../health/lua/values.ts';
import { type ActionContext, ActionError, type ActionTable, type Change, type ResourceAction } from '../action.ts';
import { withAnnotation, withoutAnnotation, withValue } from '../change.ts';
import { resumed, suspended } from './suspend.ts';

const reconciliationLoop = 'cnpg.io/reconciliationLoop';

const healthyInstances = (cluster: Unstructured): string[] =>
  listAt(cluster, 'status', 'instancesStatus', 'healthy').filter((name) => typeof name === 'string');

function discoverCluster(cluster: Unstructured): ResourceAction[] {
  const isSuspended = textAt(cluster, 'metadata', 'annotations', reconciliationLoop) === 'disabled';
  return [
    {
      name: 'promote',
      disabled: healthyInstances(cluster).length < 2,
      iconClass: 'fa fa-fw fa-angles-up',
      displayName: 'Promote Replica to Primary',
      params: [{ name: 'instance', default: 'any' }],
    },
    { name: 'reload', iconClass: 'fa fa-fw fa-rotate-right', displayName: 'Reload all Configuration' },
    { name: 'restart', iconClass: 'fa fa-fw fa-recycle', displayName: 'Rollout restart Cluster' },
    isSuspended
      ? { name: 'resume', iconClass: 'fa fa-fw fa-play', displayName: 'Resume Reconciliation' }
      : { name: 'suspend', iconClass: 'fa fa-fw fa-pause', displayName: 'Suspend Reconciliation' },
  ];
}

/** By name or number; with `any`, the one after the primary. */
function instanceToPromote(cluster: Unstructured, { parameters }: ActionContext): string {
  const healthy = healthyInstances(cluster);
  const instance = parameters['instance'] ?? '';
  const isNumber = toNumber(instance) !== undefined;
  const name = isNumber ? `${cluster.metadata.name}-${instance}` : instance;
  const primary = healthy.indexOf(textAt(cluster, 'status', 'currentPrimary'));
  const found = instance === 'any' ? healthy[(primary + 1) % healthy.length] : healthy.find((one) => one === name);
  if (found !== undefined) return found;
  throw new ActionError(`Could not find a healthy instance matching the criteria: ${instance}`);
}

/** As `kubectl cnpg promote`. */
const promoted: Change = (cluster, context) => {
  const instance = instanceToPromote(cluster, context);
  return withValue(cluster, ['status'], {
    ...objectAt(cluster, 'status'),
    targetPrimary: instance,
    targetPrimaryTimestamp: formatTime(context.now),
    phase: 'Switchover in progress',
    phaseReason: `Switching over to ${instance}`,
  });
};

export const databaseActions: ActionTable = {
  'k8s.mariadb.com/MariaDB': {
    discover: (object) =>
      at(object, 'spec', 'suspend') === true
        ? [{ name: 'resume', iconClass: 'fa fa-fw fa-play', displayName: 'Resume' }]
        : [{ name: 'suspend', iconClass: 'fa fa-fw fa-pause', displayName: 'Suspend' }],
    changes: { resume: resumed, suspend: suspended },
  },
  'postgresql.cnpg.io/Cluster': {
    discover: discoverCluster,
    changes: {
      promote: promoted,
      reload: (object, { now }) => withAnnotation(object, 'cnpg.io/reloadedAt', formatTime(now)),
      restart: (object, { now }) => withAnnotation(object, 'kubectl.kubernetes.io/restartedAt', formatTime(now)),
      resume: (object) => withoutAnnotation(object, reconciliationLoop),
      suspend: (object) => withAnnotation(object, reconciliationLoop, 'disabled'),
    },
  },
  'psmdb.percona.com/PerconaServerMongoDB': {
    discover: (object) => {
      const isPaused = at(object, 'spec', 'pause') === true;
      return [
        { name: 'pause', disabled: isPaused, iconClass: 'fa fa-fw fa-pause-circle' },
        { name: 'unpause', disabled: !isPaused, iconClass: 'fa fa-fw fa-play-circle' },
      ];
    },
    changes: {
      pause: (object) => withValue(object, ['spec', 'pause'], true),
      unpause: (object) => withValue(object, ['spec', 'pause'], false),
    },
  },
};
