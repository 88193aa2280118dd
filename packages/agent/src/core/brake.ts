import { digest } from './content.ts';
import type { BrakeReport } from './message.ts';

export interface BrakeOptions {
  /** This many deletions are always allowed. */
  readonly count?: number;
  /** Deletions up to this share of all mirrors are always allowed. */
  readonly share?: number;
  /** Deletions within this time count together. */
  readonly windowMs?: number;
}

/**
 * Holds deletions that together would remove more than a share of a side's mirrors, whether they come from a resync or as single
 * messages. They are held until a person confirms exactly this set, or the source has the objects again.
 */
export class DeletionBrake {
  readonly #count: number;
  readonly #share: number;
  readonly #windowMs: number;
  readonly #recent = new Map<string, number>();
  readonly #held = new Set<string>();
  readonly #confirmed = new Set<string>();

  constructor({ count = 10, share = 0.2, windowMs = 60_000 }: BrakeOptions = {}) {
    this.#count = count;
    this.#share = share;
    this.#windowMs = windowMs;
  }

  /** Whether these may be deleted now, given the number of mirrors. If not, they are held. `together`: deletions in progress. */
  allow(uids: readonly string[], mirrors: number, now: number, together = uids.length): boolean {
    for (const [uid, at] of this.#recent) if (now - at > this.#windowMs || now < at) this.#recent.delete(uid);
    const asked = uids.filter((uid) => !this.#confirmed.has(uid));
    const fresh = asked.filter((uid) => !this.#recent.has(uid));
    // Deletions that count in the window are no longer among the mirrors.
    const gone = [...this.#recent.keys()].filter((uid) => !uids.includes(uid)).length;
    const deletions = gone + Math.max(fresh.length, together);
    const tooMany = deletions > this.#count && deletions > this.#share * (mirrors + gone);
    if (fresh.length > 0 && (tooMany || fresh.some((uid) => this.#held.has(uid)))) {
      for (const uid of fresh) this.#held.add(uid);
      return false;
    }
    for (const uid of fresh) this.#recent.set(uid, now);
    return true;
  }

  /** The source has the object: it is not deleted. */
  release(uid: string): void {
    this.#held.delete(uid);
    this.#confirmed.delete(uid);
  }

  /** A resync found that only these are still to be deleted. */
  retain(uids: ReadonlySet<string>): void {
    for (const uid of this.#held) if (!uids.has(uid)) this.#held.delete(uid);
  }

  report(mirrors: number): BrakeReport | undefined {
    if (this.#held.size === 0) return undefined;
    return { token: digest([...this.#held].sort().join()).slice(0, 12), deletions: this.#held.size, of: mirrors };
  }

  /** A person confirms the reported deletions. Returns false if others are held by now. */
  confirm(token: string, mirrors: number): boolean {
    if (this.report(mirrors)?.token !== token) return false;
    for (const uid of this.#held) this.#confirmed.add(uid);
    this.#held.clear();
    return true;
  }

  isConfirmed(uid: string): boolean {
    return this.#confirmed.has(uid);
  }
}
