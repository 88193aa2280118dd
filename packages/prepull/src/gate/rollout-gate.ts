import { type PrePullImage, prePullImageKind } from '@fairlead/api';
import {
  apiVersionOf,
  find,
  isAlreadyExists,
  type Node,
  nodeType,
  type PodSpec,
  parseImageReference,
  podSpecOf,
  repositoryName,
  tryParseImageReference,
  type Workload,
} from '@fairlead/apimachinery';
import type { ApiClient, Clock } from '@fairlead/kube';
import { uniqueName } from '../names.ts';
import { nodesForPod } from '../node/nodes-for-pod.ts';
import { workloadTypes } from '../workload-types.ts';
import { decideGate, defaultGateSettings, type GateDecision, type GateSettings } from './gate-decision.ts';

/** On an Application: its rollouts wait for their images. */
export const gateAnnotation = 'fairlead.dev/prepull';
/** On a PrePullImage: the Application whose rollout waits for it. */
export const gateLabel = 'fairlead.dev/gate';
/** Pulls that a rollout waits for have a higher priority than those of policies. */
const gatePriority = 1000;

export interface RolloutGate {
  /**
   * Decides whether `application` may roll out `image` to the namespace now. The first call creates the PrePullImage for the nodes where
   * pods of the application can run; call it again until it is open.
   */
  check(request: GateRequest): Promise<GateDecision>;
}

export interface GateRequest {
  readonly application: string;
  readonly namespace: string;
  readonly image: string;
  /** Pods that will run the image. By default, those of workloads in the namespace that run another version of it now. */
  readonly pods?: readonly PodSpec[];
  readonly settings?: Partial<GateSettings>;
  readonly signal?: AbortSignal;
}

export function createRolloutGate(
  client: Pick<ApiClient, 'get' | 'list' | 'create'>,
  clock: Clock,
  onOpen: (savedSeconds: number) => void = () => {},
): RolloutGate {
  const opened = new Set<string>();
  return {
    async check(request) {
      const { namespace, application, image, signal } = request;
      const options = signal ? { signal } : {};
      const name = uniqueName(`gate-${application}`, namespace, application, image);
      const present = await find(client.get<PrePullImage>(prePullImageKind.type, { namespace, name }, options));
      if (!present || present.metadata.deletionTimestamp) return startPull(client, request, name);
      const decision = decideGate(present, { ...defaultGateSettings, ...request.settings }, clock.now());
      const uid = present.metadata.uid ?? '';
      if (decision.open && !opened.has(uid)) {
        opened.add(uid);
        if (decision.savedSeconds) onOpen(decision.savedSeconds);
      }
      return decision;
    },
  };
}

async function startPull(
  client: Pick<ApiClient, 'list' | 'create'>,
  request: GateRequest,
  name: string,
): Promise<GateDecision> {
  const { namespace, application, image, signal } = request;
  const options = signal ? { signal } : {};
  const pods = request.pods ?? (await podsWithImage(client, namespace, image, options));
  const { items: nodes } = await client.list<Node>(nodeType, options);
  const targets = [...new Set(pods.flatMap((pod) => nodesForPod(pod, nodes)).map(({ metadata }) => metadata.name))];
  if (targets.length === 0)
    return { open: true, reason: `no node can run pods of ${application}, so ${image} is not pre-pulled` };
  await client
    .create(prePullImageKind.type, gateImage(request, name, targets.sort(), pods), {
      ...options,
      fieldManager: 'fairlead-prepull',
    })
    .catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  return { open: false, reason: `${image} is being pulled on ${targets.length} nodes`, requeueAfter: 500 };
}

/** The pod specs of a namespace's workloads that run the same repository. */
async function podsWithImage(
  client: Pick<ApiClient, 'list'>,
  namespace: string,
  image: string,
  options: { readonly signal?: AbortSignal },
): Promise<PodSpec[]> {
  const repository = repositoryName(parseImageReference(image));
  const lists = await Promise.all(workloadTypes.map((type) => client.list<Workload>(type, { namespace, ...options })));
  const pods = lists.flatMap(({ items }) => items.map(podSpecOf));
  return pods.filter(({ containers = [], initContainers = [] }) =>
    [...containers, ...initContainers].some((container) => {
      const other = tryParseImageReference(container.image ?? '');
      return other !== undefined && repositoryName(other) === repository;
    }),
  );
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
