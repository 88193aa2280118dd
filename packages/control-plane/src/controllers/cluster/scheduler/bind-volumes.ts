import { keyOf } from '@fairlead/apimachinery';
import type { ApiClient, Clock, Informer } from '@fairlead/kube';
import { claimType, volumeType } from '../../resource-types.ts';
import type { Claim, Node, Pod } from '../objects.ts';
import { boundByController, selectedNode } from '../volumes/annotations.ts';
import { claimsOf, isFullyBound, planVolumes, type VolumePlan, type VolumeView } from './volume-view.ts';

/** A claim that is not bound after this time is a failure. */
const bindTimeoutMs = 600_000;

export interface BindingParts {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly claims: Informer<Claim>;
  readonly promised: Set<string>;
}

/** How the claims of a pod are bound on its node, with the volumes reserved for it. Undefined: there is nothing to do. */
export function reserveVolumes(pod: Pod, node: Node, view: VolumeView, promised: Set<string>): VolumePlan | undefined {
  if (!pod.spec.volumes?.length) return undefined;
  const claims = claimsOf(pod, view);
  if (claims.waiting.length === 0) return undefined;
  const planned = planVolumes(claims, node, view);
  if (!('plan' in planned)) return undefined;
  for (const { volume } of planned.plan.bind) promised.add(volume.metadata.name);
  return planned.plan;
}

/** Writes the plan and waits until the claims are bound by their controllers. */
export async function bindVolumes(
  plan: VolumePlan,
  node: string,
  { client, clock, claims, promised }: BindingParts,
  signal: AbortSignal,
): Promise<void> {
  try {
    for (const { claim, volume } of plan.bind) {
      const { name, namespace, uid, resourceVersion } = claim.metadata;
      const claimRef = {
        kind: 'PersistentVolumeClaim',
        namespace,
        name,
        uid,
        apiVersion: 'v1',
        resourceVersion,
      };
      const byUs = volume.spec.claimRef ? {} : { annotations: { [boundByController]: 'yes' } };
      await client.patch(volumeType, volume.metadata, 'merge', {
        metadata: { resourceVersion: volume.metadata.resourceVersion, ...byUs },
        spec: { claimRef },
      });
    }
    for (const claim of plan.provision) {
      await client.patch(claimType, claim.metadata, 'merge', { metadata: { annotations: { [selectedNode]: node } } });
    }
    const waiting = [...plan.bind.map(({ claim }) => claim), ...plan.provision];
    await Promise.all(waiting.map((claim) => untilBound(keyOf(claim), claims, clock, signal)));
  } finally {
    for (const { volume } of plan.bind) promised.delete(volume.metadata.name);
  }
}

function untilBound(key: string, claims: Informer<Claim>, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const settle = (act: () => void) => {
      stopListening();
      cancel();
      signal.removeEventListener('abort', abort);
      act();
    };
    const resolveIfBound = (claim: Claim) => {
      if (keyOf(claim) === key && isFullyBound(claim)) settle(resolve);
    };
    const abort = () => settle(() => reject(signal.reason));
    const cancel = clock.after(bindTimeoutMs, () =>
      settle(() => reject(new Error(`timed out waiting for the volume of claim ${key}`))),
    );
    let stopListening = () => {};
    signal.addEventListener('abort', abort, { once: true });
    const known = claims.get(key);
    if (known && isFullyBound(known)) return settle(resolve);
    stopListening = claims.addHandler({
      onUpdate: (_old, claim) => resolveIfBound(claim),
      onDelete: (claim) => {
        if (keyOf(claim) === key) settle(() => reject(new Error(`claim ${key} was deleted`)));
      },
    });
  });
}
