import type { Application } from '@fairlead/api';
import { find } from '@fairlead/apimachinery';
import type { ApiClient, Clock } from '@fairlead/kube';
import type { GateSettings } from './gate-decision.ts';
import { createRolloutGate, gateAnnotation } from './rollout-gate.ts';

const inCluster = new Set(['https://kubernetes.default.svc', 'in-cluster']);

/**
 * The gate of the image updater. For an Application annotated `fairlead.dev/prepull: "true"`, new images are pulled on the nodes where its
 * pods can run before they are written back; until then, it returns what is missing. Applications of other clusters are not gated, because
 * pre-pulling runs on this cluster only.
 */
export function createImageGate(
  client: ApiClient,
  clock: Clock,
  options: { readonly settings?: Partial<GateSettings>; readonly onOpen?: (savedSeconds: number) => void } = {},
): (
  application: Application,
  images: readonly string[],
) => Promise<{ readonly message: string; readonly requeueAfter: number } | undefined> {
  const gate = createRolloutGate(client, clock, options.onOpen);
  return async ({ metadata, spec }, images) => {
    const { server = '', name = '', namespace = '' } = spec.destination;
    if (metadata.annotations?.[gateAnnotation] !== 'true' || !inCluster.has(name || server)) return undefined;
    const { settings = {} } = options;
    const decisions = await Promise.all(
      // A missing namespace, or a cluster without the PrePullImage kind, has nothing to wait for.
      images.map((image) => find(gate.check({ application: metadata.name, namespace, image, settings }))),
    );
    const closed = decisions.filter((decision) => decision && !decision.open);
    if (closed.length === 0) return undefined;
    return {
      message: `waiting for the image pre-pull: ${closed.map((decision) => decision?.reason).join('; ')}`,
      requeueAfter: Math.min(...closed.map((decision) => decision?.requeueAfter ?? 1000)),
    };
  };
}
