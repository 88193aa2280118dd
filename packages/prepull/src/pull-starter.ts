import {
  type ApiClient,
  ApiError,
  type Clock,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  keyOf,
  type Logger,
  sleep,
} from '@fairlead/kube';
import { parseImageName } from './image-name.ts';
import { type Job, jobType } from './objects.ts';
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
  /** Told when an image's Jobs have changed without a word from the watch. */
  readonly look: (key: string) => void;
}

/** A request that takes longer is given up, well before another process could become leader. */
const requestMs = 4_000;
/** A Job that was made and that no watch has shown for this long is asked for. */
const unseenMs = 15_000;

/**
 * Begins pulls as the limits allow. The slots are the Jobs that exist: those that the watch shows, and those that were asked for and that it
 * has not shown yet. A request whose fate is unknown keeps its slot and is repeated under its name until its fate is known.
 */
export class PullStarter {
  readonly waiting = new WaitingPulls();
  readonly active: ActivePulls;
  readonly #options: PullStarterOptions;
  /** Jobs that were asked for and not seen yet, since when. */
  readonly #unseen = new Map<string, { readonly key: string; since: number; asked: boolean }>();
  #signal: AbortSignal | undefined;

  constructor(options: PullStarterOptions) {
    this.#options = options;
    this.active = new ActivePulls(options.limits);
  }

  /** Counts the Jobs that are there, as the server itself knows them, and begins. A cache could be older than the last leader's Jobs. */
  async start(selector: string, signal: AbortSignal): Promise<void> {
    const { items } = await this.#options.client.list<Job>(jobType, { labelSelector: selector, signal });
    for (const job of items) this.seen(job);
    this.#signal = signal;
    this.dispatch();
  }

  set(image: WaitingImage): void {
    this.waiting.set(image);
    this.dispatch();
  }

  /** A Job of ours as the watch shows it. */
  seen(job: Job): void {
    const name = keyOf(job);
    this.#unseen.delete(name);
    if (isOver(job)) return this.gone(job);
    const { node, reference } = pullOf(job);
    this.active.take(name, { node, registry: registryOf(reference), tenant: job.metadata.namespace ?? '' });
  }

  gone(job: Pick<KubeObject, 'metadata'>): void {
    const name = keyOf(job);
    this.#unseen.delete(name);
    if (this.active.giveBack(name)) this.dispatch();
  }

  /** Begins whatever has room now. */
  dispatch(): void {
    if (!this.#signal || this.#signal.aborted) return;
    for (let next = this.waiting.next(this.active); next; next = this.waiting.next(this.active)) {
      const { key, pull, registry, tenant } = next;
      const job = this.#options.jobFor(key, pull);
      if (!job || this.active.has(keyOf(job))) continue;
      const name = keyOf(job);
      this.active.take(name, { node: pull.node, registry, tenant });
      this.#unseen.set(name, { key, since: this.#options.clock.now(), asked: false });
      void this.#create(key, job, this.#signal);
    }
  }

  /** Asks for Jobs that should have been shown by now: a slot must not be lost with a message. */
  async sweep(): Promise<void> {
    const { clock, client, look } = this.#options;
    for (const [name, entry] of [...this.#unseen]) {
      if (!entry.asked || clock.now() - entry.since < unseenMs) continue;
      entry.since = clock.now();
      const [namespace = '', job = ''] = name.split('/');
      try {
        this.seen(await client.get<Job>(jobType, { namespace, name: job }));
      } catch (error) {
        if (!isNotFound(error)) throw error;
        this.gone({ metadata: { namespace, name: job } });
      }
      look(entry.key);
    }
  }

  async #create(key: string, job: Job, signal: AbortSignal): Promise<void> {
    const { client, clock, log, refused, look } = this.#options;
    const name = keyOf(job);
    for (let waitMs = 200; !signal.aborted; waitMs = Math.min(waitMs * 2, 10_000)) {
      const limit = new AbortController();
      const cancel = clock.after(requestMs, () => limit.abort());
      const stop = () => limit.abort();
      signal.addEventListener('abort', stop, { once: true });
      try {
        await client.create(jobType, job, { signal: limit.signal, fieldManager: 'fairlead-prepull' });
        return this.#asked(name);
      } catch (error) {
        if (isAlreadyExists(error)) {
          this.#asked(name);
          return look(key);
        }
        if (error instanceof ApiError && error.code < 500 && error.code !== 429) {
          this.gone(job);
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

  #asked(name: string): void {
    const entry = this.#unseen.get(name);
    if (entry) entry.asked = true;
  }
}

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
