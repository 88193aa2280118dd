import type { Clock } from '@fairlead/kube';

/** A change after this time does not count as a result of the last message about the object. */
const followsMs = 10 * 60_000;
const limit = 20_000;

/** By uid, the trace of the peer's last message about it: the status changes that follow belong to the same trace. */
export class RecentTraces {
  readonly #clock: Clock;
  readonly #last = new Map<string, { readonly trace: string; readonly at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(uid: string, trace: string | undefined): void {
    if (trace === undefined) return;
    this.#last.delete(uid);
    this.#last.set(uid, { trace, at: this.#clock.now() });
    const [oldest] = this.#last.keys();
    if (oldest !== undefined && this.#last.size > limit) this.#last.delete(oldest);
  }

  of(uid: string): string | undefined {
    const last = this.#last.get(uid);
    const age = last ? this.#clock.now() - last.at : 0;
    return last && age >= 0 && age <= followsMs ? last.trace : undefined;
  }
}
