import type { Clock } from '@fairlead/kube';

/** An acknowledgement waits this long for others. */
const answerMs = 2;
const most = 100;

/** Sends acknowledgements of about the same time in one message. */
export class AcknowledgementBatch {
  readonly #clock: Clock;
  readonly #send: (of: number, also: readonly number[], trace: string | undefined) => void;
  readonly #numbers: number[] = [];
  #trace: string | undefined;
  #cancel = () => {};

  constructor(clock: Clock, send: (of: number, also: readonly number[], trace: string | undefined) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  /** Acknowledges a number. The trace of a batch is that of its first number. */
  add(number: number, trace: string | undefined): void {
    if (this.#numbers.length === 0) this.#trace = trace;
    this.#numbers.push(number);
    if (this.#numbers.length >= most) return this.#flush();
    if (this.#numbers.length > 1) return;
    this.#cancel = this.#clock.after(answerMs, () => this.#flush());
  }

  /** The connection is lost: the peer sends everything again on the next one. */
  drop(): void {
    this.#cancel();
    this.#numbers.length = 0;
  }

  #flush(): void {
    this.#cancel();
    const [of, ...also] = this.#numbers.splice(0);
    if (of !== undefined) this.#send(of, also, this.#trace);
  }
}
