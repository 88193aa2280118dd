import {
  find,
  formatMicroTime,
  isAlreadyExists,
  isConflict,
  isNotFound,
  leaseType,
  messageOf,
} from '@fairlead/apimachinery';
import { onAbort } from '../abort.ts';
import type { ApiClient } from '../client/api-client.ts';
import { type Clock, sleep, systemClock } from '../clock.ts';
import { type Logger, silentLogger } from '../logger.ts';
import { type Random, systemRandom } from '../random.ts';
import type { Lease, LeaseRecord } from './lease.ts';

export interface LeaderElectionOptions {
  readonly lease: { readonly namespace: string; readonly name: string };
  /** Unique per process, and not reused by the next one: the host name and a random suffix. */
  readonly identity: string;
  /** Other candidates take the lease if it was not renewed for this long; 8 s by default. */
  readonly leaseMs?: number;
  /** A leader that could not renew for this long stops; 5.5 s by default. It must be shorter than `leaseMs`. */
  readonly renewDeadlineMs?: number;
  /** The interval between attempts; 1.5 s by default. */
  readonly retryMs?: number;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly log?: Logger;
  /** Called with the identity of the leader whenever it changes. */
  readonly onLeader?: (identity: string) => void;
}

export type LeadershipEnd = 'lost' | 'stopped' | 'finished';

/**
 * At most one of several processes is the leader.
 *
 * - A leader measures its time from when it *sent* the last successful renewal, the others from when they *observed* it; as the time of the
 *   leader is shorter, it has stopped before another starts. Only the rates of their clocks must agree, not the clocks.
 * - When the time is up the signal of the leader aborts at once, even during a request. Work that cannot watch a signal checks `isLeader`
 *   right before it acts: after a long pause the clock is checked before a timer fires.
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
  /** The last observed or written lease, and when it was first observed. */
  #observed: { readonly lease: Lease; readonly at: number } | undefined;
  #reported: string | undefined;
  /** The time until which this process may act as the leader. In the past if it may not. */
  #leadsUntil = Number.NEGATIVE_INFINITY;

  constructor(client: ApiClient, options: LeaderElectionOptions) {
    this.#client = client;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
    this.#log = (options.log ?? silentLogger).with({ lease: `${options.lease.namespace}/${options.lease.name}` });
    this.#leaseMs = options.leaseMs ?? 8_000;
    this.#renewDeadlineMs = options.renewDeadlineMs ?? 5_500;
    this.#retryMs = options.retryMs ?? 1_500;
    if (this.#renewDeadlineMs >= this.#leaseMs || this.#retryMs * 1.2 >= this.#renewDeadlineMs) {
      throw new Error('leader election needs retryMs × 1.2 < renewDeadlineMs < leaseMs');
    }
  }

  get isLeader(): boolean {
    return this.#clock.now() < this.#leadsUntil;
  }

  /** The identity of the last observed leader; empty if there is none. */
  get leader(): string {
    return this.#observed?.lease.spec?.holderIdentity ?? '';
  }

  /** Waits for the lease, calls `lead` while it is held, and returns why that ended, once `lead` has returned. */
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

  /** Renews the lease until the term is over, or ends the term if it cannot. */
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

  /** One attempt to acquire or renew the lease; success moves `#leadsUntil`. */
  async #tryOnce(signal: AbortSignal): Promise<void> {
    const sent = this.#clock.now();
    const limit = new AbortController();
    const cancel = this.#clock.after(this.#renewDeadlineMs, () => limit.abort(new Error('took too long')));
    const either = AbortSignal.any([signal, limit.signal]);
    try {
      if (await this.#takeOrRenew(sent, either)) this.#leadsUntil = sent + this.#renewDeadlineMs;
      this.#reported = undefined;
    } catch (error) {
      if (!signal.aborted) this.#report(error);
    } finally {
      cancel();
    }
  }

  /** A problem that stays, such as a missing namespace or permission, is reported once. */
  #report(error: unknown): void {
    const problem = messageOf(error);
    const isExpected = isConflict(error) || isAlreadyExists(error);
    if (isExpected || problem === this.#reported) this.#log.debug('could not take or renew the lease', { error });
    else this.#log.warn('could not take or renew the lease', { problem });
    if (!isExpected) this.#reported = problem;
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
      // The known lease is stale: the next attempt reads it first.
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
      this.#log.debug('could not release the lease; it will expire', { error });
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
