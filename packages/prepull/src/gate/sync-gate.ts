import type { Application } from '@fairlead/api';
import { isNotFound, type KubeObject } from '@fairlead/apimachinery';
import type { ApiClient, Clock } from '@fairlead/kube';
import { parseImageName } from '../image-name.ts';
import { type PodSpec, podSpecOf, type Workload, workloadTypes } from '../objects.ts';
import type { GateSettings } from './gate-decision.ts';
import { createRolloutGate, gateAnnotation, type RolloutGate } from './rollout-gate.ts';

const workloadKinds = new Set(workloadTypes.map(({ kind }) => kind));

interface GatedSync {
  readonly application: Application;
  readonly client: ApiClient;
  readonly tasks: readonly { readonly target?: KubeObject; readonly live?: KubeObject }[];
  readonly signal: AbortSignal;
}

/**
 * Before the first step of a sync whose Application says `fairlead.dev/prepull: "true"`: images that a workload does not run yet are pulled on
 * the nodes where its pods can run. A sentence while it waits for them.
 */
export function createSyncGate(
  clock: Clock,
  options: { readonly settings?: Partial<GateSettings>; readonly opened?: (savedSeconds: number) => void } = {},
): (sync: GatedSync) => Promise<string | undefined> {
  const gates = new WeakMap<ApiClient, RolloutGate>();
  return async ({ application, client, tasks, signal }) => {
    if (application.metadata.annotations?.[gateAnnotation] !== 'true') return undefined;
    let gate = gates.get(client);
    if (!gate) gates.set(client, (gate = createRolloutGate(client, clock, options.opened)));
    const { settings = {} } = options;
    const waits = await Promise.all(
      newImages(tasks, application.spec.destination.namespace ?? '').map(({ image, namespace, pods }) =>
        gate
          .check({ application: application.metadata.name, namespace, image, pods, settings, signal })
          // No such namespace yet, or a cluster that does not know PrePullImages: there is nothing to wait for.
          .catch((error: unknown) => {
            if (isNotFound(error)) return { open: true, reason: '' };
            throw error;
          }),
      ),
    );
    const shut = waits.filter(({ open }) => !open).map(({ reason }) => reason);
    return shut.length === 0 ? undefined : `waiting for images: ${shut.join('; ')}`;
  };
}

interface NewImage {
  readonly image: string;
  readonly namespace: string;
  readonly pods: readonly PodSpec[];
}

function newImages(tasks: GatedSync['tasks'], defaultNamespace: string): NewImage[] {
  const found = new Map<string, { image: string; namespace: string; pods: PodSpec[] }>();
  for (const { target, live } of tasks) {
    if (!target || !workloadKinds.has(target.kind)) continue;
    const running = new Set(imagesIn(live));
    const pod = podSpecOf(target as Workload);
    const namespace = target.metadata.namespace ?? defaultNamespace;
    for (const image of imagesIn(target)) {
      if (running.has(image) || !isImage(image)) continue;
      const key = `${namespace} ${image}`;
      const entry = found.get(key) ?? { image, namespace, pods: [] };
      entry.pods.push(pod);
      found.set(key, entry);
    }
  }
  return [...found.values()];
}

function imagesIn(workload: KubeObject | undefined): string[] {
  if (!workload) return [];
  const { containers = [], initContainers = [] } = podSpecOf(workload as Workload);
  return [...containers, ...initContainers].flatMap(({ image }) => image ?? []);
}

/** What is none is the business of the API server, which says so better. */
function isImage(text: string): boolean {
  try {
    parseImageName(text);
    return true;
  } catch {
    return false;
  }
}
