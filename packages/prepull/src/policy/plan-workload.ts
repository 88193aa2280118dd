import { type PrePullImage, type PrePullImageSpec, type PrePullPolicy, prePullImageKind } from '@fairlead/api';
import { apiVersionOf } from '@fairlead/apimachinery';
import { isHeld, parseImageName } from '../image-name.ts';
import { names, uniqueName } from '../names.ts';
import { imagesOn, targetNodes } from '../node/target-nodes.ts';
import { isReady, type Node, podSpecOf, type Workload } from '../objects.ts';

/** A node is new for this long: it gets the images of workloads that were settled before it came. */
const newNodeMs = 600_000;

export interface WorkloadPlan {
  readonly create: readonly PrePullImage[];
  /** PrePullImages that a change of the policy has made out of date. */
  readonly update: readonly PrePullImage[];
  /** PrePullImages for images that the workload has left before they were there. */
  readonly remove: readonly PrePullImage[];
  /** What to record as seen, when it is not recorded yet. */
  readonly record?: string;
}

/** The images of a workload by container, as Kwarm records them. */
export function imagesOf(workload: Workload): Record<string, string> {
  const { containers = [], initContainers = [] } = podSpecOf(workload);
  const entries = [
    ...containers.map(({ name, image }) => [name, image] as const),
    ...initContainers.map(({ name, image }) => [`init-${name}`, image] as const),
  ];
  return Object.fromEntries(entries.filter(([, image]) => image)) as Record<string, string>;
}

/** What a workload's images ask for now. `owned` are the PrePullImages that are its own. */
export function planWorkload(
  workload: Workload,
  policy: PrePullPolicy | undefined,
  owned: readonly PrePullImage[],
  nodes: readonly Node[],
  now: number,
): WorkloadPlan {
  const nothing = { create: [], update: [], remove: [] };
  if (!policy || workload.metadata.deletionTimestamp) return nothing;
  const images = imagesOf(workload);
  const recorded = workload.metadata.annotations?.[names.lastImages];
  const seen = new Set(Object.values(readRecord(recorded)));
  const record = JSON.stringify(Object.fromEntries(Object.entries(images).sort()));
  const wanted = [...new Set(Object.values(images))].map((image) => prePullImage(workload, policy, image));
  const existing = new Map(owned.map((image) => [image.metadata.name, image]));
  const create = wanted.filter(
    (image) =>
      !existing.has(image.metadata.name) && (!seen.has(image.spec!.image) || someNewNodeLacks(image, nodes, now)),
  );
  const update = wanted.flatMap((image) => {
    const present = existing.get(image.metadata.name);
    if (!present || present.metadata.deletionTimestamp || sameSpec(present.spec, image.spec)) return [];
    return [{ ...present, spec: image.spec! }];
  });
  const current = new Set(wanted.map(({ metadata }) => metadata.name));
  const remove = owned.filter(
    ({ metadata, status }) => !current.has(metadata.name) && !metadata.deletionTimestamp && !isOver(status?.phase),
  );
  return { create, update, remove, ...(recorded === record ? {} : { record }) };
}

const isOver = (phase: string | undefined): boolean => phase === 'Completed' || phase === 'Failed';

function readRecord(text: string | undefined): Record<string, string> {
  if (!text) return {};
  try {
    const record: unknown = JSON.parse(text);
    return typeof record === 'object' && record !== null && !Array.isArray(record)
      ? (record as Record<string, string>)
      : {};
  } catch {
    // Somebody wrote nonsense over it: all images count as new, and the record is written anew.
    return {};
  }
}

function someNewNodeLacks({ spec }: PrePullImage, nodes: readonly Node[], now: number): boolean {
  const fresh = nodes.filter(
    (node) => isReady(node) && now - Date.parse(node.metadata.creationTimestamp ?? '') < newNodeMs,
  );
  if (fresh.length === 0) return false;
  try {
    const name = parseImageName(spec!.image);
    return targetNodes(spec!, fresh).some((node) => !isHeld(imagesOn(node), name));
  } catch {
    return false;
  }
}

/** The server may have filled in defaults; what we ask for must be there as we ask. */
function sameSpec(present: PrePullImageSpec | undefined, wanted: PrePullImageSpec | undefined): boolean {
  const filled = (spec: PrePullImageSpec | undefined) =>
    prePullImageKind.withDefaults({
      apiVersion: '',
      kind: '',
      metadata: { name: '' },
      spec: { image: '', ...spec },
    } as PrePullImage);
  return JSON.stringify(sorted(filled(present))) === JSON.stringify(sorted(filled(wanted)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

/** The PrePullImage that a policy asks for: on the nodes that it selects, of those where the workload's pods can run. */
function prePullImage(workload: Workload, policy: PrePullPolicy, image: string): PrePullImage {
  const { spec = {} } = policy;
  const { namespace, name, uid } = workload.metadata;
  const pods = podSpecOf(workload);
  const inherited = spec.imagePullSecrets?.inherit === false ? [] : (pods.imagePullSecrets ?? []);
  const secrets = [...inherited, ...(spec.imagePullSecrets?.additional ?? [])].flatMap((secret) =>
    secret.name ? [secret.name] : [],
  );
  const labels = { ...spec.nodeSelector?.matchLabels, ...pods.nodeSelector };
  return {
    apiVersion: apiVersionOf(prePullImageKind.type),
    kind: 'PrePullImage',
    metadata: {
      name: uniqueName(name, workload.kind, namespace ?? '', name, uid ?? '', image),
      ...(namespace ? { namespace } : {}),
      labels: {
        'app.kubernetes.io/managed-by': 'fairlead',
        ...(policy.metadata.name.length <= 63 ? { [names.policy]: policy.metadata.name } : {}),
      },
      ownerReferences: [
        {
          apiVersion: workload.apiVersion,
          kind: workload.kind,
          name,
          uid: uid ?? '',
          controller: true,
          blockOwnerDeletion: false,
        },
      ],
    },
    spec: {
      image,
      ...(Object.keys(labels).length > 0 ? { nodes: { selector: { matchLabels: labels } } } : {}),
      ...(secrets.length > 0 ? { imagePullSecrets: [...new Set(secrets)].map((secret) => ({ name: secret })) } : {}),
      ...(spec.resources ? { resources: spec.resources } : {}),
      ...(spec.retry ? { retry: spec.retry } : {}),
      ...(spec.timeout ? { timeout: spec.timeout } : {}),
      ...(spec.completedTTL ? { completedTTL: spec.completedTTL } : {}),
      ...(spec.priority ? { priority: spec.priority } : {}),
    },
  };
}
