import { ApiError, isAlreadyExists, isNotFound, type KubeObject, keyOf } from '@fairlead/apimachinery';
import { type ApiClient, type Clock, type Logger, sleep } from '@fairlead/kube';
import { parseImageName } from '../image-name.ts';
import { type Job, jobType } from '../objects.ts';
import { type Pull, pullOf } from './pull-job.ts';
import { ActivePulls, type PullLimits } from './pull-limits.ts';
import { type WaitingImage, WaitingPulls } from './waiting-pulls.ts';

export interface PullStarterOptions {
  readonly client: Pick<ApiClient, 'create' | 'get' | 'list'>;
  readonly limits: PullLimits;
  readonly clock: Clock;
  readonly log: Logger;
  /** The Job for a pull of this image; undefined when the image is gone. */
  readonly jobFor: (key: string, pull: Pull) => Job | undefined;
  /** The server will not have a Job of this image, and says why. */
  readonly refused: (key: string, error: ApiError) => void;
  /** Asked right before a Job is: after a long pause a process learns late that another leads. */
  readonly mayAct: () => boolean;
  /** Whether the watch shows a Job of this name. */
  readonly isShown: (name: string) => boolean;
  /** Told when a Job has come or gone without a word from the watch. */
  readonly look: (job: Pick<KubeObject, 'metadata'>) => void;
}

const fieldManager = 'fairlead-prepull';
/** How long what another process asked for last may be on its way. */
const settleMs = 1_000;
/** A request that takes longer is given up, well before another process could become leader. */
const requestMs = 4_000;
/** A slot whose Job no watch has shown for this long is asked for. */
const unseenMs = 15_000;

/** One slot: what is known of the Jobs that go by its name. A name comes back when a pull is begun anew. */
interface Slot {
  readonly uids: Set<string>;
  /** When it was last known to be taken. */
  at: number;
  /** Set while the Job was asked for and has not been seen. */
  unseen?: { readonly key: string; readonly node: string; answered: boolean };
}

/**
 * Begins pulls as the limits allow. The slots are the Jobs that exist: those that the watch shows, and those that were asked for and that it
 * has not shown yet. A request whose fate is unknown keeps its slot and is repeated under its name until its fate is known.
 */
export class PullStarter {
  readonly waiting = new WaitingPulls();
  readonly active: ActivePulls;
  readonly #options: PullStarterOptions;
  readonly #slots = new Map<string, Slot>();
  /** Of each image and node that waits for its Job to be seen: the name of the Job. */
  readonly #begun = new Map<string, string>();
  #signal: AbortSignal | undefined;

  constructor(options: PullStarterOptions) {
    this.#options = options;
    this.active = new ActivePulls(options.limits);
  }

  /**
   * Counts the Jobs that are there, as the server itself knows them, and begins. A cache could be older than the last leader's Jobs; and what a
   * process asked for as it ended may take a moment to be there.
   */
  async start(selector: string, signal: AbortSignal): Promise<void> {
    const { client, clock, log } = this.#options;
    await sleep(clock, settleMs, signal);
    for (let waitMs = 200; ; waitMs = Math.min(waitMs * 2, 10_000)) {
      try {
        const { items } = await client.list<Job>(jobType, { labelSelector: selector, signal });
        for (const job of items) this.seen(job);
        break;
      } catch (error) {
        if (signal.aborted) throw error;
        log.warn('the Jobs that pull cannot be counted; nothing is begun until they are', { error });
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

  /** Whether a pull of this image on this node was begun whose Job has not been seen yet. */
  hasBegun(key: string, node: string): boolean {
    return this.#begun.has(beginning(key, node));
  }

  /** A Job of ours as the watch shows it. */
  seen(job: Job): void {
    if (isOver(job)) return this.gone(job);
    const name = keyOf(job);
    const { node, reference, tenant } = pullOf(job);
    this.active.take(name, { node, registry: registryOf(reference), tenant });
    const slot: Slot = this.#slots.get(name) ?? { uids: new Set(), at: 0 };
    slot.uids.add(job.metadata.uid ?? '');
    slot.at = this.#options.clock.now();
    this.#settle(slot);
    this.#slots.set(name, slot);
  }

  gone(job: Pick<KubeObject, 'metadata'>): void {
    const slot = this.#slots.get(keyOf(job));
    slot?.uids.delete(job.metadata.uid ?? '');
    if (slot && slot.uids.size === 0 && !slot.unseen) this.#free(keyOf(job));
  }

  /** Begins whatever has room now. */
  dispatch(): void {
    if (!this.#signal || this.#signal.aborted || !this.#options.mayAct()) return;
    for (let next = this.waiting.next(this.active); next; next = this.waiting.next(this.active)) {
      const { key, pull, registry, tenant } = next;
      const job = this.#options.jobFor(key, pull);
      if (!job || this.active.has(keyOf(job))) continue;
      const name = keyOf(job);
      this.active.take(name, { node: pull.node, registry, tenant });
      this.#slots.set(name, {
        uids: new Set(),
        at: this.#options.clock.now(),
        unseen: { key, node: pull.node, answered: false },
      });
      this.#begun.set(beginning(key, pull.node), name);
      void this.#create(key, job, this.#signal);
    }
  }

  /** Asks for Jobs that the watch should show by now: a slot must not be lost with a message. */
  async sweep(): Promise<void> {
    const { clock, client, look, isShown } = this.#options;
    for (const [name, slot] of [...this.#slots]) {
      if (isShown(name) || clock.now() - slot.at < unseenMs || slot.unseen?.answered === false) continue;
      const [namespace = '', job = ''] = name.split('/');
      slot.at = clock.now();
      try {
        this.seen(await client.get<Job>(jobType, { namespace, name: job }));
      } catch (error) {
        if (!isNotFound(error)) throw error;
        this.#free(name);
      }
      look({ metadata: { namespace, name: job } });
    }
  }

  async #create(key: string, job: Job, signal: AbortSignal): Promise<void> {
    const { client, clock, log, mayAct, refused, look } = this.#options;
    const name = keyOf(job);
    const open = () => !signal.aborted && mayAct() && this.#slots.get(name)?.unseen !== undefined;
    for (let waitMs = 200; open(); waitMs = Math.min(waitMs * 2, 10_000)) {
      const limit = new AbortController();
      const cancel = clock.after(requestMs, () => limit.abort());
      const stop = () => limit.abort();
      signal.addEventListener('abort', stop, { once: true });
      try {
        const { metadata } = await client.create(jobType, job, { signal: limit.signal, fieldManager });
        return this.#answered(name, metadata.uid);
      } catch (error) {
        if (isAlreadyExists(error)) {
          this.#answered(name);
          return look(job);
        }
        if (error instanceof ApiError && error.code < 500 && error.code !== 429) {
          if (this.#slots.get(name)?.unseen) this.#free(name);
          return refused(key, error);
        }
        log.debug('a pull could not be begun; trying again', { job: name, error });
      } finally {
        cancel();
        signal.removeEventListener('abort', stop);
      }
      await sleep(clock, waitMs, signal).catch(() => {});
    }
  }

  /** The Job is there, and the watch will show it, unless it goes before the watch has come so far. */
  #answered(name: string, uid?: string): void {
    const unseen = this.#slots.get(name)?.unseen;
    if (!unseen) return;
    unseen.answered = true;
    if (uid) this.#slots.get(name)!.uids.add(uid);
  }

  #settle(slot: Slot): void {
    if (slot.unseen) this.#begun.delete(beginning(slot.unseen.key, slot.unseen.node));
    delete slot.unseen;
  }

  #free(name: string): void {
    const slot = this.#slots.get(name);
    if (slot) this.#settle(slot);
    this.#slots.delete(name);
    if (this.active.giveBack(name)) this.dispatch();
  }
}

const beginning = (key: string, node: string): string => `${key} ${node}`;

const isOver = ({ metadata, status }: Job): boolean =>
  metadata.deletionTimestamp !== undefined ||
  (status?.conditions ?? []).some(
    ({ type, status: is }) => (type === 'Complete' || type === 'Failed') && is === 'True',
  );

export function registryOf(reference: string): string {
  try {
    return parseImageName(reference).registry;
  } catch {
    // A Job that somebody else has labelled as ours still takes a slot of the cluster and of its node.
    return '';
  }
}
