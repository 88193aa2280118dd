import { apiError, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import type { ApiClient, ListOptions, ObjectList, WatchEvent, WatchOptions } from '@fairlead/kube';
import { type FaultProfile, noFaults } from './fault-profile.ts';
import { matcher } from './selector.ts';
import { storeUnavailable, throttled } from './server-errors.ts';
import { SimClient } from './sim-client.ts';
import type { SimProcess } from './sim-process.ts';
import { type SimBackup, SimStore } from './sim-store.ts';
import { SimWatch } from './sim-watch.ts';
import type { Simulation } from './simulation.ts';

/** The result of an admission rule for a write: nothing, or the error. */
export type Refusal = (type: ResourceType, object: KubeObject) => Error | undefined;

/**
 * An API server with faults drawn from its seed: see `FaultProfile`. `store` is its true state. Unsupported requests (strategic merge and
 * apply patches) are refused with 415.
 */
export class SimApiServer {
  readonly store: SimStore;
  readonly #sim: Simulation;
  readonly #faults: FaultProfile;
  /** Whether it can stream initial lists; half of all seeds simulate an older server. */
  readonly #streams: boolean;
  readonly #watches = new Set<SimWatch>();
  readonly #refusals = new Set<Refusal>();
  #healed = false;
  #cancelCompaction = () => {};

  constructor(sim: Simulation, faults: FaultProfile = noFaults, options: { readonly streams?: boolean } = {}) {
    this.#sim = sim;
    this.#faults = faults;
    this.#streams = options.streams ?? sim.chance(0.5);
    this.store = new SimStore({ uid: () => sim.uid(), now: () => sim.clock.now() });
    this.#armCompaction();
  }

  get faults(): FaultProfile {
    return this.#healed ? noFaults : this.#faults;
  }

  /** From now on it has no faults. Silent streams stay silent. */
  heal(): void {
    this.#sim.trace('the API server heals');
    this.#healed = true;
    this.#cancelCompaction();
  }

  client(process: SimProcess): ApiClient {
    return new SimClient(this.#sim, this, process);
  }

  /** Writes of clients are refused by the rule, until the returned function is called. */
  refuse(rule: Refusal): () => void {
    this.#refusals.add(rule);
    return () => this.#refusals.delete(rule);
  }

  admit(type: ResourceType, object: KubeObject): void {
    for (const rule of this.#refusals) {
      const error = rule(type, object);
      if (error) throw error;
    }
  }

  /** The server is restored to an earlier state: every stream breaks. */
  restore(backup: SimBackup): void {
    this.#sim.trace('the API server is restored from a backup');
    this.store.restore(backup);
    for (const stream of [...this.#watches]) stream.pipe.fail(new Error('socket hang up'));
    this.#watches.clear();
  }

  list(type: ResourceType, options: ListOptions): ObjectList {
    const { limit, continue: token } = options;
    const [at, after = ''] = token ? token.split('|') : [];
    const revision = at === undefined ? this.#listRevision() : Number(at);
    const gone = at !== undefined && (revision < this.store.compacted || this.#sim.chance(this.faults.expired));
    if (gone) throw apiError(410, 'Expired', 'The provided continue parameter is too old');
    const match = matcher(options);
    const objects = this.store.listAt(type, revision).filter(match);
    const start = token ? objects.findIndex((object) => listKey(object) > after) : 0;
    const rest = start < 0 ? [] : objects.slice(start);
    const items = limit ? rest.slice(0, limit) : rest;
    const more = items.length < rest.length;
    return {
      items,
      resourceVersion: String(revision),
      ...(more
        ? { continue: `${revision}|${listKey(items.at(-1)!)}`, remainingItemCount: rest.length - items.length }
        : {}),
    };
  }

  watch(process: SimProcess, type: ResourceType, options: WatchOptions): AsyncIterable<WatchEvent> {
    const stream = new SimWatch(this.#sim, this.store, process, type, options);
    this.#watches.add(stream);
    const label = `${process.name} watches ${type.plural} from ${options.resourceVersion ?? 'a list'}`;
    const cancel = this.#sim.schedule(this.#sim.between(0, 50), label, () => {
      const refusal = this.#refuseWatch(options);
      if (refusal) process.after(0, () => stream.pipe.fail(refusal));
      else stream.start(this.faults);
    });
    options.signal?.addEventListener('abort', cancel, { once: true });
    return stream.pipe;
  }

  #refuseWatch(options: WatchOptions): Error | undefined {
    const { faults } = this;
    if (options.sendInitialEvents && !this.#streams) {
      return apiError(
        422,
        'Invalid',
        'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
      );
    }
    if (this.#sim.chance(faults.serverError)) return storeUnavailable();
    if (this.#sim.chance(faults.throttled)) return throttled(this.#sim);
    if (this.#sim.chance(faults.requestLost)) return new Error('connect ETIMEDOUT');
    if (options.resourceVersion && this.#sim.chance(faults.expired))
      return apiError(410, 'Expired', 'too old resource version');
    return undefined;
  }

  #listRevision(): number {
    const { revision, compacted } = this.store;
    return this.#sim.chance(this.faults.staleList) ? this.#sim.between(Math.max(compacted, 1), revision) : revision;
  }

  #armCompaction(): void {
    if (this.#faults.compaction === 0) return;
    this.#cancelCompaction = this.#sim.clock.after(10_000, () => {
      if (this.#sim.chance(this.faults.compaction)) {
        this.#sim.trace(`history up to ${this.store.revision} is forgotten`);
        this.store.compact();
      }
      this.#armCompaction();
    });
  }
}

/** As in the list order of `SimStore`. */
const listKey = ({ metadata }: KubeObject): string =>
  metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name;
