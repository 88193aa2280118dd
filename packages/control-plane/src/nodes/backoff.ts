const first = 10_000;
const most = 300_000;

/** The back-off of the kubelet, for pulls and restarts: 10 s, doubling to 5 min; reset after twice the maximum without a failure. */
export class BackOff {
  #delay = 0;
  #last = Number.NEGATIVE_INFINITY;

  /** Records a failure and returns the delay after it. */
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
