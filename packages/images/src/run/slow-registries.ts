import { type Clock, limits } from '@fairlead/kube';
import { SharedTimeout } from './shared-timeout.ts';

/**
 * Registries that delay updates. An update holds its slot while registries respond quickly; after a longer wait, the slot is released, and
 * other updates with the same registries release theirs at once. So a registry that hangs delays no other.
 */
export class SlowRegistries {
  readonly #slotTimeout: SharedTimeout;
  /** Updates that wait for a registry, by its name. */
  readonly #waiting = new Map<string, number>();

  constructor(clock: Clock) {
    this.#slotTimeout = new SharedTimeout(clock, limits.imageSlotMs);
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
    if (this.#isSlow(registries)) becomeSlow();
    else cancel = this.#slotTimeout.start(becomeSlow);
    try {
      return await answers;
    } finally {
      cancel();
      if (isSlow) for (const registry of registries) this.#forget(registry);
    }
  }

  #isSlow(registries: ReadonlySet<string>): boolean {
    if (this.#waiting.size === 0) return false;
    return [...registries].some((registry) => this.#waiting.has(registry));
  }

  #forget(registry: string): void {
    const left = (this.#waiting.get(registry) ?? 0) - 1;
    if (left > 0) this.#waiting.set(registry, left);
    else this.#waiting.delete(registry);
  }
}
