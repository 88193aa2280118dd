interface Sight {
  readonly who: string;
  readonly at: number;
}

/** Knows whether anyone else has been at work lately: who works alone need not make room. */
export class Company {
  readonly #recentMs: number;
  /** Who was last at work, and the last other than that one. */
  #last: Sight | undefined;
  #lastOther: Sight | undefined;

  constructor(recentMs = 1_000) {
    this.#recentMs = recentMs;
  }

  /** Notes that one is at work now, and says whether others were just before. */
  has(who: string, now: number): boolean {
    if (this.#last?.who !== who) this.#lastOther = this.#last;
    this.#last = { who, at: now };
    return this.#lastOther !== undefined && now - this.#lastOther.at <= this.#recentMs;
  }
}
