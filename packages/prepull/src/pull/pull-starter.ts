import {
  ApiError,
  find,
  getOrCreate,
  isAlreadyExists,
  isConditionTrue,
  jobType,
  type KubeObject,
  keyOf,
  parseKey,
  tryParseImageReference,
} from '@fairlead/apimachinery';
import { type ApiClient, type Clock, type Logger, sleep } from '@fairlead/kube';
import { type Job, type Pull, pullOf } from './pull-job.ts';
import { ActivePulls, type PullLimits } from './pull-limits.ts';
import { type WaitingImage, WaitingPulls } from './waiting-pulls.ts';

export interface PullStarterOptions {
  readonly client: Pick<ApiClient, 'create' | 'get' | 'list'>;
  readonly limits: PullLimits;
  readonly clock: Clock;
  readonly log: Logger;
  /** The Job for a pull of this image; undefined if the image is gone. */
  readonly jobFor: (key: string, pull: Pull) => Job | undefined;
  /** The API server rejected a Job of this image. */
  readonly onRefused: (key: string, error: ApiError) => void;
  /** Checked right before a Job is created: after a long pause, a process may no longer be the leader. */
  readonly isLeader: () => boolean;
  /** Whether the informer has a Job of this name. */
  readonly isCached: (name: string) => boolean;
  /** Called when a Job was found or is gone and the informer did not report it. */
  readonly onMissedEvent: (job: Pick<KubeObject, 'metadata'>) => void;
}

const fieldManager = 'fairlead-prepull';
/** How long the last requests of the previous leader may still be in flight. */
const settleMs = 1_000;
/** The request timeout: well below the time in which another process could become leader. */
const requestMs = 4_000;
/** A slot whose Job the informer has not shown for this long is checked with the API server. */
const unobservedMs = 15_000;

/** One slot and the Jobs of its name. A restarted pull uses the same name again. */
interface Slot {
  readonly uids: Set<string>;
  /** When the Job was last observed. */
  at: number;
  /** Set from the create request until the informer shows the Job. */
  starting?: { readonly key: string; readonly node: string; created: boolean };
}

/**
 * Starts pulls within the limits. The slots are the existing Jobs: those in the informer, and those requested that it does not show yet.
 * A create request without a definite response keeps its slot and is repeated with the same name until it has one.
 */
export class PullStarter {
  readonly waiting = new WaitingPulls();
  readonly active: ActivePulls;
  readonly #options: PullStarterOptions;
  readonly #slots = new Map<string, Slot>();
  /** The Job name of each image and node whose Job has not been observed yet. */
  readonly #starting = new Map<string, string>();
  #signal: AbortSignal | undefined;

  constructor(options: PullStarterOptions) {
    this.#options = options;
    this.active = new ActivePulls(options.limits);
  }

  /**
   * Counts the Jobs that the API server has, then starts. An informer's cache could be older than the last Jobs of the previous leader, and
   * the previous leader's last requests may still be in flight.
   */
  async start(selector: string, signal: AbortSignal): Promise<void> {
    const { client, clock, log } = this.#options;
    await sleep(clock, settleMs, signal);
    for (let waitMs = 200; ; waitMs = Math.min(waitMs * 2, 10_000)) {
      try {
        const { items } = await client.list<Job>(jobType, { labelSelector: selector, signal });
        for (const job of items) this.observe(job);
        break;
      } catch (error) {
        if (signal.aborted) throw error;
        log.warn('cannot list pull Jobs; no pull starts until they are counted', { error });
        await sleep(clock, waitMs, signal);
      }
    }
    this.#signal = signal;
    this.dispatch();
  }

  set(image: WaitingImage): void {
    this.waiting.set(image);
    this.dispatch();
  }

  /** Whether a pull of this image on this node is requested and its Job not observed yet. */
  isStarting(key: string, node: string): boolean {
    return this.#starting.has(startKey(key, node));
  }

  /** Takes the slot of a pull Job that exists, or releases it if the Job has finished. */
  observe(job: Job): void {
    if (isOver(job)) return this.forget(job);
    const name = keyOf(job);
    const { node, reference, tenant } = pullOf(job);
    this.active.take(name, { node, registry: registryOf(reference), tenant });
    const slot = getOrCreate(this.#slots, name, (): Slot => ({ uids: new Set(), at: 0 }));
    slot.uids.add(job.metadata.uid ?? '');
    slot.at = this.#options.clock.now();
    this.#started(slot);
  }

  forget(job: Pick<KubeObject, 'metadata'>): void {
    const slot = this.#slots.get(keyOf(job));
    slot?.uids.delete(job.metadata.uid ?? '');
    if (slot && slot.uids.size === 0 && !slot.starting) this.#release(keyOf(job));
  }

  /** Starts the pulls that fit the limits now. */
  dispatch(): void {
    if (!this.#signal || this.#signal.aborted || !this.#options.isLeader()) return;
    for (let next = this.waiting.next(this.active); next; next = this.waiting.next(this.active)) {
      const { key, pull, registry, tenant } = next;
      const job = this.#options.jobFor(key, pull);
      if (!job || this.active.has(keyOf(job))) continue;
      const name = keyOf(job);
      this.active.take(name, { node: pull.node, registry, tenant });
      this.#slots.set(name, {
        uids: new Set(),
        at: this.#options.clock.now(),
        starting: { key, node: pull.node, created: false },
      });
      this.#starting.set(startKey(key, pull.node), name);
      void this.#create(key, job, this.#signal);
    }
  }

  /** Checks Jobs that the informer should show by now: a missed watch event must not leak a slot. */
  async sweep(): Promise<void> {
    const { clock, client, onMissedEvent, isCached } = this.#options;
    for (const [name, slot] of [...this.#slots]) {
      if (isCached(name) || clock.now() - slot.at < unobservedMs || slot.starting?.created === false) continue;
      const key = parseKey(name);
      slot.at = clock.now();
      const job = await find(client.get<Job>(jobType, key));
      if (job) this.observe(job);
      else this.#release(name);
      onMissedEvent({ metadata: key });
    }
  }

  async #create(key: string, job: Job, signal: AbortSignal): Promise<void> {
    const { client, clock, log, isLeader, onRefused, onMissedEvent } = this.#options;
    const name = keyOf(job);
    const open = () => !signal.aborted && isLeader() && this.#slots.get(name)?.starting !== undefined;
    for (let waitMs = 200; open(); waitMs = Math.min(waitMs * 2, 10_000)) {
      const limit = new AbortController();
      const cancel = clock.after(requestMs, () => limit.abort());
      const stop = () => limit.abort();
      signal.addEventListener('abort', stop, { once: true });
      try {
        const { metadata } = await client.create(jobType, job, { signal: limit.signal, fieldManager });
        return this.#created(name, metadata.uid);
      } catch (error) {
        if (isAlreadyExists(error)) {
          this.#created(name);
          return onMissedEvent(job);
        }
        if (error instanceof ApiError && error.code < 500 && error.code !== 429) {
          if (this.#slots.get(name)?.starting) this.#release(name);
          return onRefused(key, error);
        }
        log.debug('creating a pull Job failed; retrying', { job: name, error });
      } finally {
        cancel();
        signal.removeEventListener('abort', stop);
      }
      await sleep(clock, waitMs, signal).catch(() => {});
    }
  }

  /** The Job exists. The informer will show it, unless it is deleted first. */
  #created(name: string, uid?: string): void {
    const slot = this.#slots.get(name);
    if (!slot?.starting) return;
    slot.starting.created = true;
    if (uid) slot.uids.add(uid);
  }

  #started(slot: Slot): void {
    if (slot.starting) this.#starting.delete(startKey(slot.starting.key, slot.starting.node));
    delete slot.starting;
  }

  #release(name: string): void {
    const slot = this.#slots.get(name);
    if (slot) this.#started(slot);
    this.#slots.delete(name);
    if (this.active.release(name)) this.dispatch();
  }
}

const startKey = (key: string, node: string): string => `${key} ${node}`;

const isOver = ({ metadata, status }: Job): boolean =>
  metadata.deletionTimestamp !== undefined ||
  isConditionTrue(status?.conditions, 'Complete') ||
  isConditionTrue(status?.conditions, 'Failed');

/** Empty for a Job that someone else labelled as ours: it still takes a slot of the cluster and of its node. */
export const registryOf = (reference: string): string => tryParseImageReference(reference)?.registry ?? '';
