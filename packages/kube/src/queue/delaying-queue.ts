import { type Clock, systemClock } from '../clock.ts';
import { Heap } from './heap.ts';
import { type AddOptions, WorkQueue, type WorkQueueOptions } from './work-queue.ts';

interface Delayed {
  readonly key: string;
  readonly at: number;
  readonly priority: number;
  readonly arrival: number;
}

/**
 * A work queue to which a key can be added with a delay.
 *
 * - A key has one delay only: of two the earlier counts.
 * - Adding a key without a delay does not cancel its delay; the key is returned again after it.
 * - Shutdown drops delayed keys: they are not due yet.
 */
export class DelayingQueue extends WorkQueue {
  readonly #clock: Clock;
  readonly #heap = new Heap<Delayed>((a, b) => (a.at === b.at ? a.arrival < b.arrival : a.at < b.at));
  /** The one valid entry of each delayed key; others in the heap were replaced and are skipped. */
  readonly #valid = new Map<string, Delayed>();
  #armed: { readonly at: number; readonly cancel: () => void } | undefined;
  #arrivals = 0;

  constructor(options: WorkQueueOptions = {}) {
    super(options);
    this.#clock = options.clock ?? systemClock;
  }

  /** Keys whose delay has not passed. */
  get delayed(): number {
    return this.#valid.size;
  }

  addAfter(key: string, ms: number, options: AddOptions = {}): void {
    if (this.isShutDown) return;
    if (!(ms > 0)) {
      this.add(key, options);
      return;
    }
    const at = this.#clock.now() + ms;
    const known = this.#valid.get(key);
    const priority = Math.max(options.priority ?? 0, known?.priority ?? Number.NEGATIVE_INFINITY);
    // A key that is already delayed, and no longer than this, is not added again: frequent calls would fill the heap.
    if (known && known.at <= at && known.priority === priority) return;
    this.#arrivals += 1;
    const entry = { key, at: Math.min(at, known?.at ?? at), priority, arrival: this.#arrivals };
    this.#valid.set(key, entry);
    this.#heap.push(entry);
    this.#arm();
  }

  override shutDown(): Promise<void> {
    this.#armed?.cancel();
    this.#armed = undefined;
    this.#heap.clear();
    this.#valid.clear();
    return super.shutDown();
  }

  #arm(): void {
    const next = this.#heap.peek();
    if (!next || (this.#armed && this.#armed.at <= next.at)) return;
    this.#armed?.cancel();
    const cancel = this.#clock.after(Math.max(0, next.at - this.#clock.now()), () => {
      this.#armed = undefined;
      this.#addDue();
      this.#arm();
    });
    this.#armed = { at: next.at, cancel };
  }

  #addDue(): void {
    const now = this.#clock.now();
    for (let next = this.#heap.peek(); next && next.at <= now; next = this.#heap.peek()) {
      this.#heap.pop();
      if (this.#valid.get(next.key) !== next) continue;
      this.#valid.delete(next.key);
      this.add(next.key, { priority: next.priority });
    }
  }
}
