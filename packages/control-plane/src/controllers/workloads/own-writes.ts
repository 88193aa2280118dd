import { type KubeObject, keyOf, type ResourceType } from '@fairlead/apimachinery';
import { type ApiClient, type Clock, Heap, type Informer, type InformerFactory, onAbort } from '@fairlead/kube';
import type { Runnable } from '../parts.ts';

/** The writes of an `ApiClient`, and the read that some of them need. */
export type Writer = Pick<ApiClient, 'get' | 'create' | 'replace' | 'patch' | 'delete'>;

export interface WaitingWriter extends Writer {
  /** Runs a controller; when it stops, none of its writes waits any longer. */
  serve(controller: Runnable): Runnable;
}

/**
 * A client whose writes resolve when the informer of their kind has them, so that the next reconcile never uses a stale cache. It replaces
 * the expectations of kube-controller-manager. It depends on increasing revisions, which the embedded server has.
 */
export function readingOwnWrites(
  client: ApiClient,
  informers: InformerFactory,
  clock: Clock,
  types: readonly ResourceType[],
): WaitingWriter {
  const waits = new Waits(clock);
  const followed = new Map(types.map((type) => [nameOf(type), receivedBy(informers.informer(type))]));

  const seen = (type: ResourceType, object: KubeObject): Promise<void> | undefined => {
    const received = followed.get(nameOf(type));
    const { resourceVersion, deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata;
    if (!received || resourceVersion === undefined) return undefined;
    // The response to the write that removes the last finalizer shows the object before it.
    const goes = deletionTimestamp !== undefined && !deletionGracePeriodSeconds && !finalizers?.length;
    return goes ? received.untilGone(object, waits) : received.untilRevision(Number(resourceVersion), waits);
  };
  const after = async <T extends KubeObject>(type: ResourceType, write: Promise<T>): Promise<T> => {
    const object = await write;
    await seen(type, object);
    return object;
  };
  return {
    get: (type, key, options) => client.get(type, key, options),
    create: (type, object, options) => after(type, client.create(type, object, options)),
    replace: (type, object, options) => after(type, client.replace(type, object, options)),
    patch: (type, key, patchType, body, options) => after(type, client.patch(type, key, patchType, body, options)),
    async delete(type, key, options) {
      const answer = await client.delete(type, key, options);
      if (answer.kind !== 'Status') await seen(type, answer as KubeObject);
      return answer;
    },
    serve: (controller) => ({
      run(signal) {
        onAbort(signal, () => waits.end());
        return controller.run(signal);
      },
    }),
  };
}

const nameOf = (type: ResourceType): string => `${type.group}/${type.plural}`;

/** An informer whose watch has expired lists everything again within this time. */
const longestWaitMs = 10_000;

interface Waiter {
  readonly revision: number;
  readonly resolve: () => void;
}

/** The revisions that an informer has received, and the waiting callers. */
class ReceivedRevisions {
  readonly #informer: Informer;
  readonly #byRevision = new Heap<Waiter>((a, b) => a.revision < b.revision);
  readonly #byKey = new Map<string, (() => void)[]>();
  #revision = 0;

  constructor(informer: Informer) {
    this.#informer = informer;
    const note = (object: KubeObject) => this.#note(object);
    informer.addHandler({ onAdd: note, onUpdate: (_, object) => note(object), onDelete: note });
  }

  untilRevision(revision: number, waits: Waits): Promise<void> | undefined {
    if (this.#revision >= revision) return undefined;
    return waits.until((resolve) => this.#byRevision.push({ revision, resolve }));
  }

  untilGone(object: KubeObject, waits: Waits): Promise<void> | undefined {
    const key = keyOf(object);
    if (this.#informer.get(key)?.metadata.uid !== object.metadata.uid) return undefined;
    return waits.until((resolve) => {
      const waiting = this.#byKey.get(key);
      if (waiting) waiting.push(resolve);
      else this.#byKey.set(key, [resolve]);
    });
  }

  #note(object: KubeObject): void {
    this.#revision = Math.max(this.#revision, Number(object.metadata.resourceVersion));
    for (let next = this.#byRevision.peek(); next && next.revision <= this.#revision; next = this.#byRevision.peek()) {
      this.#byRevision.pop();
      next.resolve();
    }
    const key = keyOf(object);
    if (this.#byKey.size === 0 || this.#informer.get(key)?.metadata.uid === object.metadata.uid) return;
    for (const resolve of this.#byKey.get(key) ?? []) resolve();
    this.#byKey.delete(key);
  }
}

/** Waits of one client, which end early when it stops. */
class Waits {
  readonly #clock: Clock;
  readonly #open = new Set<() => void>();
  #ended = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  until(wait: (resolve: () => void) => void): Promise<void> | undefined {
    if (this.#ended) return undefined;
    return new Promise((resolve) => {
      const end = () => {
        this.#open.delete(end);
        cancel();
        resolve();
      };
      const cancel = this.#clock.after(longestWaitMs, end);
      this.#open.add(end);
      wait(end);
    });
  }

  end(): void {
    this.#ended = true;
    for (const end of this.#open) end();
  }
}

const known = new WeakMap<Informer, ReceivedRevisions>();

/** One for each informer, shared by all clients. */
function receivedBy(informer: Informer): ReceivedRevisions {
  let received = known.get(informer);
  if (!received) {
    received = new ReceivedRevisions(informer);
    known.set(informer, received);
  }
  return received;
}
