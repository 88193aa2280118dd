import { messageOf } from '@fairlead/apimachinery';
import { untilAborted } from '../abort.ts';
import type { ApiClient } from '../client/api-client.ts';
import { type Clock, sleep, systemClock } from '../clock.ts';
import type { Lease } from '../leader-election/lease.ts';
import { type Logger, silentLogger } from '../logger.ts';
import { type Random, systemRandom } from '../random.ts';
import { Assignment, type GroupOf } from './assignment.ts';
import { HeldKeys } from './held-keys.ts';
import { acknowledgedEpoch, groupMapOf, memberOf, ShardLeases } from './shard-leases.ts';
import { readShardMap, type ShardMap, samePins } from './shard-map.ts';
import { SilentMembers } from './silent-members.ts';

export interface ShardOptions {
  /** The Lease of the group. */
  readonly lease: { readonly namespace: string; readonly name: string };
  /** Unique per process, and not reused by the next one. */
  readonly identity: string;
  /** A member that did not renew for this long is removed from the group; 8 s by default. */
  readonly leaseMs?: number;
  /** A member that could not renew for this long stops working; 5.5 s by default. It must be shorter than `leaseMs`. */
  readonly renewDeadlineMs?: number;
  /** The interval between renewals; 1.5 s by default. */
  readonly retryMs?: number;
  /** The shards of groups of keys; the first member writes them into the map. */
  readonly pins?: () => ShardMap['pins'];
  /** The group of a key for the pins. */
  readonly groupOf?: GroupOf;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly log?: Logger;
}

/** Called when the keys that this process may work on have changed. */
export type ShardListener = (before: Assignment, after: Assignment) => void;

/** While members have not acknowledged a map, it is read more often. */
const settleMs = 250;

/**
 * A process that shares keys with others: each key belongs to one member at a time.
 *
 * - All members agree on the map of an epoch, because it is one object that is only changed by a compare-and-swap.
 * - A member stops working on the keys that a new map takes from it, and acknowledges the epoch once that work has ended. A member works on the
 *   keys that it gains once every member of the map has acknowledged exactly this epoch.
 * - A member that does not renew its Lease is removed: first its Lease is deleted, if it is still the one that was observed, so that it cannot renew
 *   any more, then the map changes. By then it has stopped working, because its own deadline is shorter, as for `LeaderElector`.
 * - The group as a whole holds a Lease, so that a process that works alone (`LeaderElector` with the same Lease) and the group exclude each other.
 */
export class ShardMember {
  readonly identity: string;
  readonly #leases: ShardLeases;
  readonly #options: ShardOptions;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #log: Logger;
  readonly #leaseMs: number;
  readonly #renewDeadlineMs: number;
  readonly #retryMs: number;
  readonly #groupOf: GroupOf;
  readonly #silent: SilentMembers;
  readonly #held = new HeldKeys(() => this.#acknowledge());
  readonly #listeners = new Set<ShardListener>();
  #own: { readonly lease: Lease; readonly renewedAt: number } | undefined;
  /** The Lease of the group as last read or written, and when this version was first seen. */
  #group: { readonly lease: Lease; readonly at: number } | undefined;
  /** When the last read of the group's Lease was sent. */
  #groupReadAt = Number.NEGATIVE_INFINITY;
  #ownUntil = Number.NEGATIVE_INFINITY;
  #groupUntil = Number.NEGATIVE_INFINITY;
  #joined = false;
  /** The last map that all members acknowledged, and those since. */
  #settled: ShardMap | undefined;
  #unsettled: ShardMap[] = [];
  #acknowledged = 0;
  #assignment: Assignment;
  /** Ends the pause between two rounds. */
  #wake = new AbortController();
  /** Whether the next round should follow soon, because a write of this one was outdated. */
  #isEager = false;
  #cancelExpiry = () => {};
  #problem: string | undefined;

  constructor(client: ApiClient, options: ShardOptions) {
    this.#options = options;
    this.identity = options.identity;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
    this.#log = (options.log ?? silentLogger).with({ lease: `${options.lease.namespace}/${options.lease.name}` });
    this.#leaseMs = options.leaseMs ?? 8_000;
    this.#renewDeadlineMs = options.renewDeadlineMs ?? 5_500;
    this.#retryMs = options.retryMs ?? 1_500;
    if (this.#renewDeadlineMs >= this.#leaseMs || this.#retryMs * 1.2 >= this.#renewDeadlineMs) {
      throw new Error('shards need retryMs × 1.2 < renewDeadlineMs < leaseMs');
    }
    this.#groupOf = options.groupOf ?? (() => undefined);
    this.#assignment = new Assignment(this.identity, this.#groupOf);
    this.#leases = new ShardLeases({ client, lease: options.lease, identity: this.identity, leaseMs: this.#leaseMs });
    this.#silent = new SilentMembers(this.#clock, this.#leaseMs);
  }

  /** Whether this process may work on the key now. Work that cannot watch a signal checks it right before it acts. */
  owns(key: string): boolean {
    return this.#isValid && this.#assignment.owns(key);
  }

  /** The newest map that this member is part of. */
  get map(): ShardMap | undefined {
    return this.#unsettled.at(-1) ?? this.#settled;
  }

  /** Whether it has a share: all members have acknowledged a map with this process. */
  get isSettled(): boolean {
    return this.#isValid && this.#settled !== undefined;
  }

  /** Whether this process is a member of the group, and may work. */
  get isMember(): boolean {
    return this.#isValid;
  }

  onChange(listener: ShardListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Runs `work` if this process owns the key; its signal aborts when another member owns the key. */
  hold<T>(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> | undefined {
    return this.owns(key) ? this.#held.during(key, signal, work) : undefined;
  }

  /** Joins the group and stays a member until the signal aborts; then it leaves, so that others take over at once. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#wake = new AbortController();
      this.#isEager = false;
      await this.#step(signal);
      await sleep(this.#clock, this.#delay(), AbortSignal.any([signal, this.#wake.signal])).catch(() => {});
    }
    await this.#leave();
  }

  get #isValid(): boolean {
    return this.#joined && this.#clock.now() < Math.min(this.#ownUntil, this.#groupUntil);
  }

  /** One round of requests, limited so that a request that hangs is repeated before the deadline of the Lease. */
  async #step(signal: AbortSignal): Promise<void> {
    const limit = new AbortController();
    const cancel = this.#clock.after(2 * this.#retryMs, () => limit.abort(new Error('took too long')));
    try {
      await this.#renewAndRead(AbortSignal.any([signal, limit.signal]));
      this.#problem = undefined;
    } catch (error) {
      const problem = messageOf(error);
      if (!signal.aborted && problem !== this.#problem)
        this.#log.warn('could not renew the lease of a shard', { problem });
      this.#problem = problem;
    } finally {
      cancel();
    }
  }

  async #renewAndRead(signal: AbortSignal): Promise<void> {
    await this.#renewOwn(signal);
    if (!this.#own) return;
    const group = await this.#readGroup(signal);
    const leases = await this.#leases.members(signal);
    const map = groupMapOf(group);
    if (!map) {
      this.#drop();
      if (this.#isFree(group)) await this.#found(group, leases, signal);
      return;
    }
    if (!this.#joined || !map.members.includes(this.identity)) {
      this.#drop();
      return this.#join(group, map, signal);
    }
    this.#adopt(map);
    this.#settle(map, leases);
    this.#silent.observe(map.members, leases);
    await this.#maintain(group, map, signal);
  }

  async #renewOwn(signal: AbortSignal): Promise<void> {
    const sent = this.#clock.now();
    const own = this.#own;
    const isCurrent = own && acknowledgedEpoch(own.lease) === this.#acknowledged;
    if (isCurrent && sent - own.renewedAt < 0.8 * this.#retryMs) return;
    const written = await this.#leases.writeOwn(own?.lease, this.#acknowledged, sent, signal);
    if (written) {
      this.#own = { lease: written, renewedAt: sent };
      this.#ownUntil = sent + this.#renewDeadlineMs;
      return this.#update();
    }
    const seen = await this.#leases.own(signal);
    // Another member has deleted it: what this process worked on belongs to others now.
    if (own && seen?.metadata.uid !== own.lease.metadata.uid) this.#drop();
    this.#own = seen && { lease: seen, renewedAt: Number.NEGATIVE_INFINITY };
    this.#isEager = true;
  }

  /**
   * Nobody takes the Lease of the group within `leaseMs` after its last renewal. This process did not see that renewal when it sent the read
   * before, so the renewal was later than that.
   */
  async #readGroup(signal: AbortSignal): Promise<Lease | undefined> {
    const sent = this.#clock.now();
    const lease = await this.#leases.group(signal);
    if (lease?.metadata.resourceVersion !== this.#group?.lease.metadata.resourceVersion) {
      if (groupMapOf(lease)) this.#groupUntil = Math.max(this.#groupUntil, this.#groupReadAt + this.#renewDeadlineMs);
      this.#group = lease && { lease, at: this.#clock.now() };
    }
    this.#groupReadAt = sent;
    this.#update();
    return lease;
  }

  async #writeGroup(old: Lease | undefined, map: ShardMap, signal: AbortSignal): Promise<boolean> {
    const sent = this.#clock.now();
    const lease = await this.#leases.writeGroup(old, map, sent, signal);
    if (!lease) {
      this.#isEager = true;
      return false;
    }
    this.#group = { lease, at: this.#clock.now() };
    this.#groupUntil = sent + this.#renewDeadlineMs;
    this.#update();
    return true;
  }

  /** Whether the group may take its Lease from another holder. */
  #isFree(lease: Lease | undefined): boolean {
    if (!lease || memberOf(lease) === '') return true;
    const heldMs = Math.max(this.#leaseMs, (lease.spec?.leaseDurationSeconds ?? 0) * 1000);
    return (this.#group?.at ?? this.#clock.now()) + heldMs <= this.#clock.now();
  }

  /** Members of a group whose map is gone are part of the new one: they have to acknowledge it before anyone works. */
  async #found(old: Lease | undefined, leases: readonly Lease[], signal: AbortSignal): Promise<void> {
    const former = leases.filter((lease) => acknowledgedEpoch(lease) > 0).map(memberOf);
    const last = (old && readShardMap(old)?.epoch) ?? 0;
    const epochs = [last, this.#acknowledged, ...leases.map(acknowledgedEpoch)];
    const members = [...new Set([...former, this.identity])];
    await this.#enter(old, { epoch: Math.max(...epochs) + 1, members, pins: this.#options.pins?.() ?? {} }, signal);
  }

  /** A member that is in the map, but was removed or restarted, joins again: it may hold nothing of before. */
  #join(old: Lease | undefined, { epoch, members, pins }: ShardMap, signal: AbortSignal): Promise<void> {
    const next = members.includes(this.identity) ? members : [...members, this.identity];
    return this.#enter(old, { epoch: epoch + 1, members: next, pins }, signal);
  }

  async #enter(old: Lease | undefined, map: ShardMap, signal: AbortSignal): Promise<void> {
    if (!(await this.#writeGroup(old, map, signal))) return;
    this.#joined = true;
    this.#log.info('joined the shards', { identity: this.identity, epoch: map.epoch, members: map.members.length });
    this.#adopt(map);
  }

  /** Stops the work on keys that the map takes from this member. */
  #adopt(map: ShardMap): void {
    if (map.epoch <= (this.map?.epoch ?? 0)) return;
    this.#unsettled.push(map);
    this.#update();
    this.#acknowledge();
  }

  #acknowledge(): void {
    const { map } = this;
    if (!map || map.epoch <= this.#acknowledged || !this.#held.areWithin(this.#assigned().owns)) return;
    this.#acknowledged = map.epoch;
    this.#wake.abort();
  }

  /** Once all members have acknowledged the map, nobody works on what this member gained. */
  #settle(map: ShardMap, leases: readonly Lease[]): void {
    if (this.#unsettled.length === 0) return;
    const epochs = new Map(leases.map((lease) => [memberOf(lease), acknowledgedEpoch(lease)]));
    if (!map.members.every((member) => epochs.get(member) === map.epoch)) return;
    this.#settled = map;
    this.#unsettled = [];
    this.#log.info('the shards have settled', { epoch: map.epoch, members: map.members.length });
    this.#update();
  }

  /** Removes members that do not renew, updates the pins, and renews the Lease of the group if nobody else has. */
  async #maintain(group: Lease | undefined, map: ShardMap, signal: AbortSignal): Promise<void> {
    const gone = await this.#silent.remove(this.identity, this.#leases, signal);
    const members = map.members.filter((member) => !gone.includes(member));
    const pins = members[0] === this.identity ? (this.#options.pins?.() ?? {}) : map.pins;
    if (gone.length > 0 || !samePins(pins, map.pins)) {
      const next = { epoch: map.epoch + 1, members, pins };
      if (!(await this.#writeGroup(group, next, signal))) return;
      if (gone.length > 0)
        this.#log.warn('removed shards that did not renew their leases', { members: gone.join(', ') });
      return this.#adopt(next);
    }
    const age = this.#clock.now() - (this.#group?.at ?? 0);
    if (age >= this.#retryMs) await this.#writeGroup(group, map, signal);
  }

  /** This process is not a member any more. */
  #drop(): void {
    this.#joined = false;
    this.#settled = undefined;
    this.#unsettled = [];
    this.#update();
  }

  #assigned(): Assignment {
    const maps = this.#settled ? [this.#settled, ...this.#unsettled] : [];
    return new Assignment(this.identity, this.#groupOf, maps);
  }

  /** Aborts work on what this process may not hold any more, and tells the listeners. */
  #update(): void {
    const isValid = this.#isValid;
    const before = this.#assignment;
    const after = isValid ? this.#assigned() : new Assignment(this.identity, this.#groupOf);
    this.#cancelExpiry();
    if (isValid) {
      const left = Math.min(this.#ownUntil, this.#groupUntil) - this.#clock.now();
      this.#cancelExpiry = this.#clock.after(Math.max(0, left), () => this.#update());
    }
    if (after.equals(before)) return;
    this.#assignment = after;
    this.#held.giveUp(after.owns);
    for (const listener of this.#listeners) listener(before, after);
  }

  #delay(): number {
    if (this.#isEager || this.#unsettled.length > 0) return settleMs * (1 + 0.2 * this.#random());
    const regular = this.#retryMs * (1 + 0.2 * this.#random());
    return Math.max(10, Math.min(regular, this.#silent.nextExpiryMs));
  }

  async #leave(): Promise<void> {
    const [joined, own] = [this.#joined, this.#own?.lease];
    this.#drop();
    this.#cancelExpiry();
    if (!joined || !own) return;
    const limit = new AbortController();
    const cancel = this.#clock.after(2 * this.#retryMs, () => limit.abort(new Error('took too long')));
    try {
      // Work that does not end in time: the Lease expires, and others wait for that.
      await untilAborted(this.#held.ended(), limit.signal);
      for (let attempt = 0; attempt < 5; attempt++) {
        const group = await this.#leases.group(limit.signal);
        const map = groupMapOf(group);
        if (!map?.members.includes(this.identity)) break;
        const members = map.members.filter((member) => member !== this.identity);
        const next = { ...map, epoch: map.epoch + 1, members };
        if (await this.#leases.writeGroup(group, next, this.#clock.now(), limit.signal)) break;
      }
      await this.#leases.remove(own, limit.signal);
    } catch (error) {
      this.#log.debug('could not leave the shards; the lease will expire', { error });
    } finally {
      cancel();
    }
  }
}
