import type { Clock } from '../clock.ts';
import type { Lease } from '../leader-election/lease.ts';
import { memberOf, type ShardLeases } from './shard-leases.ts';

interface Observed {
  readonly lease: Lease | undefined;
  /** When this version of its Lease was first seen, by the clock of this process. */
  readonly at: number;
}

/** Finds members of a group that do not renew their Leases. Only the rates of their clocks must agree, not the clocks. */
export class SilentMembers {
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #observed = new Map<string, Observed>();
  /** Members whose Leases this process has deleted, or tried to. */
  readonly #deleted = new Set<string>();

  constructor(clock: Clock, leaseMs: number) {
    this.#clock = clock;
    this.#leaseMs = leaseMs;
  }

  observe(members: readonly string[], leases: readonly Lease[]): void {
    const byMember = new Map(leases.map((lease) => [memberOf(lease), lease]));
    for (const member of members) {
      const lease = byMember.get(member);
      const known = this.#observed.get(member);
      if (!known || versionOf(known.lease) !== versionOf(lease))
        this.#observed.set(member, { lease, at: this.#clock.now() });
    }
    for (const member of this.#observed.keys()) {
      if (members.includes(member)) continue;
      this.#observed.delete(member);
      this.#deleted.delete(member);
    }
  }

  /** The time until the next member may count as gone. */
  get nextExpiryMs(): number {
    const first = Math.min(...[...this.#observed.values()].map(({ at }) => at));
    return first + this.#leaseMs - this.#clock.now();
  }

  /** Makes sure that silent members cannot renew any more, and returns them. */
  async remove(self: string, leases: ShardLeases, signal: AbortSignal): Promise<string[]> {
    const gone: string[] = [];
    for (const [member, { lease, at }] of this.#observed) {
      if (member === self || (!this.#deleted.has(member) && at + this.#leaseMs > this.#clock.now())) continue;
      if (await this.#isGone(member, lease, leases, signal)) gone.push(member);
      else {
        this.#deleted.delete(member);
        this.#observed.delete(member);
      }
    }
    return gone;
  }

  async #isGone(member: string, lease: Lease | undefined, leases: ShardLeases, signal: AbortSignal): Promise<boolean> {
    // The list may be old; and if the last attempt failed half-way, the Lease may be deleted already.
    if (lease === undefined || this.#deleted.has(member)) {
      const current = await leases.of(member, signal);
      if (current === undefined) return true;
      if (versionOf(current) !== versionOf(lease)) return false;
    }
    this.#deleted.add(member);
    return lease !== undefined && leases.remove(lease, signal);
  }
}

const versionOf = (lease: Lease | undefined): string =>
  lease ? `${lease.metadata.uid ?? ''}/${lease.metadata.resourceVersion ?? ''}` : '';
