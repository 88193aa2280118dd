import type { Clock } from '@fairlead/kube';

/** What happens to an object later than this is not taken for a consequence of the last message about it. */
const followsMs = 10 * 60_000;
const limit = 20_000;

/** By uid, the trace of what was last done here because the peer said so: the status that follows belongs to it. */
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
    if (this.#last.size <= limit) return;
    const [oldest] = this.#last.keys();
    this.#last.delete(oldest!);
  }

  of(uid: string): string | undefined {
    const last = this.#last.get(uid);
    const age = last ? this.#clock.now() - last.at : 0;
    return last && age >= 0 && age <= followsMs ? last.trace : undefined;
  }
}
