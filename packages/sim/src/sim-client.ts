import { apiError, type KubeObject, type ObjectKey, type ResourceType, type Status } from '@fairlead/apimachinery';
import type {
  ApiClient,
  DeleteOptions,
  ListOptions,
  ObjectList,
  PatchOptions,
  PatchType,
  ReadOptions,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from '@fairlead/kube';
import { type JsonPatchStep, jsonPatch } from './json-patch.ts';
import { mergePatch } from './merge-patch.ts';
import { matcher } from './selector.ts';
import { type SimApiServer, storeAway, throttled } from './sim-api-server.ts';
import type { SimProcess } from './sim-process.ts';
import type { World } from './world.ts';

/** After this long a caller that has heard nothing is told so. */
const timeoutMs = 30_000;

type Reply<R> = { readonly after: number } & ({ readonly result: R } | { readonly error: unknown });

/**
 * The way from one process to the server and back. Each request and each answer travels for a time that the seed draws, and may be
 * lost; what is asked is done, or not, in between.
 */
export class SimClient implements ApiClient {
  readonly #world: World;
  readonly #server: SimApiServer;
  readonly #process: SimProcess;

  constructor(world: World, server: SimApiServer, process: SimProcess) {
    this.#world = world;
    this.#server = server;
    this.#process = process;
  }

  get<T extends KubeObject>(type: ResourceType, key: ObjectKey, options: ReadOptions = {}): Promise<T> {
    return this.#call(`get ${type.plural} ${key.name}`, options.signal, () => this.#server.store.get(type, key) as T);
  }

  list<T extends KubeObject>(type: ResourceType, options: ListOptions = {}): Promise<ObjectList<T>> {
    return this.#call(`list ${type.plural}`, options.signal, () => this.#server.list(type, options) as ObjectList<T>);
  }

  watch<T extends KubeObject>(type: ResourceType, options: WatchOptions = {}): AsyncIterable<WatchEvent<T>> {
    return this.#server.watch(this.#process, type, options) as AsyncIterable<WatchEvent<T>>;
  }

  create<T extends KubeObject>(type: ResourceType, object: T, options: WriteOptions = {}): Promise<T> {
    const { store } = this.#server;
    const body = structuredClone(object);
    return this.#call(`create ${type.plural} ${object.metadata.name}`, options.signal, () => {
      this.#server.admit(type, body);
      return store.create(type, body, options) as T;
    });
  }

  replace<T extends KubeObject>(type: ResourceType, object: T, options: WriteOptions = {}): Promise<T> {
    const body = structuredClone(object);
    return this.#call(`replace ${type.plural} ${object.metadata.name}`, options.signal, () => {
      this.#conflictMaybe(type, body);
      this.#server.admit(type, body);
      return this.#server.store.replace(type, body, options) as T;
    });
  }

  patch<T extends KubeObject>(
    type: ResourceType,
    key: ObjectKey,
    patchType: PatchType,
    body: unknown,
    options: PatchOptions = {},
  ): Promise<T> {
    const patch = structuredClone(body);
    return this.#call(`patch ${type.plural} ${key.name}`, options.signal, () => {
      if (patchType !== 'merge' && patchType !== 'json')
        throw apiError(415, 'UnsupportedMediaType', `the simulated server has no ${patchType} patch`);
      const object = this.#server.store.get(type, key);
      this.#conflictMaybe(type, object);
      const patched =
        patchType === 'merge' ? mergePatch(object, patch) : jsonPatch(object, patch as readonly JsonPatchStep[]);
      if (typeof patched === 'string') throw apiError(422, 'Invalid', `the server rejected the patch: ${patched}`);
      return this.#server.store.replace(type, patched as KubeObject, options) as T;
    });
  }

  delete(type: ResourceType, key: ObjectKey, options: DeleteOptions = {}): Promise<KubeObject | Status> {
    return this.#call(`delete ${type.plural} ${key.name}`, options.signal, () =>
      this.#server.store.delete(type, key, options),
    );
  }

  deleteCollection(type: ResourceType, options: ListOptions & DeleteOptions = {}): Promise<void> {
    return this.#call(`deleteCollection ${type.plural}`, options.signal, () => {
      for (const object of this.#server.store.list(type).filter(matcher(options))) {
        this.#server.store.delete(type, object.metadata, options.dryRun ? { dryRun: true } : {});
      }
    });
  }

  #conflictMaybe(type: ResourceType, object: KubeObject): void {
    if (!this.#world.chance(this.#server.faults.conflict)) return;
    throw apiError(409, 'Conflict', `Operation cannot be fulfilled on ${type.plural} "${object.metadata.name}"`);
  }

  #call<R>(label: string, signal: AbortSignal | undefined, run: () => R): Promise<R> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (!this.#process.step(label)) return;
      const abort = () => reject(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      this.#world.schedule(this.#travelTime(), `${this.#process.name} ${label}`, () => {
        const reply = this.#carryOut(run);
        this.#process.after(reply.after, () => {
          signal?.removeEventListener('abort', abort);
          if (!this.#process.step(`answer to ${label}`)) return;
          if ('error' in reply) reject(reply.error);
          else resolve(reply.result);
        });
      });
    });
  }

  #carryOut<R>(run: () => R): Reply<R> {
    const { faults } = this.#server;
    const after = this.#travelTime();
    if (this.#world.chance(faults.requestLost)) return lost();
    if (this.#world.chance(faults.throttled)) return { after, error: throttled(this.#world) };
    if (this.#world.chance(faults.serverError)) return { after, error: storeAway() };
    try {
      const result = run();
      return this.#world.chance(faults.answerLost) ? lost() : { after, result };
    } catch (error) {
      return { after, error };
    }
  }

  #travelTime(): number {
    return this.#world.chance(this.#server.faults.slow) ? this.#world.between(500, 20_000) : this.#world.between(0, 30);
  }
}

const lost = () => ({ after: timeoutMs, error: new Error('request timed out') });
