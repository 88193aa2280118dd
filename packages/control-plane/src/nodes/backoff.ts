const first = 10_000;
const most = 300_000;

/** The kubelet's back-off, for pulls and for restarts: 10 s, doubling to 5 min; forgotten after twice the most without a failure. */
export class BackOff {
  #delay = 0;
  #last = Number.NEGATIVE_INFINITY;

  /** Notes a failure and says how long to wait after it. */
  next(now: number): number {
    if (now - this.#last > 2 * most) this.#delay = 0;
    this.#delay = Math.min(this.#delay === 0 ? first : this.#delay * 2, most);
    this.#last = now;
    return this.#delay;
  }

  get delay(): number {
    return this.#delay;
  }
}
