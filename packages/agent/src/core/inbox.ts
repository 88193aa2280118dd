/**
 * Which messages of the peer have been dealt with, so that one that comes twice, or after a newer one of its subject, is
 * answered and not carried out. Numbers are compared within one epoch of the sender: a new one begins with nothing known.
 */
export class Inbox {
  readonly #limit: number;
  readonly #done = new Map<string, number>();
  #epoch = '';

  constructor(limit = 200_000) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#done.size;
  }

  /** Whether it has been dealt with, or something newer about the same subject has. */
  knows(epoch: string, subject: string, number: number): boolean {
    return epoch === this.#epoch && number <= (this.#done.get(subject) ?? -1);
  }

  done(epoch: string, subject: string, number: number): void {
    if (epoch !== this.#epoch) {
      this.#done.clear();
      this.#epoch = epoch;
    }
    // Moved to the end: what is forgotten first is what was heard of longest ago.
    const last = this.#done.get(subject) ?? -1;
    this.#done.delete(subject);
    this.#done.set(subject, Math.max(last, number));
    if (this.#done.size <= this.#limit) return;
    const [oldest] = this.#done.keys();
    if (oldest !== undefined) this.#done.delete(oldest);
  }
}
