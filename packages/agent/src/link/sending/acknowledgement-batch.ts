import type { Clock } from '@fairlead/kube';

/** So long an answer waits for others. */
const answerMs = 2;
const most = 100;

/** AcknowledgementBatch of about the same time go out together. */
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

  /** This number was dealt with. Of those that go together the first names the trace. */
  add(number: number, trace: string | undefined): void {
    if (this.#numbers.length === 0) this.#trace = trace;
    this.#numbers.push(number);
    if (this.#numbers.length >= most) return this.#flush();
    if (this.#numbers.length > 1) return;
    this.#cancel = this.#clock.after(answerMs, () => this.#flush());
  }

  /** The connection is gone: on the next one everything is said again. */
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
