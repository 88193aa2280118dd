import { at, type KubeObject, listAt, numberAt, textAt } from '@fairlead/apimachinery';
import { type Health, health } from '../../health.ts';

/** A server is in transition between two states, or ready in its state. */
export function gameServer(object: KubeObject): Health | undefined {
  if (at(object, 'status') === undefined) return undefined;
  const [current, desired] = [textAt(object, 'status', 'currentState'), textAt(object, 'status', 'desiredState')];
  if (current !== desired) {
    return health('Progressing', `State change: ${current || 'Unknown'} → ${desired || 'Unknown'}`);
  }
  const unready = listAt(object, 'status', 'podStatus', 'conditions').some(
    (condition) => textAt(condition, 'type') === 'KruisePodReady' && textAt(condition, 'status') !== 'True',
  );
  if (unready) return health('Degraded', 'Pod is not ready: KruisePodReady');
  return current === 'Ready' ? health('Healthy', 'GameServer is Ready') : undefined;
}

export function gameServerSet(object: KubeObject): Health | undefined {
  const { generation } = object.metadata ?? {};
  if (at(object, 'status') === undefined || at(object, 'status', 'observedGeneration') !== generation) return undefined;
  const strategy = at(object, 'spec', 'updateStrategy', 'rollingUpdate');
  const count = (name: string): number => numberAt(object, 'status', name);
  if (at(strategy, 'paused') === true) return health('Suspended', 'GameServerSet is paused');
  const partition = numberAt(strategy, 'partition');
  if (partition !== 0 && count('updatedReplicas') >= count('replicas') - partition) {
    return health('Suspended', `Partition=${partition}, waiting for manual intervention`);
  }
  if (count('updatedReadyReplicas') === count('replicas')) {
    return health('Healthy', 'All GameServerSet replicas are updated and ready');
  }
  if (count('readyReplicas') >= count('replicas')) return undefined;
  return health('Progressing', `ReadyReplicas ${count('readyReplicas')}/${count('replicas')}, still progressing`);
}
