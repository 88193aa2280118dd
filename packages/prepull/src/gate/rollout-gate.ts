import { type PrePullImage, prePullImageKind } from '@fairlead/api';
import { apiVersionOf, isAlreadyExists, isNotFound } from '@fairlead/apimachinery';
import type { ApiClient, Clock } from '@fairlead/kube';
import { parseImageName } from '../image-name.ts';
import { uniqueName } from '../names.ts';
import { nodesForPod } from '../node/nodes-for-pod.ts';
import { type Node, nodeType, type PodSpec, podSpecOf, type Workload, workloadTypes } from '../objects.ts';
import { type GateSettings, type GateVerdict, gateVerdict, usualGate } from './gate-decision.ts';

/** On an Application: its rollouts wait for their images. */
export const gateAnnotation = 'fairlead.dev/prepull';
/** On a PrePullImage: the Application whose rollout waits for it. */
export const gateLabel = 'fairlead.dev/gate';
/** People wait for a rollout; nobody waits for a policy. */
const gatePriority = 1000;

export interface RolloutGate {
  /**
   * Whether `application` may roll out `image` to the namespace now. The first time that it is asked it has the image pulled on the nodes where
   * pods of the application can run; ask again until it is open.
   */
  check(request: GateRequest): Promise<GateVerdict>;
}

export interface GateRequest {
  readonly application: string;
  readonly namespace: string;
  readonly image: string;
  /** Pods that will run the image. Absent: those of workloads in the namespace that run it in another version now. */
  readonly pods?: readonly PodSpec[];
  readonly settings?: Partial<GateSettings>;
  readonly signal?: AbortSignal;
}

export function createRolloutGate(
  client: Pick<ApiClient, 'get' | 'list' | 'create'>,
  clock: Clock,
  opened: (savedSeconds: number) => void = () => {},
): RolloutGate {
  const told = new Set<string>();
  return {
    async check(request) {
      const { namespace, application, image, signal } = request;
      const options = signal ? { signal } : {};
      const settings = { ...usualGate, ...request.settings };
      const name = uniqueName(`gate-${application}`, namespace, application, image);
      const present = await client
        .get<PrePullImage>(prePullImageKind.type, { namespace, name }, options)
        .catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
          return undefined;
        });
      if (!present || present.metadata.deletionTimestamp) {
        const pods = request.pods ?? (await podsThatRun(client, namespace, image, options));
        const { items: nodes } = await client.list<Node>(nodeType, options);
        const targets = [
          ...new Set(pods.flatMap((pod) => nodesForPod(pod, nodes)).map(({ metadata }) => metadata.name)),
        ];
        if (targets.length === 0)
          return { open: true, reason: `no node can run pods of ${application}, so there is none to pull ${image} on` };
        await client
          .create(prePullImageKind.type, gateImage(request, name, targets.sort(), pods), {
            ...options,
            fieldManager: 'fairlead-prepull',
          })
          .catch((error: unknown) => {
            if (!isAlreadyExists(error)) throw error;
          });
        return { open: false, reason: `${targets.length} nodes are asked to pull ${image}`, againMs: 500 };
      }
      const verdict = gateVerdict(present, settings, clock.now());
      const uid = present.metadata.uid ?? '';
      if (verdict.open && !told.has(uid)) {
        told.add(uid);
        if (verdict.savedSeconds) opened(verdict.savedSeconds);
      }
      return verdict;
    },
  };
}

/** The pods of a namespace's workloads that run the same repository. */
async function podsThatRun(
  client: Pick<ApiClient, 'list'>,
  namespace: string,
  image: string,
  options: { readonly signal?: AbortSignal },
): Promise<PodSpec[]> {
  const { repository } = parseImageName(image);
  const lists = await Promise.all(workloadTypes.map((type) => client.list<Workload>(type, { namespace, ...options })));
  const pods = lists.flatMap(({ items }) => items.map(podSpecOf));
  const runs = ({ containers = [], initContainers = [] }: PodSpec) =>
    [...containers, ...initContainers].some((container) => {
      try {
        return container.image !== undefined && parseImageName(container.image).repository === repository;
      } catch {
        // Not an image at all: not this one either.
        return false;
      }
    });
  return pods.filter(runs);
}

function gateImage(
  { application, namespace, image }: GateRequest,
  name: string,
  nodes: string[],
  pods: readonly PodSpec[],
): PrePullImage {
  const secrets = [
    ...new Set(pods.flatMap(({ imagePullSecrets = [] }) => imagePullSecrets.flatMap((secret) => secret.name ?? []))),
  ];
  return {
    apiVersion: apiVersionOf(prePullImageKind.type),
    kind: 'PrePullImage',
    metadata: {
      name,
      namespace,
      labels: {
        'app.kubernetes.io/managed-by': 'fairlead',
        ...(application.length <= 63 ? { [gateLabel]: application } : {}),
      },
    },
    spec: {
      image,
      nodes: { names: nodes },
      priority: gatePriority,
      ...(secrets.length > 0 ? { imagePullSecrets: secrets.map((secret) => ({ name: secret })) } : {}),
    },
  };
}
