import { type Clock, Heap } from '@fairlead/kube';
import { type ClusterEvent, RefusedPods } from './refused-pods.ts';

interface Entry {
  readonly key: string;
  readonly priority: number;
  /** When it was first added: older pods are first. */
  readonly since: number;
  readonly order: number;
  tries: number;
  by: ReadonlySet<string>;
  notBefore: number;
  /** Incremented with every move, so that an older entry in a heap is ignored. */
  turn: number;
}

const firstBackoffMs = 1_000;
const longestBackoffMs = 10_000;
/** This many attempts are not delayed by the back-off after a change. */
const eagerTries = 2;
/** An unschedulable pod is retried after this time, even without changes. */
const flushMs = 5 * 60_000;

/** Pods that need a node, by priority and then by waiting time. An unschedulable one waits for a relevant change. */
export class SchedulingQueue {
  readonly #clock: Clock;
  readonly #wake: () => void;
  readonly #entries = new Map<string, Entry>();
  readonly #ready = new Heap<{ entry: Entry; turn: number }>((a, b) => isBefore(a.entry, b.entry));
  readonly #timed = new Heap<{ entry: Entry; turn: number; at: number }>((a, b) => a.at < b.at);
  readonly #refused = new RefusedPods<Entry>();
  #cancelTimer = () => {};
  #timerAt = Number.POSITIVE_INFINITY;
  #order = 0;

  /** `wake` is called when a pod is ready to be scheduled. */
  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** A new pod, or one that has changed itself. */
  add(key: string, priority: number): void {
    const known = this.#entries.get(key);
    this.remove(key);
    const entry: Entry = {
      key,
      priority,
      since: known?.since ?? this.#clock.now(),
      order: known?.order ?? this.#order++,
      tries: known?.tries ?? 0,
      by: new Set(),
      notBefore: 0,
      turn: 0,
    };
    this.#entries.set(key, entry);
    this.#makeReady(entry);
  }

  remove(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    entry.turn = -1;
    this.#refused.remove(entry);
    this.#entries.delete(key);
  }

  /** The next pod to schedule. It stays known until it is removed, rejected or has failed. */
  take(): string | undefined {
    for (let next = this.#ready.pop(); next; next = this.#ready.pop()) {
      if (next.entry.turn !== next.turn) continue;
      next.entry.tries += 1;
      return next.entry.key;
    }
    return undefined;
  }

  /** No node is suitable, because of these filters. */
  refused(key: string, by: ReadonlySet<string>): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    entry.by = by;
    entry.notBefore = this.#clock.now() + backoff(entry);
    this.#refused.add(entry);
    this.#readyAt(entry, this.#clock.now() + flushMs);
  }

  /** The attempt failed for a reason unrelated to the pod. */
  failed(key: string): void {
    const entry = this.#entries.get(key);
    if (entry) this.#readyAt(entry, this.#clock.now() + backoff(entry));
  }

  /** Retries the pods that the event may make schedulable. */
  happened(event: ClusterEvent): void {
    const now = this.#clock.now();
    for (const entry of this.#refused.release(event)) {
      if (entry.notBefore <= now || entry.tries <= eagerTries) this.#makeReady(entry);
      else this.#readyAt(entry, entry.notBefore);
    }
  }

  stop(): void {
    this.#cancelTimer();
  }

  #makeReady(entry: Entry): void {
    this.#refused.remove(entry);
    entry.turn += 1;
    this.#ready.push({ entry, turn: entry.turn });
    this.#wake();
  }

  #readyAt(entry: Entry, at: number): void {
    entry.turn += 1;
    this.#timed.push({ entry, turn: entry.turn, at });
    this.#setTimer();
  }

  #setTimer(): void {
    const next = this.#timed.peek();
    if (!next || next.at >= this.#timerAt) return;
    this.#cancelTimer();
    this.#timerAt = next.at;
    this.#cancelTimer = this.#clock.after(Math.max(0, next.at - this.#clock.now()), () => this.#timePassed());
  }

  #timePassed(): void {
    this.#timerAt = Number.POSITIVE_INFINITY;
    const now = this.#clock.now();
    for (let next = this.#timed.peek(); next && next.at <= now; next = this.#timed.peek()) {
      this.#timed.pop();
      if (next.entry.turn === next.turn) this.#makeReady(next.entry);
    }
    this.#setTimer();
  }
}

const backoff = ({ tries }: Entry): number => Math.min(longestBackoffMs, firstBackoffMs * 2 ** (tries - 1));

function isBefore(a: Entry, b: Entry): boolean {
  if (a.priority !== b.priority) return a.priority > b.priority;
  return a.since === b.since ? a.order < b.order : a.since < b.since;
}
