import { ApiError, find, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import type { Writer } from './own-writes.ts';
import { controllerOf, controllerReference } from './owners.ts';

export type Claim = 'own' | 'adopt' | 'release' | 'leave';

/** What an owner does with an object that may belong to it. */
export function planClaim(owner: KubeObject, object: KubeObject, matches: boolean): Claim {
  const controller = controllerOf(object);
  const going = owner.metadata.deletionTimestamp !== undefined;
  if (controller) {
    if (controller.uid !== owner.metadata.uid) return 'leave';
    if (matches) return 'own';
    return going ? 'leave' : 'release';
  }
  return going || !matches || object.metadata.deletionTimestamp !== undefined ? 'leave' : 'adopt';
}

export interface Claimant {
  readonly client: Writer;
  readonly ownerType: ResourceType;
  readonly owner: KubeObject;
  readonly type: ResourceType;
  /** Set on adopted objects, and removed from released ones. */
  readonly finalizer?: string;
}

/** Adopts matching objects without a controller, releases those that no longer match, and returns the objects of the owner. */
export async function claimAll<T extends KubeObject>(
  claimant: Claimant,
  objects: readonly T[],
  matches: (object: T) => boolean,
): Promise<T[]> {
  const claimed: T[] = [];
  let mayAdopt: boolean | undefined;
  for (const object of objects) {
    const claim = planClaim(claimant.owner, object, matches(object));
    if (claim === 'own') claimed.push(object);
    if (claim === 'release') await release(claimant, object);
    if (claim !== 'adopt') continue;
    mayAdopt ??= await stillExists(claimant);
    const adopted = mayAdopt ? await adopt(claimant, object) : undefined;
    if (adopted) claimed.push(adopted);
  }
  return claimed;
}

/** An owner that has been deleted since it was cached must not adopt anything. */
async function stillExists({ client, ownerType, owner }: Claimant): Promise<boolean> {
  const found = await find(client.get(ownerType, owner.metadata));
  return found?.metadata.uid === owner.metadata.uid && found?.metadata.deletionTimestamp === undefined;
}

function adopt<T extends KubeObject>(claimant: Claimant, object: T): Promise<T | undefined> {
  const ownerReferences = [controllerReference(claimant.ownerType, claimant.owner)];
  const finalizers = claimant.finalizer ? { finalizers: [claimant.finalizer] } : {};
  return patch(claimant, object, { metadata: { uid: object.metadata.uid, ownerReferences, ...finalizers } });
}

async function release(claimant: Claimant, object: KubeObject): Promise<void> {
  const ownerReferences = [{ $patch: 'delete', uid: claimant.owner.metadata.uid }];
  const finalizers = claimant.finalizer ? { '$deleteFromPrimitiveList/finalizers': [claimant.finalizer] } : {};
  try {
    await patch(claimant, object, { metadata: { uid: object.metadata.uid, ownerReferences, ...finalizers } });
  } catch (error) {
    // It was already released, or replaced by another of the same name.
    if (!(error instanceof ApiError) || error.reason !== 'Invalid') throw error;
  }
}

/** Undefined if the object is deleted. */
const patch = <T extends KubeObject>({ client, type }: Claimant, object: T, body: object): Promise<T | undefined> =>
  find(client.patch<T>(type, object.metadata, 'strategic', body));
