import { find, formatMicroTime, isConflict, isNotFound, leaseType } from '@fairlead/apimachinery';
import { onAbort } from '../abort.ts';
import type { ApiClient } from '../client/api-client.ts';
import { type Clock, sleep, systemClock } from '../clock.ts';
import { type Logger, silentLogger } from '../logger.ts';
import { type Random, systemRandom } from '../random.ts';
import type { Lease, LeaseRecord } from './lease.ts';

export interface LeaderElectionOptions {
  readonly lease: { readonly namespace: string; readonly name: string };
  /** Never shared by two processes, nor used again by the next one: a host's name and something random. */
  readonly identity: string;
  /** Others take the lease when it was not renewed for this long; 15 s by default. */
  readonly leaseMs?: number;
  /** A leader that could not renew for this long stops; 10 s by default. Shorter than `leaseMs`, which is what makes it safe. */
  readonly renewDeadlineMs?: number;
  /** Between two tries; 2 s when not given. */
  readonly retryMs?: number;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly log?: Logger;
  /** Tells who leads whenever that changes. */
  readonly onLeader?: (identity: string) => void;
}

export type LeadershipEnd = 'lost' | 'stopped' | 'finished';

/**
 * At most one of several processes leads.
 *
 * - A leader counts its time from when it *sent* the last renewal that succeeded, the others theirs from when they *saw* it; as the
 *   leader's time is the shorter, it has stopped before another starts. Only the rates of their clocks must agree, not the clocks.
 * - When the time is up the leader's signal aborts at once, whatever request is under way. Work that cannot watch a signal checks
 *   `isLeader` right before it acts: after a long pause the clock knows sooner than a timer.
 * - The leader releases its lease when it shuts down, so the next one does not wait for it to expire.
 */
export class LeaderElector {
  readonly #client: ApiClient;
  readonly #options: LeaderElectionOptions;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #log: Logger;
  readonly #leaseMs: number;
  readonly #renewDeadlineMs: number;
  readonly #retryMs: number;
  /** The lease as last seen or written, and when it was first seen so. */
  #observed: { readonly lease: Lease; readonly at: number } | undefined;
  /** Until when this process may act as the leader. In the past when it may not. */
  #leadsUntil = Number.NEGATIVE_INFINITY;

  constructor(client: ApiClient, options: LeaderElectionOptions) {
    this.#client = client;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
    this.#log = (options.log ?? silentLogger).with({ lease: `${options.lease.namespace}/${options.lease.name}` });
    this.#leaseMs = options.leaseMs ?? 15_000;
    this.#renewDeadlineMs = options.renewDeadlineMs ?? 10_000;
    this.#retryMs = options.retryMs ?? 2_000;
    if (this.#renewDeadlineMs >= this.#leaseMs || this.#retryMs * 1.2 >= this.#renewDeadlineMs) {
      throw new Error('leader election needs retryMs × 1.2 < renewDeadlineMs < leaseMs');
    }
  }

  get isLeader(): boolean {
    return this.#clock.now() < this.#leadsUntil;
  }

  /** The identity of the leader as last seen; empty when there is none. */
  get leader(): string {
    return this.#observed?.lease.spec?.holderIdentity ?? '';
  }

  /** Waits for the lease, calls `lead` while it is held, and says why that ended, once `lead` has returned. */
  async run(signal: AbortSignal, lead: (signal: AbortSignal) => Promise<void>): Promise<LeadershipEnd> {
    if (!(await this.#acquire(signal))) return 'stopped';
    this.#log.info('became the leader', { identity: this.#options.identity });
    const term = new AbortController();
    const removeListener = onAbort(signal, () => term.abort(signal.reason));
    const finished = new AbortController();
    try {
      const renewing = this.#renew(term, finished.signal);
      await lead(term.signal).finally(() => finished.abort());
      await renewing;
    } finally {
      removeListener();
      await this.#release();
    }
    if (signal.aborted) return 'stopped';
    return term.signal.aborted ? 'lost' : 'finished';
  }

  async #acquire(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      await this.#tryOnce(signal);
      if (this.isLeader) return true;
      await this.#pause(signal);
    }
    return false;
  }

  /** Holds the lease until the term is over, or ends the term when it cannot. */
  async #renew(term: AbortController, finished: AbortSignal): Promise<void> {
    let cancel = () => {};
    const lose = (why: string) => {
      this.#log.warn('lost the lease', { why });
      this.#leadsUntil = Number.NEGATIVE_INFINITY;
      term.abort(new Error(`lost the lease: ${why}`));
    };
    const arm = () => {
      cancel();
      cancel = this.#clock.after(Math.max(0, this.#leadsUntil - this.#clock.now()), () => {
        if (!this.isLeader) lose(`it was not renewed for ${this.#renewDeadlineMs} ms`);
      });
    };
    arm();
    const over = AbortSignal.any([term.signal, finished]);
    await this.#pause(over);
    while (!over.aborted) {
      await this.#tryOnce(over);
      if (over.aborted) break;
      if (this.leader !== this.#options.identity) lose(`${this.leader || 'nobody'} holds it`);
      else if (this.isLeader) arm();
      await this.#pause(over);
    }
    cancel();
  }

  /** One try to take or renew the lease; success moves `#leadsUntil`. */
  async #tryOnce(signal: AbortSignal): Promise<void> {
    const sent = this.#clock.now();
    const limit = new AbortController();
    const cancel = this.#clock.after(this.#renewDeadlineMs, () => limit.abort(new Error('took too long')));
    const either = AbortSignal.any([signal, limit.signal]);
    try {
      if (await this.#takeOrRenew(sent, either)) this.#leadsUntil = sent + this.#renewDeadlineMs;
    } catch (error) {
      if (!signal.aborted) this.#log.debug('could not take or renew the lease', { error });
    } finally {
      cancel();
    }
  }

  async #takeOrRenew(now: number, signal: AbortSignal): Promise<boolean> {
    const { lease: key, identity } = this.#options;
    const own = this.leader === identity ? this.#observed?.lease : undefined;
    const lease = own ?? (await this.#get(signal));
    if (!lease) {
      const metadata = { namespace: key.namespace, name: key.name };
      const spec = this.#record(undefined, now);
      this.#observe(
        await this.#client.create<Lease>(
          leaseType,
          { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec },
          { signal },
        ),
      );
      return true;
    }
    this.#observe(lease);
    if (!this.#isFree(lease)) return false;
    try {
      const next = { ...lease, spec: { ...lease.spec, ...this.#record(lease.spec, now) } };
      this.#observe(await this.#client.replace(leaseType, next, { signal }));
      return true;
    } catch (error) {
      // What was known is out of date: the next try looks first.
      if (own && (isConflict(error) || isNotFound(error))) {
        const seen = await this.#get(signal);
        if (seen) this.#observe(seen);
        else this.#observed = undefined;
      }
      throw error;
    }
  }

  #get(signal: AbortSignal): Promise<Lease | undefined> {
    return find(this.#client.get<Lease>(leaseType, this.#options.lease, { signal }));
  }

  #isFree({ spec }: Lease): boolean {
    if (!spec?.holderIdentity || spec.holderIdentity === this.#options.identity) return true;
    const heldMs = Math.max(this.#leaseMs, (spec.leaseDurationSeconds ?? 0) * 1000);
    return this.#observed!.at + heldMs <= this.#clock.now();
  }

  #observe(lease: Lease): void {
    const before = this.#observed?.lease;
    if (
      before?.metadata.resourceVersion === lease.metadata.resourceVersion &&
      before?.metadata.uid === lease.metadata.uid
    )
      return;
    this.#observed = { lease, at: this.#clock.now() };
    const holder = lease.spec?.holderIdentity ?? '';
    if (holder !== (before?.spec?.holderIdentity ?? '')) this.#options.onLeader?.(holder);
  }

  #record(old: LeaseRecord | undefined, now: number): LeaseRecord {
    const time = formatMicroTime(now);
    const kept = old?.holderIdentity === this.#options.identity;
    return {
      holderIdentity: this.#options.identity,
      leaseDurationSeconds: Math.ceil(this.#leaseMs / 1000),
      acquireTime: kept ? (old.acquireTime ?? time) : time,
      renewTime: time,
      leaseTransitions: (old?.leaseTransitions ?? -1) + (kept ? 0 : 1),
    };
  }

  async #release(): Promise<void> {
    const held = this.isLeader ? this.#observed?.lease : undefined;
    this.#leadsUntil = Number.NEGATIVE_INFINITY;
    if (!held) return;
    const time = formatMicroTime(this.#clock.now());
    const spec = { ...held.spec, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: time, renewTime: time };
    const limit = new AbortController();
    const cancel = this.#clock.after(this.#retryMs, () => limit.abort(new Error('took too long')));
    try {
      this.#observe(await this.#client.replace(leaseType, { ...held, spec }, { signal: limit.signal }));
    } catch (error) {
      this.#log.debug('could not give back the lease; it runs out by itself', { error });
      this.#observed = undefined;
    } finally {
      cancel();
    }
  }

  #pause(signal: AbortSignal): Promise<void> {
    const ms = this.#retryMs * (1 + 0.2 * this.#random());
    return sleep(this.#clock, ms, signal).catch(() => {});
  }
}
