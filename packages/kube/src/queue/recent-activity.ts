interface Activity {
  readonly who: string;
  readonly at: number;
}

/** Reports whether other lanes were active recently: a single lane may use all workers. */
export class RecentActivity {
  readonly #recentMs: number;
  #last: Activity | undefined;
  /** The last activity of any lane other than `#last`. */
  #lastOther: Activity | undefined;

  constructor(recentMs = 1_000) {
    this.#recentMs = recentMs;
  }

  /** Records that `who` is active now. Returns whether any other was active within the last `recentMs`. */
  record(who: string, now: number): boolean {
    if (this.#last?.who !== who) this.#lastOther = this.#last;
    this.#last = { who, at: now };
    return this.#lastOther !== undefined && now - this.#lastOther.at <= this.#recentMs;
  }
}
