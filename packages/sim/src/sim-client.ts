import {
  apiError,
  applyJsonPatch,
  applyMergePatch,
  applyStrategicPatch,
  isKubeObject,
  isObject,
  type Json,
  type JsonObject,
  type KubeObject,
  type ObjectKey,
  type ResourceType,
  type Status,
  schemaOf,
  toJson,
} from '@fairlead/apimachinery';
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
import { matcher } from './selector.ts';
import { storeUnavailable, throttled } from './server-errors.ts';
import type { SimApiServer } from './sim-api-server.ts';
import type { SimProcess } from './sim-process.ts';
import type { Simulation } from './simulation.ts';

/** The timeout of a caller without a response. */
const timeoutMs = 30_000;

type Reply<R> = { readonly after: number } & ({ readonly result: R } | { readonly error: unknown });

/**
 * The connection from one process to the server. Each request and each response has a delay drawn from the seed, and may be lost; the
 * request is executed, or not, in between.
 */
export class SimClient implements ApiClient {
  readonly #sim: Simulation;
  readonly #server: SimApiServer;
  readonly #process: SimProcess;

  constructor(sim: Simulation, server: SimApiServer, process: SimProcess) {
    this.#sim = sim;
    this.#server = server;
    this.#process = process;
  }

  get<T extends KubeObject>(type: ResourceType, key: ObjectKey, options: ReadOptions = {}): Promise<T> {
    return this.#call(`get ${type.plural} ${key.name}`, options.signal, () => this.#server.store.get<T>(type, key));
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
      return store.create(type, body, options);
    });
  }

  replace<T extends KubeObject>(type: ResourceType, object: T, options: WriteOptions = {}): Promise<T> {
    const body = structuredClone(object);
    return this.#call(`replace ${type.plural} ${object.metadata.name}`, options.signal, () => {
      this.#conflictMaybe(type, body);
      this.#server.admit(type, body);
      return this.#server.store.replace(type, body, options);
    });
  }

  patch<T extends KubeObject>(
    type: ResourceType,
    key: ObjectKey,
    patchType: PatchType,
    body: unknown,
    options: PatchOptions = {},
  ): Promise<T> {
    const patch = toJson(body);
    return this.#call(`patch ${type.plural} ${key.name}`, options.signal, () => {
      const applyPatch = patchOf(type, patchType);
      const object = this.#server.store.get(type, key);
      this.#conflictMaybe(type, object);
      const patched = applyPatch(toJsonObject(object), patch);
      if (!isPatched<T>(patched)) throw apiError(422, 'Invalid', 'the patched value is not an object');
      return this.#server.store.replace<T>(type, patched, options);
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
    if (!this.#sim.chance(this.#server.faults.conflict)) return;
    throw apiError(409, 'Conflict', `Operation cannot be fulfilled on ${type.plural} "${object.metadata.name}"`);
  }

  #call<R>(label: string, signal: AbortSignal | undefined, run: () => R): Promise<R> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (!this.#process.step(label)) return;
      const abort = () => reject(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      this.#sim.schedule(this.#travelTime(), `${this.#process.name} ${label}`, () => {
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
    if (this.#sim.chance(faults.requestLost)) return lost();
    if (this.#sim.chance(faults.throttled)) return { after, error: throttled(this.#sim) };
    if (this.#sim.chance(faults.serverError)) return { after, error: storeUnavailable() };
    try {
      const result = run();
      return this.#sim.chance(faults.answerLost) ? lost() : { after, result };
    } catch (error) {
      return { after, error };
    }
  }

  #travelTime(): number {
    return this.#sim.chance(this.#server.faults.slow) ? this.#sim.between(500, 20_000) : this.#sim.between(0, 30);
  }
}

const lost = () => ({ after: timeoutMs, error: new Error('request timed out') });

/** Objects in the store are JSON except for undefined fields, which a write may leave in them. */
const toJsonObject = (object: KubeObject): JsonObject => {
  const json = toJson(object);
  if (!isObject(json)) throw new TypeError('an object is not JSON');
  return json;
};

/** A patched object keeps its kind, as far as the store checks. */
const isPatched = <T extends KubeObject>(value: unknown): value is T => isKubeObject(value);

/** As on a real server, only built-in kinds take a strategic merge patch. */
function patchOf(
  { group, version, kind }: ResourceType,
  patchType: PatchType,
): (document: JsonObject, patch: Json) => Json {
  if (patchType === 'merge') return applyMergePatch;
  if (patchType === 'json') return applyJsonPatch;
  const schema = patchType === 'strategic' ? schemaOf(group, version, kind) : undefined;
  if (schema?.type !== 'object')
    throw apiError(415, 'UnsupportedMediaType', `the simulated server has no ${patchType} patch`);
  return (document, patch) => applyStrategicPatch(document, patch, schema);
}
