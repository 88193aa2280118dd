import { isDeepStrictEqual } from 'node:util';
import { type PrePullImage, type PrePullImageSpec, type PrePullPolicy, prePullImageKind } from '@fairlead/api';
import {
  apiVersionOf,
  isJsonObject,
  type Node,
  parseTime,
  podSpecOf,
  tryParseImageReference,
  type Workload,
} from '@fairlead/apimachinery';
import { names, uniqueName } from '../names.ts';
import { imagesOn, isPresent } from '../node/node-images.ts';
import { targetNodes } from '../node/target-nodes.ts';
import { isReady } from '../workload-types.ts';

/** A node counts as new for this long: it gets the images of workloads that have not changed since before it joined. */
const newNodeMs = 600_000;

export interface WorkloadPlan {
  readonly create: readonly PrePullImage[];
  /** PrePullImages that differ from the current policy. */
  readonly update: readonly PrePullImage[];
  /** PrePullImages of images that the workload stopped using before they were pulled. */
  readonly remove: readonly PrePullImage[];
  /** The new value of the last-images annotation, if it changes. */
  readonly record?: string;
}

/** The images of a workload by container, as in Kwarm's last-images annotation. */
export function imagesOf(workload: Workload): Record<string, string> {
  const { containers = [], initContainers = [] } = podSpecOf(workload);
  const entries = (prefix: string, list: typeof containers): [string, string][] =>
    list.flatMap(({ name, image }) => (image ? [[`${prefix}${name}`, image]] : []));
  return Object.fromEntries([...entries('', containers), ...entries('init-', initContainers)]);
}

/** The changes to PrePullImages that a workload needs now. `owned` are the PrePullImages that it owns. */
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
  const desired = [...new Set(Object.values(images))].map((image) => prePullImage(workload, policy, image));
  const existing = new Map(owned.map((image) => [image.metadata.name, image]));
  const create = desired.filter(
    ({ metadata, spec }) =>
      !existing.has(metadata.name) && (!seen.has(spec.image) || isMissingOnNewNode(spec, nodes, now)),
  );
  const update = desired.flatMap((image) => {
    const present = existing.get(image.metadata.name);
    if (!present || present.metadata.deletionTimestamp || sameSpec(present.spec, image.spec)) return [];
    return [{ ...present, spec: image.spec }];
  });
  const current = new Set(desired.map(({ metadata }) => metadata.name));
  const remove = owned.filter(
    ({ metadata, status }) => !current.has(metadata.name) && !metadata.deletionTimestamp && !isOver(status?.phase),
  );
  return { create, update, remove, ...(recorded === record ? {} : { record }) };
}

const isOver = (phase: string | undefined): boolean => phase === 'Completed' || phase === 'Failed';

function readRecord(text: string | undefined): object {
  if (!text) return {};
  try {
    const record: unknown = JSON.parse(text);
    return isJsonObject(record) ? record : {};
  } catch {
    // An annotation that is not JSON counts as empty: all images are new, and it is overwritten.
    return {};
  }
}

function isMissingOnNewNode(spec: PrePullImageSpec, nodes: readonly Node[], now: number): boolean {
  const joined = nodes.filter(
    (node) => isReady(node) && now - (parseTime(node.metadata.creationTimestamp) ?? -Infinity) < newNodeMs,
  );
  if (joined.length === 0) return false;
  const image = tryParseImageReference(spec.image);
  return image !== undefined && targetNodes(spec, joined).some((node) => !isPresent(imagesOn(node), image));
}

/** Compares with defaults applied, because the server fills them in. */
function sameSpec(present: PrePullImageSpec | undefined, desired: PrePullImageSpec): boolean {
  const withDefaults = (spec: PrePullImageSpec): PrePullImage =>
    prePullImageKind.withDefaults({ apiVersion: '', kind: '', metadata: { name: '' }, spec });
  return isDeepStrictEqual(withDefaults({ image: '', ...present }), withDefaults(desired));
}

/** The PrePullImage for an image of a workload: on the nodes that match the selectors of both the policy and the pod. */
function prePullImage(
  workload: Workload,
  policy: PrePullPolicy,
  image: string,
): PrePullImage & { spec: PrePullImageSpec } {
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
