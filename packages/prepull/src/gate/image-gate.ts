import type { Application } from '@fairlead/api';
import { isNotFound } from '@fairlead/apimachinery';
import type { ApiClient, Clock } from '@fairlead/kube';
import type { GateSettings } from './gate-decision.ts';
import { createRolloutGate, gateAnnotation } from './rollout-gate.ts';

const inCluster = new Set(['https://kubernetes.default.svc', 'in-cluster']);

/**
 * Before the image updater writes new images of an Application that says `fairlead.dev/prepull: "true"`: the nodes where its pods can run pull
 * them first. What it waits for, while it waits. Applications of other clusters are not held: their nodes are not ours to ask.
 */
export function createImageGate(
  client: ApiClient,
  clock: Clock,
  options: { readonly settings?: Partial<GateSettings>; readonly opened?: (savedSeconds: number) => void } = {},
): (
  application: Application,
  images: readonly string[],
) => Promise<{ readonly why: string; readonly againMs: number } | undefined> {
  const gate = createRolloutGate(client, clock, options.opened);
  return async ({ metadata, spec }, images) => {
    const { server = '', name = '', namespace = '' } = spec.destination;
    if (metadata.annotations?.[gateAnnotation] !== 'true' || !inCluster.has(name || server)) return undefined;
    const { settings = {} } = options;
    const verdicts = await Promise.all(
      images.map((image) =>
        gate.check({ application: metadata.name, namespace, image, settings }).catch((error: unknown) => {
          if (isNotFound(error)) return { open: true, reason: '', againMs: 0 };
          throw error;
        }),
      ),
    );
    const shut = verdicts.filter(({ open }) => !open);
    if (shut.length === 0) return undefined;
    return {
      why: `waiting until nodes have it: ${shut.map(({ reason }) => reason).join('; ')}`,
      againMs: Math.min(...shut.map(({ againMs = 1000 }) => againMs)),
    };
  };
}
