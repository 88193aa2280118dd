import { type KubeObject, keyOf, podType, type ResourceType } from '@fairlead/apimachinery';
import { Controller, done } from '@fairlead/kube';
import type { ControllerParts, MakeController } from '../../parts.ts';
import { claimType, volumeType } from '../../resource-types.ts';
import { forgiving } from '../forgiving.ts';
import { type Claim, claimNames, type Pod, type Volume } from '../objects.ts';
import { settling } from '../settling.ts';
import { indexPodsByClaim, podsUsing } from './indexes.ts';

/** A scheduled pod may have the claim mounted, also after it has ended; an unscheduled one never has. */
const uses = (pod: Pod): boolean => Boolean(pod.spec.nodeName);

interface Protection<T extends KubeObject> {
  readonly name: string;
  readonly finalizer: string;
  readonly type: ResourceType;
  isUsed(object: T): boolean;
}

/** Protects claims and volumes in use from deletion. */
function protect<T extends KubeObject>(
  parts: ControllerParts,
  { name, finalizer, type, isUsed }: Protection<T>,
): Controller {
  const client = parts.client(name);
  const objects = parts.informers.informer<T>(type);
  const controller = new Controller({
    name,
    concurrency: 2,
    clock: parts.clock,
    log: parts.log,
    reconcile: settling(async (key) => {
      const object = objects.get(key);
      if (!object) return done;
      const { finalizers = [], deletionTimestamp, resourceVersion } = object.metadata;
      const held = finalizers.includes(finalizer);
      const desired = deletionTimestamp ? held && isUsed(object) : true;
      if (held === desired) return done;
      const next = desired ? [...finalizers, finalizer] : finalizers.filter((each) => each !== finalizer);
      const body = { metadata: { resourceVersion, finalizers: next } };
      await forgiving(client.patch(type, object.metadata, 'merge', body));
      return done;
    }),
  });
  return controller.watch(objects);
}

export const claimProtection: MakeController = (parts) => {
  const pods = indexPodsByClaim(parts.informers.informer<Pod>(podType));
  const controller = protect<Claim>(parts, {
    name: 'pvc-protection-controller',
    finalizer: 'kubernetes.io/pvc-protection',
    type: claimType,
    isUsed: (claim) => podsUsing(pods, keyOf(claim)).some(uses),
  });
  const release = (pod: Pod): void => {
    for (const { name } of claimNames(pod)) controller.enqueue(`${pod.metadata.namespace}/${name}`);
  };
  pods.addHandler({ onDelete: release });
  return controller.watch(pods, () => []);
};

export const volumeProtection: MakeController = (parts) =>
  protect<Volume>(parts, {
    name: 'pv-protection-controller',
    finalizer: 'kubernetes.io/pv-protection',
    type: volumeType,
    isUsed: ({ status }) => status?.phase === 'Bound',
  });
