import { apiError, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import type { WatchEvent, WatchOptions } from '@fairlead/kube';
import { EventPipe } from './event-pipe.ts';
import type { FaultProfile } from './fault-profile.ts';
import { type Match, matcher } from './selector.ts';
import type { SimProcess } from './sim-process.ts';
import { resourceOf, type SimEvent, type SimStore } from './sim-store.ts';
import type { Simulation } from './simulation.ts';

const bookmarkMs = 60_000;
const expired = () => apiError(410, 'Expired', 'too old resource version');

/**
 * One watch stream. Events are sent in order, with delays drawn from the seed, one by one or in batches: a stream may be seconds late, and
 * catches up. How it ends is drawn when it opens: broken, ended, silent, or an ERROR event, after a random time.
 */
export class SimWatch {
  readonly pipe: EventPipe<WatchEvent>;
  readonly #sim: Simulation;
  readonly #store: SimStore;
  readonly #process: SimProcess;
  readonly #type: ResourceType;
  readonly #options: WatchOptions;
  readonly #match: Match;
  readonly #onClose: (() => void)[] = [];
  /** Events to send, oldest first. A stream has its own: compaction affects only later watches. */
  #outbox: WatchEvent[] = [];
  #travelling = false;
  #cancelTravel = () => {};
  #silent = false;
  #closed = false;

  constructor(sim: Simulation, store: SimStore, process: SimProcess, type: ResourceType, options: WatchOptions) {
    this.#sim = sim;
    this.#store = store;
    this.#process = process;
    this.#type = type;
    this.#options = options;
    this.#match = matcher(options);
    this.pipe = new EventPipe(() => this.#close());
    const { signal } = options;
    const abort = () => this.pipe.end();
    signal?.addEventListener('abort', abort, { once: true });
    this.#onClose.push(() => signal?.removeEventListener('abort', abort));
    if (signal?.aborted) abort();
  }

  /** The server accepts the stream. */
  start(faults: FaultProfile): void {
    if (this.#closed) return;
    const { resourceVersion: from, sendInitialEvents, timeoutSeconds = 300 } = this.#options;
    if (sendInitialEvents || !from || from === '0') this.#sendList(sendInitialEvents === true);
    else if (Number(from) < this.#store.compacted) {
      this.#send({ type: 'ERROR', object: expired().status });
      return;
    } else if (Number(from) > this.#store.revision) {
      this.#arrive(() => this.pipe.fail(apiError(504, 'Timeout', `Too large resource version: ${from}`)));
      return;
    } else for (const event of this.#store.since(Number(from), this.#type)) this.#sendChange(event);
    this.#onClose.push(this.#store.onEvent((event) => this.#sendChange(event)));
    this.#onClose.push(this.#sim.clock.after(timeoutSeconds * 1000, () => this.#finish()));
    this.#armBookmark();
    this.#armEndings(faults);
  }

  #sendList(marked: boolean): void {
    for (const object of this.#store.list(this.#type)) if (this.#match(object)) this.#send({ type: 'ADDED', object });
    if (marked) this.#send(bookmark(this.#store.revision, { 'k8s.io/initial-events-end': 'true' }));
  }

  /** An object that leaves the selection is deleted for its watchers, one that enters is added. */
  #sendChange(event: SimEvent): void {
    if (event.resource !== resourceOf(this.#type)) return;
    const before = event.previous !== undefined && this.#match(event.previous);
    const after = event.type !== 'DELETED' && this.#match(event.object);
    if (after) this.#send({ type: before ? 'MODIFIED' : 'ADDED', object: event.object });
    else if (before) this.#send({ type: 'DELETED', object: lastSeen(event) });
  }

  #armBookmark(): void {
    if (!this.#options.allowWatchBookmarks) return;
    const cancel = this.#sim.clock.after(bookmarkMs, () => {
      this.#send(bookmark(this.#store.revision));
      this.#armBookmark();
    });
    this.#onClose.push(cancel);
  }

  #armEndings(faults: FaultProfile): void {
    const endings: [string, number, () => void][] = [
      ['cut', faults.watchCut, () => this.#arrive(() => this.pipe.fail(new Error('socket hang up')))],
      ['end', faults.watchEnd, () => this.#finish()],
      ['stall', faults.watchStall, () => (this.#silent = true)],
      ['error', faults.watchError, () => this.#breakOff()],
    ];
    for (const [name, probability, end] of endings) {
      if (!this.#sim.chance(probability)) continue;
      const label = `${this.#process.name} watch ${this.#type.plural}: ${name}`;
      this.#onClose.push(this.#sim.schedule(this.#sim.between(0, 60_000), label, end));
    }
  }

  #breakOff(): void {
    this.#outbox = [];
    const error = this.#sim.chance(0.5) ? expired() : apiError(500, 'InternalError', 'the store is unavailable');
    this.#send({ type: 'ERROR', object: error.status });
  }

  #finish(): void {
    if (this.#silent) return;
    const caughtUp = !this.#travelling && this.#outbox.length === 0;
    if (caughtUp && this.#options.allowWatchBookmarks) this.pipe.push(bookmark(this.#store.revision));
    this.#arrive(() => this.pipe.end());
  }

  #send(event: WatchEvent): void {
    // A crash sends no notification, but nothing is stored for a process that will never read it.
    if (this.#process.crashed) return this.#close();
    if (this.#silent) return;
    this.#outbox.push(event);
    if (!this.#travelling) this.#sendNext();
  }

  #sendNext(): void {
    if (this.#outbox.length === 0 || this.#closed) return;
    const together = this.#outbox.length === 1 ? 1 : this.#sim.between(1, this.#outbox.length);
    const events = this.#outbox.splice(0, together);
    this.#travelling = true;
    const ms = this.#sim.chance(0.1) ? this.#sim.between(100, 5_000) : this.#sim.between(0, 20);
    this.#cancelTravel = this.#process.after(ms, () => {
      this.#travelling = false;
      if (this.#silent) return;
      for (const event of events) {
        this.#sim.trace(`${this.#process.name} hears ${this.#type.plural} ${event.type} ${versionOf(event)}`);
        this.pipe.push(event);
        if (event.type === 'ERROR') this.pipe.end();
      }
      this.#sendNext();
    });
  }

  #arrive(run: () => void): void {
    this.#onClose.push(this.#process.after(0, () => !this.#silent && run()));
  }

  #close(): void {
    this.#closed = true;
    this.#outbox = [];
    this.#cancelTravel();
    for (const run of this.#onClose.splice(0)) run();
  }
}

const versionOf = (event: WatchEvent): string => String(event.object.metadata['resourceVersion'] ?? '');

/** The previous state, with the revision of the event that removed it. */
function lastSeen(event: SimEvent): KubeObject {
  if (event.type === 'DELETED') return event.object;
  const resourceVersion = String(event.revision);
  return { ...event.previous!, metadata: { ...event.previous!.metadata, resourceVersion } };
}

const bookmark = (revision: number, annotations?: Record<string, string>): WatchEvent => ({
  type: 'BOOKMARK',
  object: { metadata: { resourceVersion: String(revision), ...(annotations ? { annotations } : {}) } },
});
