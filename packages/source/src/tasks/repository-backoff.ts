import { type Clock, limits } from '@fairlead/kube';

/** The delay after the first failure of a repository. It doubles with each further one, regardless of the number of Applications. */
const firstBackoffMs = 10_000;

/** Prevents requests to a failing repository by each of its Applications: until the delay has passed, they get its last error. */
export class RepositoryBackoff {
  readonly #clock: Clock;
  readonly #firstMs: number;
  #failure: { readonly error: unknown; readonly count: number; readonly until: number } | undefined;

  /** `pollMs` is the regular poll interval of the repository. */
  constructor(clock: Clock, pollMs: number) {
    this.#clock = clock;
    this.#firstMs = Math.min(pollMs, firstBackoffMs);
  }

  /** Throws the last error during the delay. */
  check(): void {
    if (this.#failure && this.#clock.now() < this.#failure.until) throw this.#failure.error;
  }

  /** Runs a request now. A failure for which `counts` is true starts a delay, a success resets it. */
  async run<T>(request: () => Promise<T>, counts: (error: unknown) => boolean = () => true): Promise<T> {
    try {
      const result = await request();
      this.#failure = undefined;
      return result;
    } catch (error) {
      if (counts(error)) {
        const count = (this.#failure?.count ?? 0) + 1;
        const pause = Math.min(limits.sourceBackoffMs, this.#firstMs * 2 ** (count - 1));
        this.#failure = { error, count, until: this.#clock.now() + pause };
      }
      throw error;
    }
  }
}
