import { ApiError, isExpired, type KubeObject, keyOf, type ResourceType } from '@fairlead/apimachinery';
import type { ApiClient, WatchEvent } from '../client/api-client.ts';
import { defaultPageSize, listAll } from '../client/list-all.ts';
import { StallGuard } from '../client/stall-guard.ts';
import { type Clock, sleep, systemClock } from '../clock.ts';
import { type Logger, silentLogger } from '../logger.ts';
import { Backoff } from '../queue/backoff.ts';
import { type Random, systemRandom } from '../random.ts';

/** Selects objects of a kind: all if nothing is given. */
export interface Selection {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** Receives the changes of a reflector, in order. */
export interface ReflectorSink<T extends KubeObject = KubeObject> {
  /** Transforms each object of a list as soon as it is read, so a long list is never in memory completely. Optional. */
  keep?(object: T): T;
  /** These are all existing objects: any other is deleted. */
  replace(objects: readonly T[]): void;
  seen(object: T): void;
  gone(object: T): void;
}

export interface ReflectorOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly log?: Logger;
  readonly pageSize?: number;
  /** A stream without an event or bookmark for this long is replaced; by default the time of three bookmarks. */
  readonly stallMs?: number;
  /** Called with every failure, before the next attempt. */
  readonly onError?: (error: unknown) => void;
}

const initialEventsEnd = 'k8s.io/initial-events-end';
/** A watch that ends sooner than this without an event counts as failed. */
const shortestWatchMs = 1_000;
/** A watch that was open for this long counts as successful, also without events. */
const healthyWatchMs = 10_000;
/** After this many rejections in a row, for any reason, the resource version is dropped: a new list costs less than being stuck. */
const refusalsToRelist = 3;

/**
 * Keeps a sink equal to the objects of one kind on the server, until its signal aborts.
 *
 * - Starts with all objects: streamed (`sendInitialEvents`) if the server supports it, in pages otherwise; then watches from there.
 * - A watch that breaks or ends resumes from the last resourceVersion, so nothing is missed and nothing is listed again.
 * - If that resourceVersion has expired (410), everything is listed again, and `replace` reports missed changes.
 * - Every error is retried with a jittered back-off; none stops the reflector.
 */
export class Reflector<T extends KubeObject = KubeObject> {
  readonly #client: Pick<ApiClient, 'list' | 'watch'>;
  readonly #type: ResourceType;
  readonly #selection: Selection;
  readonly #sink: ReflectorSink<T>;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #log: Logger;
  readonly #pageSize: number;
  readonly #stallMs: number;
  readonly #onError: (error: unknown) => void;
  readonly #backoff: Backoff;
  /** The resourceVersion up to which the sink is complete; undefined if everything must be listed again. */
  #position: string | undefined;
  #refusals = 0;
  #canStream = true;
  /** The last attempt to stream the initial list did not complete: the next one uses pages. */
  #pagesNext = false;

  constructor(
    client: Pick<ApiClient, 'list' | 'watch'>,
    type: ResourceType,
    selection: Selection,
    sink: ReflectorSink<T>,
    options: ReflectorOptions = {},
  ) {
    this.#client = client;
    this.#type = type;
    this.#selection = selection;
    this.#sink = sink;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
    this.#log = (options.log ?? silentLogger).with({ kind: type.kind, group: type.group, ...selection });
    this.#pageSize = options.pageSize ?? defaultPageSize;
    this.#stallMs = options.stallMs ?? 180_000;
    this.#onError = options.onError ?? (() => {});
    this.#backoff = new Backoff(this.#random, { baseMs: 800, maxMs: 30_000 });
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const stream = this.#position === undefined && this.#canStream && !this.#pagesNext;
        if (this.#position === undefined && !stream) await this.#list(signal);
        await this.#watch(signal);
      } catch (error) {
        if (signal.aborted) return;
        const wait = this.#afterFailure(error);
        this.#onError(error);
        if (signal.aborted) return;
        this.#log.debug('watch interrupted', { error, waitMs: Math.round(wait), from: this.#position ?? 'a new list' });
        await sleep(this.#clock, wait, signal).catch(() => {});
      }
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    const options = { ...this.#selection, limit: this.#pageSize, signal };
    const list = await listAll<T>(this.#client, this.#type, options, (object) => this.#keep(object));
    if (signal.aborted) return;
    this.#sink.replace(list.items);
    this.#position = list.resourceVersion;
    this.#pagesNext = false;
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const began = this.#clock.now();
    const guard = new StallGuard(this.#clock, this.#stallMs, signal);
    const initial = this.#position === undefined ? new InitialList<T>() : undefined;
    let events = 0;
    if (initial) this.#pagesNext = true;
    try {
      for await (const event of this.#open(guard.signal)) {
        if (signal.aborted) return;
        guard.alive();
        events += 1;
        this.#take(event, initial);
        this.#worked();
      }
    } finally {
      guard.end();
    }
    if (signal.aborted) return;
    if (guard.signal.aborted) throw guard.signal.reason;
    const lived = this.#clock.now() - began;
    if (lived >= healthyWatchMs) this.#worked();
    if (initial && !initial.complete) throw new Error('the stream ended before the initial list was complete');
    if (events === 0 && lived < shortestWatchMs) throw new Error(`the watch ended after ${lived} ms without an event`);
  }

  #open(signal: AbortSignal): AsyncIterable<WatchEvent<T>> {
    return this.#client.watch<T>(this.#type, {
      ...this.#selection,
      allowWatchBookmarks: true,
      // Spread over five to ten minutes, so that watches started together do not end together.
      timeoutSeconds: Math.round(300 * (1 + this.#random())),
      signal,
      ...(this.#position === undefined
        ? { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }
        : { resourceVersion: this.#position }),
    });
  }

  #take(event: WatchEvent<T>, initial: InitialList<T> | undefined): void {
    if (event.type === 'ERROR') throw new ApiError(event.object);
    const gathering = initial && !initial.complete ? initial : undefined;
    if (event.type === 'BOOKMARK') {
      if (gathering) {
        if (event.object.metadata.annotations?.[initialEventsEnd] !== 'true') return;
        this.#sink.replace(gathering.finish());
        this.#pagesNext = false;
      }
    } else if (gathering) {
      gathering.take({ ...event, object: this.#keep(event.object) });
      return;
    } else if (event.type === 'DELETED') this.#sink.gone(event.object);
    else this.#sink.seen(event.object);
    // After the sink has processed it, so that a sink that throws gets it again.
    this.#position = event.object.metadata.resourceVersion;
  }

  #keep(object: T): T {
    return this.#sink.keep ? this.#sink.keep(object) : object;
  }

  /** An older server, or one without the feature: pages work as well. */
  #isRefusalToStream(error: unknown): boolean {
    const asked = this.#position === undefined && this.#canStream && this.#pagesNext;
    return asked && error instanceof ApiError && (error.code === 422 || error.code === 400);
  }

  #worked(): void {
    this.#backoff.reset();
    this.#refusals = 0;
  }

  #afterFailure(error: unknown): number {
    if (this.#isRefusalToStream(error)) {
      this.#canStream = false;
      return 0;
    }
    const wait = this.#backoff.next();
    if (!(error instanceof ApiError)) return wait;
    this.#refusals += 1;
    if (isExpired(error) || this.#refusals >= refusalsToRelist) this.#position = undefined;
    return Math.max(wait, (error.status.details?.retryAfterSeconds ?? 0) * 1000);
  }
}

/** The objects of a streamed list, until the server reports its end. */
class InitialList<T extends KubeObject> {
  complete = false;
  readonly #objects = new Map<string, T>();

  take(event: { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }): void {
    if (event.type === 'DELETED') this.#objects.delete(keyOf(event.object));
    else this.#objects.set(keyOf(event.object), event.object);
  }

  finish(): T[] {
    this.complete = true;
    return [...this.#objects.values()];
  }
}
