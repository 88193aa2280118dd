import type { Clock } from '@fairlead/kube';
import { RenderError } from '@fairlead/render';

/** How long a render is assumed to exceed its limits: with less load it may succeed. */
const cacheMs = 60_000;
const maxKept = 10_000;

/**
 * Sources whose render exceeded a limit of time or memory. Live objects of an Application continue to change, and each change requests a
 * comparison: a render that is known to fail after seconds is not repeated for each. All other failures depend only on the inputs of the
 * render, and are cached with the manifests.
 */
export class FailedRenders {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #failed = new Map<string, { readonly error: RenderError; readonly until: number }>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Renders, unless the same render failed recently. `again` forces an attempt. The key is only computed if needed. */
  async attempt<T>(keyOf: () => string, again: boolean, render: () => Promise<T>): Promise<T> {
    if (this.#failed.size > 0) {
      const key = keyOf();
      const known = this.#failed.get(key);
      if (known && !again && this.#clock.now() < known.until) throw known.error;
      this.#failed.delete(key);
    }
    try {
      return await render();
    } catch (error) {
      if (error instanceof RenderError && error.reason === 'LimitExceeded') this.#keep(keyOf(), error);
      throw error;
    }
  }

  #keep(key: string, error: RenderError): void {
    this.#failed.set(key, { error, until: this.#clock.now() + cacheMs });
    const [oldest] = this.#failed.keys();
    if (this.#failed.size > maxKept && oldest !== undefined) this.#failed.delete(oldest);
  }
}
