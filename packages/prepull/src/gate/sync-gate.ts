import type { Application } from '@fairlead/api';
import {
  find,
  getOrCreate,
  type KubeObject,
  type PodSpec,
  podSpecOf,
  tryParseImageReference,
} from '@fairlead/apimachinery';
import type { ApiClient, Clock } from '@fairlead/kube';
import { workloadTypes } from '../workload-types.ts';
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
 * The gate before the first step of a sync. For an Application annotated `fairlead.dev/prepull: "true"`, images that a workload does not
 * run yet are pulled on the nodes where its pods can run; until then, it returns what the sync waits for.
 */
export function createSyncGate(
  clock: Clock,
  options: { readonly settings?: Partial<GateSettings>; readonly onOpen?: (savedSeconds: number) => void } = {},
): (sync: GatedSync) => Promise<string | undefined> {
  const gates = new WeakMap<ApiClient, RolloutGate>();
  return async ({ application, client, tasks, signal }) => {
    if (application.metadata.annotations?.[gateAnnotation] !== 'true') return undefined;
    const gate = getOrCreate(gates, client, () => createRolloutGate(client, clock, options.onOpen));
    const { settings = {} } = options;
    const decisions = await Promise.all(
      newImages(tasks, application.spec.destination.namespace ?? '').map(({ image, namespace, pods }) =>
        // A missing namespace, or a cluster without the PrePullImage kind, has nothing to wait for.
        find(gate.check({ application: application.metadata.name, namespace, image, pods, settings, signal })),
      ),
    );
    const closed = decisions.flatMap((decision) => (decision && !decision.open ? [decision.reason] : []));
    return closed.length === 0 ? undefined : `waiting for images: ${closed.join('; ')}`;
  };
}

interface NewImage {
  readonly image: string;
  readonly namespace: string;
  readonly pods: PodSpec[];
}

function newImages(tasks: GatedSync['tasks'], defaultNamespace: string): NewImage[] {
  const found = new Map<string, NewImage>();
  for (const { target, live } of tasks) {
    if (!target || !workloadKinds.has(target.kind)) continue;
    const running = new Set(live ? imagesIn(podSpecOf(live)) : []);
    const pod = podSpecOf(target);
    const namespace = target.metadata.namespace ?? defaultNamespace;
    for (const image of imagesIn(pod)) {
      // An invalid reference is left to the API server, which rejects it with a better message.
      if (running.has(image) || !tryParseImageReference(image)) continue;
      getOrCreate(found, `${namespace} ${image}`, () => ({ image, namespace, pods: [] })).pods.push(pod);
    }
  }
  return [...found.values()];
}

const imagesIn = ({ containers = [], initContainers = [] }: PodSpec): string[] =>
  [...containers, ...initContainers].flatMap(({ image }) => image ?? []);
