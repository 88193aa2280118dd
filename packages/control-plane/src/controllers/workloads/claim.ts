import { ApiError, find, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import type { Writer } from './own-writes.ts';
import { controllerOf, controllerReference } from './owners.ts';

export type Claim = 'own' | 'adopt' | 'release' | 'leave';

/** What an owner does about an object that may be its own. */
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
  /** Put on what is adopted, and taken from what is released. */
  readonly finalizer?: string;
}

/** Adopts what matches and has no controller, releases what no longer matches, and returns what the owner now has. */
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

/** An owner that has been deleted since it was cached must not take anything with it. */
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
    // It was released already, or another has taken its name.
    if (!(error instanceof ApiError) || error.reason !== 'Invalid') throw error;
  }
}

/** Undefined when the object is gone. */
const patch = <T extends KubeObject>({ client, type }: Claimant, object: T, body: object): Promise<T | undefined> =>
  find(client.patch<T>(type, object.metadata, 'strategic', body));
