import type { Clock } from '@fairlead/kube';
import type { FacetQueries, FleetState } from '../applications/queries.ts';
import type { EventLog } from './event-log.ts';
import { EventStream, type StreamSink } from './event-stream.ts';
import { Frames } from './frames.ts';
import type { StreamView } from './stream-view.ts';

export interface EventHubOptions {
  readonly state: FleetState & { readonly log: EventLog };
  readonly facets: FacetQueries;
  readonly clock: Clock;
}

/** Changes that come faster than this are sent together. */
const batchMs = 50;
const sliceSize = 20;
const heartbeatMs = 15_000;
/** Counts are sent at most this often. Where many clients ask for different counts, they take at most a fifth of the time, in turns of `countsTurnMs`. */
const countsMs = 500;
const countsShare = 5;
const countsTurnMs = 20;

/** All open streams: wakes them when something has changed. */
export class EventHub {
  readonly #options: EventHubOptions;
  readonly #frames: Frames;
  readonly #streams = new Set<EventStream>();
  readonly #cancels = new Map<'pump' | 'counts' | 'heartbeat', () => void>();
  readonly #removeListener: () => void;
  #pumpedAt = Number.NEGATIVE_INFINITY;
  #slice: NodeJS.Immediate | undefined;
  #countsTurn: NodeJS.Immediate | undefined;
  #countsWaitMs = countsMs;
  /** Streams that ask for counts. */
  #counting = 0;

  constructor(options: EventHubOptions) {
    this.#options = options;
    const { log } = options.state;
    this.#frames = new Frames(log);
    this.#removeListener = log.onAppend(() => this.#changed());
  }

  get size(): number {
    return this.#streams.size;
  }

  /** `since` is the id of the last event that the client has. */
  open(sink: StreamSink, view: StreamView, since: string | undefined): EventStream {
    const stream = new EventStream(this.#options.state.log, this.#frames, sink, view, since);
    this.#streams.add(stream);
    this.#schedule('heartbeat', heartbeatMs, () => this.#heartbeat());
    if (stream.hasCounts) this.#counting += 1;
    if (stream.needsCounts) this.#scheduleCounts();
    return stream;
  }

  close(stream: EventStream): void {
    if (!this.#streams.delete(stream)) return;
    if (stream.hasCounts) this.#counting -= 1;
    stream.end();
    if (this.#streams.size === 0) this.#cancelAll();
  }

  stop(): void {
    this.#removeListener();
    for (const stream of [...this.#streams]) this.close(stream);
  }

  #changed(): void {
    if (this.#streams.size === 0) return;
    const sinceLast = this.#options.clock.now() - this.#pumpedAt;
    this.#schedule('pump', Math.max(0, batchMs - sinceLast), () => this.#pump());
    this.#scheduleCounts();
  }

  #pump(): void {
    if (this.#slice) return this.#schedule('pump', batchMs, () => this.#pump());
    this.#pumpedAt = this.#options.clock.now();
    this.#pumpSlice([...this.#streams]);
  }

  /** A few streams in each turn: requests do not wait until all have been written to. */
  #pumpSlice(streams: readonly EventStream[]): void {
    for (const stream of streams.slice(0, sliceSize)) if (this.#streams.has(stream)) stream.pump();
    const rest = streams.slice(sliceSize);
    this.#slice = rest.length > 0 ? setImmediate(() => this.#pumpSlice(rest)) : undefined;
  }

  #scheduleCounts(): void {
    if (this.#counting > 0 && !this.#countsTurn) this.#schedule('counts', this.#countsWaitMs, () => this.#sendCounts());
  }

  #sendCounts(): void {
    this.#sendCountsTurn(
      [...this.#streams].filter(({ needsCounts }) => needsCounts),
      0,
    );
  }

  /** Requests do not wait until all counts are made. */
  #sendCountsTurn(streams: readonly EventStream[], usedMs: number): void {
    const { state, facets } = this.#options;
    const startedAt = performance.now();
    let [next, turnMs] = [0, 0];
    while (next < streams.length && turnMs < countsTurnMs) {
      const stream = streams[next];
      next += 1;
      if (!stream?.needsCounts || !this.#streams.has(stream)) continue;
      stream.sendCounts(facets.of(state, stream.view.viewer, stream.view.filter));
      turnMs = performance.now() - startedAt;
    }
    if (next < streams.length) {
      this.#countsTurn = setImmediate(() => this.#sendCountsTurn(streams.slice(next), usedMs + turnMs));
      return;
    }
    this.#countsTurn = undefined;
    this.#countsWaitMs = Math.max(countsMs, countsShare * (usedMs + turnMs));
    // Changes during the turns.
    if ([...this.#streams].some(({ needsCounts }) => needsCounts)) this.#scheduleCounts();
  }

  #heartbeat(): void {
    const now = new Date(this.#options.clock.now());
    for (const stream of this.#streams) stream.heartbeat(now);
    this.#schedule('heartbeat', heartbeatMs, () => this.#heartbeat());
  }

  #schedule(name: 'pump' | 'counts' | 'heartbeat', ms: number, run: () => void): void {
    if (this.#cancels.has(name)) return;
    const cancel = this.#options.clock.after(ms, () => {
      this.#cancels.delete(name);
      run();
    });
    this.#cancels.set(name, cancel);
  }

  #cancelAll(): void {
    for (const cancel of this.#cancels.values()) cancel();
    this.#cancels.clear();
    clearImmediate(this.#slice);
    clearImmediate(this.#countsTurn);
    [this.#slice, this.#countsTurn] = [undefined, undefined];
  }
}
