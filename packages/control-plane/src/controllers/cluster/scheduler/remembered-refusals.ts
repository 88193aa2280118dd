import type { Pod } from '../objects.ts';
import { requestsOf } from './amounts.ts';
import type { Decision } from './choose-node.ts';
import { hostPorts } from './host-ports.ts';

type Refusal = Decision & { kind: 'refuse' };

/** Everything that determines where a pod can run: two pods with the same signature get the same result. */
function signatureOf({ metadata, spec, status }: Pod): string {
  const requests = requestsOf(spec);
  return JSON.stringify([
    metadata.namespace,
    metadata.labels,
    spec.nodeSelector,
    spec.affinity,
    spec.tolerations,
    spec.topologySpreadConstraints,
    spec.priority,
    spec.preemptionPolicy,
    status?.nominatedNodeName,
    requests.cpu,
    requests.memory,
    requests.storage,
    [...requests.others],
    hostPorts(spec),
  ]);
}

const usesClaims = ({ spec }: Pod): boolean =>
  (spec.volumes ?? []).some((volume) => volume.persistentVolumeClaim || volume.ephemeral);

/** Rejections since the last change of the cluster: of ten thousand equal pods that fit nowhere, only one is evaluated. */
export class RememberedRefusals {
  readonly #bySignature = new Map<string, Refusal>();
  #version = -1;

  recall(pod: Pod, version: number): Refusal | undefined {
    if (version !== this.#version || this.#bySignature.size === 0 || usesClaims(pod)) return undefined;
    return this.#bySignature.get(signatureOf(pod));
  }

  remember(pod: Pod, version: number, refusal: Refusal): void {
    if (version !== this.#version) this.#bySignature.clear();
    this.#version = version;
    if (!refusal.preemption && !usesClaims(pod)) this.#bySignature.set(signatureOf(pod), refusal);
  }
}
