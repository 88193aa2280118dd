/**
 * Records which messages of the peer were processed, so that a duplicate, or a message that is older than another of its subject, is
 * acknowledged and not processed. Numbers are compared within one epoch of the sender; a new epoch starts empty.
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

  /** Whether it was processed, or a newer message about the same subject was. */
  knows(epoch: string, subject: string, number: number): boolean {
    return epoch === this.#epoch && number <= (this.#done.get(subject) ?? -1);
  }

  done(epoch: string, subject: string, number: number): void {
    if (epoch !== this.#epoch) {
      this.#done.clear();
      this.#epoch = epoch;
    }
    // Moved to the end, so that the subject that was received longest ago is dropped first.
    const last = this.#done.get(subject) ?? -1;
    this.#done.delete(subject);
    this.#done.set(subject, Math.max(last, number));
    if (this.#done.size <= this.#limit) return;
    const [oldest] = this.#done.keys();
    if (oldest !== undefined) this.#done.delete(oldest);
  }
}
