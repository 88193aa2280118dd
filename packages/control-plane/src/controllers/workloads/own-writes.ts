import type { ApiClient, Clock, Informer, InformerFactory, KubeObject, ResourceType } from '@fairlead/kube';
import { keyOf } from '@fairlead/kube';

/** The writes of an `ApiClient`. */
export type Writer = Pick<ApiClient, 'get' | 'create' | 'replace' | 'patch' | 'delete'>;

/** An informer that has lost its place reads everything anew within this time. */
const longestWaitMs = 10_000;

/**
 * A client whose writes are done when the informer of their kind has them, so that a reconcile that follows another never counts
 * on a cache from before it. That is what expectations are for elsewhere. It leans on revisions that grow, which those of the
 * embedded server do.
 */
export function readingOwnWrites(
  client: ApiClient,
  informers: InformerFactory,
  clock: Clock,
  types: readonly ResourceType[],
): Writer {
  const followed = new Map(types.map((type) => [nameOf(type), seenRevisions(informers.informer(type))]));

  const seen = (type: ResourceType, object: KubeObject): Promise<void> | undefined => {
    const sightings = followed.get(nameOf(type));
    const { resourceVersion, uid, deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata ?? {};
    if (!sightings || resourceVersion === undefined) return undefined;
    const gone = deletionTimestamp !== undefined && !deletionGracePeriodSeconds && !finalizers?.length;
    return gone
      ? sightings.until(clock, (informer) => informer.get(keyOf(object))?.metadata.uid !== uid)
      : sightings.until(clock, (_, revision) => revision >= Number(resourceVersion));
  };
  const after = async <T extends KubeObject>(type: ResourceType, write: Promise<T>): Promise<T> => {
    const object = await write;
    await seen(type, object);
    return object;
  };
  return {
    get: client.get.bind(client),
    create: (type, object, options) => after(type, client.create(type, object, options)),
    replace: (type, object, options) => after(type, client.replace(type, object, options)),
    patch: (type, key, patchType, body, options) => after(type, client.patch(type, key, patchType, body, options)),
    async delete(type, key, options) {
      const answer = await client.delete(type, key, options);
      if ('resourceVersion' in (answer.metadata ?? {})) await seen(type, answer as KubeObject);
      return answer;
    },
  };
}

const nameOf = (type: ResourceType): string => `${type.group}/${type.plural}`;

type Holds = (informer: Informer, revision: number) => boolean;

interface Sightings {
  until(clock: Clock, holds: Holds): Promise<void> | undefined;
}

const known = new WeakMap<Informer, Sightings>();

/** One watch an informer, however many clients look at it. */
function seenRevisions(informer: Informer): Sightings {
  const before = known.get(informer);
  if (before) return before;
  let revision = 0;
  const waiting = new Set<{ holds: Holds; resolve: () => void }>();
  const note = (object: KubeObject) => {
    revision = Math.max(revision, Number(object.metadata.resourceVersion));
    for (const each of waiting) if (each.holds(informer, revision)) each.resolve();
  };
  informer.addHandler({ onAdd: note, onUpdate: (_, object) => note(object), onDelete: note });
  const sightings: Sightings = {
    until(clock, holds) {
      if (holds(informer, revision)) return undefined;
      return new Promise((resolve) => {
        const entry = {
          holds,
          resolve: () => {
            waiting.delete(entry);
            cancel();
            resolve();
          },
        };
        const cancel = clock.after(longestWaitMs, entry.resolve);
        waiting.add(entry);
      });
    },
  };
  known.set(informer, sightings);
  return sightings;
}
