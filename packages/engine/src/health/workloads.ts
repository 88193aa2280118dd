import { at, type KubeObject, listAt, numberAt, textAt } from '@fairlead/apimachinery';
import { type Health, health } from './health.ts';

/** The controller has not observed the newest spec yet: the status is of an older one. */
const unseen = (object: KubeObject): boolean =>
  (object.metadata.generation ?? 0) > numberAt(object, 'status', 'observedGeneration');

const condition = (object: KubeObject, type: string) =>
  listAt(object, 'status', 'conditions').find((candidate) => textAt(candidate, 'type') === type);

export function deploymentHealth(object: KubeObject): Health {
  if (at(object, 'spec', 'paused') === true) return health('Suspended', 'Deployment is paused');
  if (unseen(object)) {
    return health(
      'Progressing',
      'Waiting for rollout to finish: observed deployment generation less than desired generation',
    );
  }
  if (textAt(condition(object, 'Progressing'), 'reason') === 'ProgressDeadlineExceeded') {
    return health('Degraded', `Deployment "${object.metadata.name}" exceeded its progress deadline`);
  }
  const desired = at(object, 'spec', 'replicas');
  const updated = numberAt(object, 'status', 'updatedReplicas');
  const all = numberAt(object, 'status', 'replicas');
  const available = numberAt(object, 'status', 'availableReplicas');
  const waiting = (what: string): Health => health('Progressing', `Waiting for rollout to finish: ${what}...`);
  if (typeof desired === 'number' && updated < desired) {
    return waiting(`${updated} out of ${desired} new replicas have been updated`);
  }
  if (all > updated) return waiting(`${all - updated} old replicas are pending termination`);
  if (available < updated) return waiting(`${available} of ${updated} updated replicas are available`);
  return health('Healthy');
}

export function replicaSetHealth(object: KubeObject): Health {
  if (unseen(object)) {
    return health(
      'Progressing',
      'Waiting for rollout to finish: observed replica set generation less than desired generation',
    );
  }
  const failure = condition(object, 'ReplicaFailure');
  if (textAt(failure, 'status') === 'True') return health('Degraded', textAt(failure, 'message'));
  const desired = at(object, 'spec', 'replicas');
  const available = numberAt(object, 'status', 'availableReplicas');
  if (typeof desired === 'number' && available < desired) {
    return health(
      'Progressing',
      `Waiting for rollout to finish: ${available} out of ${desired} new replicas are available...`,
    );
  }
  return health('Healthy');
}

export function daemonSetHealth(object: KubeObject): Health {
  if (unseen(object)) {
    return health(
      'Progressing',
      'Waiting for rollout to finish: observed daemon set generation less than desired generation',
    );
  }
  const desired = numberAt(object, 'status', 'desiredNumberScheduled');
  const updated = numberAt(object, 'status', 'updatedNumberScheduled');
  const available = numberAt(object, 'status', 'numberAvailable');
  if (textAt(object, 'spec', 'updateStrategy', 'type') === 'OnDelete') {
    return health('Healthy', `daemon set ${updated} out of ${desired} new pods have been updated`);
  }
  const waiting = (what: string): Health =>
    health('Progressing', `Waiting for daemon set "${object.metadata.name}" rollout to finish: ${what}...`);
  if (updated < desired) return waiting(`${updated} out of ${desired} new pods have been updated`);
  if (available < desired) return waiting(`${available} of ${desired} updated pods are available`);
  return health('Healthy');
}

export function statefulSetHealth(object: KubeObject): Health {
  if (numberAt(object, 'status', 'observedGeneration') === 0 || unseen(object)) {
    return health('Progressing', 'Waiting for statefulset spec update to be observed...');
  }
  const desired = at(object, 'spec', 'replicas');
  const ready = numberAt(object, 'status', 'readyReplicas');
  const updated = numberAt(object, 'status', 'updatedReplicas');
  if (typeof desired === 'number' && ready < desired) {
    return health('Progressing', `Waiting for ${desired - ready} pods to be ready...`);
  }
  const strategy = textAt(object, 'spec', 'updateStrategy', 'type');
  const rolling = at(object, 'spec', 'updateStrategy', 'rollingUpdate');
  if (strategy === 'RollingUpdate' && rolling !== undefined && rolling !== null) {
    const partition = at(rolling, 'partition');
    if (typeof desired === 'number' && typeof partition === 'number' && updated < desired - partition) {
      const due = desired - partition;
      return health(
        'Progressing',
        `Waiting for partitioned roll out to finish: ${updated} out of ${due} new pods have been updated...`,
      );
    }
    return health('Healthy', `partitioned roll out complete: ${updated} new pods have been updated...`);
  }
  if (strategy === 'OnDelete') return health('Healthy', `statefulset has ${ready} ready pods`);
  const [current, update] = [textAt(object, 'status', 'currentRevision'), textAt(object, 'status', 'updateRevision')];
  if (update !== current) {
    return health(
      'Progressing',
      `waiting for statefulset rolling update to complete ${updated} pods at revision ${update}...`,
    );
  }
  const pods = numberAt(object, 'status', 'currentReplicas');
  return health('Healthy', `statefulset rolling update complete ${pods} pods at revision ${current}...`);
}
