import { type Clock, limits } from '@fairlead/kube';

/** The pause after the first failure of a repository. It doubles with each further one, however many Applications ask. */
const firstBackoffMs = 10_000;

/** Keeps a repository that fails from being asked again by each of its Applications: until a pause is over, they get its last error. */
export class RepositoryBackoff {
  readonly #clock: Clock;
  readonly #firstMs: number;
  #failure: { readonly error: unknown; readonly count: number; readonly until: number } | undefined;

  /** `pollMs` is how often the repository is asked anyway. */
  constructor(clock: Clock, pollMs: number) {
    this.#clock = clock;
    this.#firstMs = Math.min(pollMs, firstBackoffMs);
  }

  /** Throws the last error while the pause lasts. */
  check(): void {
    if (this.#failure && this.#clock.now() < this.#failure.until) throw this.#failure.error;
  }

  /** Runs a request now. A failure for which `counts` is true begins a pause, a success ends all. */
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
