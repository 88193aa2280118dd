import { find, type KubeObject, type OwnerReference } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import { groupOf } from '../../keys.ts';
import type { ServedKind } from '../../parts.ts';
import type { Pod } from '../objects.ts';

interface Scaled extends KubeObject {
  spec?: { replicas?: number };
}

const controllerOf = ({ metadata }: KubeObject): OwnerReference | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller === true);

/** The total scale of the owners of these pods. Pods without an owner are returned instead. */
export async function desiredScale(
  client: ApiClient,
  kinds: readonly ServedKind[],
  pods: readonly Pod[],
): Promise<{ scale: number; unmanaged: string[] }> {
  const scales = new Map<string, number>();
  const known = new Set<string>();
  const unmanaged: string[] = [];
  for (const pod of pods) {
    const owner = controllerOf(pod);
    if (!owner) unmanaged.push(pod.metadata.name);
    else if (!known.has(owner.uid)) {
      known.add(owner.uid);
      const { uid, replicas } = await scaleOf(client, kinds, owner, pod);
      scales.set(uid, replicas);
    }
  }
  return { scale: [...scales.values()].reduce((sum, replicas) => sum + replicas, 0), unmanaged };
}

/** For a ReplicaSet of a Deployment, the Deployment counts. */
async function scaleOf(
  client: ApiClient,
  kinds: readonly ServedKind[],
  owner: OwnerReference,
  pod: Pod,
): Promise<{ uid: string; replicas: number }> {
  const { namespace = '' } = pod.metadata;
  const found = await findOwner(client, kinds, owner, namespace);
  if (!found) throw new Error(`found no controllers for pod ${JSON.stringify(pod.metadata.name)}`);
  const { kind, object } = found;
  const above = kind.kind === 'ReplicaSet' ? controllerOf(object) : undefined;
  if (above?.kind === 'Deployment') {
    const deployment = await findOwner(client, kinds, above, namespace);
    if (deployment) return { uid: above.uid, replicas: deployment.object.spec?.replicas ?? 1 };
  }
  if (!kind.scale) {
    const name = kind.group ? `${kind.plural}.${kind.group}` : kind.plural;
    throw new Error(`${name} does not implement the scale subresource`);
  }
  const scale = await client.get<Scaled>(kind, { namespace, name: owner.name }, { subresource: 'scale' });
  return { uid: owner.uid, replicas: scale.spec?.replicas ?? 0 };
}

async function findOwner(client: ApiClient, kinds: readonly ServedKind[], owner: OwnerReference, namespace: string) {
  const group = groupOf(owner.apiVersion);
  const kind = kinds.find((served) => served.group === group && served.kind === owner.kind);
  if (!kind) return undefined;
  const object = await find(client.get<Scaled>(kind, { namespace, name: owner.name }));
  return object?.metadata.uid === owner.uid ? { kind, object } : undefined;
}
