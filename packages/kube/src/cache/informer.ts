import type { KubeObject, ResourceType } from '@fairlead/apimachinery';
import type { ApiClient } from '../client/api-client.ts';
import { type Logger, silentLogger } from '../logger.ts';
import type { Change } from './changes.ts';
import { type IndexFunction, ObjectStore } from './object-store.ts';
import { Reflector, type ReflectorOptions, type ReflectorSink, type Selection } from './reflector.ts';

/**
 * The events for a consumer, in order. Replayed, the calls give exactly the objects of the informer. An object that was deleted and created
 * again with the same name (another uid) is reported as `onDelete` of the old one and `onAdd` of the new one, never as an update.
 */
export interface InformerHandler<T extends KubeObject = KubeObject> {
  /** `initial`: it existed before the handler was added, or before the informer had synced. */
  onAdd?(object: T, initial: boolean): void;
  onUpdate?(old: T, object: T): void;
  /** With the last known state. */
  onDelete?(object: T): void;
}

export interface InformerOptions<T extends KubeObject = KubeObject> extends ReflectorOptions {
  /** Transforms an object before it is stored; it may drop fields, but not its identity (name, namespace, uid, resourceVersion). */
  readonly transform?: (object: T) => T;
  readonly store?: ObjectStore<T>;
}

/**
 * A local copy of the objects of one kind on the server, shared by any number of consumers over one watch.
 *
 * - Objects are shared: never mutate one.
 * - A handler is called synchronously, once the copy has the change and before the next one; it should only enqueue a key. One that throws
 *   is logged, and the others are still called.
 * - A handler that is added late first receives all existing objects.
 */
export class Informer<T extends KubeObject = KubeObject> {
  readonly type: ResourceType;
  readonly #store: ObjectStore<T>;
  readonly #reflector: Reflector<T>;
  readonly #log: Logger;
  readonly #handlers = new Set<InformerHandler<T>>();
  readonly #onSynced: (() => void)[] = [];
  #synced = false;
  #running = false;

  constructor(
    client: Pick<ApiClient, 'list' | 'watch'>,
    type: ResourceType,
    selection: Selection = {},
    options: InformerOptions<T> = {},
  ) {
    this.type = type;
    this.#store = options.store ?? new ObjectStore<T>();
    this.#log = (options.log ?? silentLogger).with({ kind: type.kind });
    this.#reflector = new Reflector<T>(client, type, selection, this.#sink(options.transform), options);
  }

  /** Whether the initial list has been received completely. */
  get hasSynced(): boolean {
    return this.#synced;
  }

  get size(): number {
    return this.#store.size;
  }

  /** By `namespace/name`, or `name` alone for cluster-scoped kinds. */
  get(key: string): T | undefined {
    return this.#store.get(key);
  }

  list(): T[] {
    return [...this.#store.values()];
  }

  /** Adds an index: objects can be found by the values that the function returns. */
  addIndex(name: string, valuesOf: IndexFunction<T>): this {
    this.#store.addIndex(name, valuesOf);
    return this;
  }

  byIndex(name: string, value: string): T[] {
    return this.#store.byIndex(name, value);
  }

  /** Returns a function that removes the handler. */
  addHandler(handler: InformerHandler<T>): () => void {
    this.#handlers.add(handler);
    for (const object of this.list()) this.#call(() => handler.onAdd?.(object, true));
    return () => void this.#handlers.delete(handler);
  }

  waitForSync(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#synced) return resolve();
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => reject(signal?.reason);
      signal?.addEventListener('abort', stop, { once: true });
      this.#onSynced.push(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      });
    });
  }

  /** Lists and watches until the signal aborts. An informer runs once. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#running) throw new Error(`the informer of ${this.type.plural} runs already`);
    this.#running = true;
    await this.#reflector.run(signal);
  }

  #sink(transform: (object: T) => T = (object) => object): ReflectorSink<T> {
    return {
      keep: transform,
      replace: (objects) => {
        this.#notify(this.#store.changesOfAll(objects));
        if (this.#synced) return;
        this.#synced = true;
        for (const resolve of this.#onSynced.splice(0)) resolve();
      },
      seen: (object) => this.#notify(this.#store.changesOfSeen(transform(object))),
      gone: (object) => this.#notify(this.#store.changesOfGone(transform(object))),
    };
  }

  #notify(changes: readonly Change<T>[]): void {
    for (const change of changes) {
      // Before the store changes: a handler that another handler adds receives this change with the existing objects.
      const handlers = [...this.#handlers];
      this.#store.apply(change);
      for (const handler of handlers) {
        if (this.#handlers.has(handler)) this.#call(() => notify(handler, change, !this.#synced));
      }
    }
  }

  #call(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#log.error('a handler threw', { error });
    }
  }
}

function notify<T extends KubeObject>(handler: InformerHandler<T>, change: Change<T>, initial: boolean): void {
  if (change.type === 'added') handler.onAdd?.(change.object, initial);
  else if (change.type === 'updated') handler.onUpdate?.(change.old, change.object);
  else handler.onDelete?.(change.object);
}
