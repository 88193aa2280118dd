import { type Clock, limits } from '@fairlead/kube';

/**
 * Registries that delay updates. An update holds its slot while registries respond quickly; after a longer wait, the slot is released, and
 * other updates with the same registries release theirs at once. So a registry that hangs delays no other.
 */
export class SlowRegistries {
  readonly #clock: Clock;
  /** Updates that wait for a registry, by its name. */
  readonly #waiting = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits for the responses of registries, and calls `release` if that takes too long. */
  async during<T>(registries: ReadonlySet<string>, answers: Promise<T>, release: () => void): Promise<T> {
    let isSlow = false;
    const becomeSlow = (): void => {
      isSlow = true;
      for (const registry of registries) this.#waiting.set(registry, (this.#waiting.get(registry) ?? 0) + 1);
      release();
    };
    let cancel = (): void => {};
    if ([...registries].some((registry) => this.#waiting.has(registry))) becomeSlow();
    else cancel = this.#clock.after(limits.imageSlotMs, becomeSlow);
    try {
      return await answers;
    } finally {
      cancel();
      if (isSlow) for (const registry of registries) this.#forget(registry);
    }
  }

  #forget(registry: string): void {
    const left = (this.#waiting.get(registry) ?? 0) - 1;
    if (left > 0) this.#waiting.set(registry, left);
    else this.#waiting.delete(registry);
  }
}
