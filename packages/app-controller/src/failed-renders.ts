import type { Clock } from '@fairlead/kube';
import { RenderError } from '@fairlead/render';

/** So long a failure is believed: what it may come from besides the source (the cluster's kinds, remote bases) changes seldom. */
const believedMs = 60_000;
const maxKept = 10_000;

/**
 * Sources that cannot be rendered, and why. Live objects of an Application go on changing while its source is broken, and each change
 * asks for a comparison: the render that is known to fail, perhaps after seconds of work, is not begun again for each.
 */
export class FailedRenders {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #failed = new Map<string, { readonly error: RenderError; readonly until: number }>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Renders, unless the same was tried lately and failed. `again` tries in any case. */
  async attempt<T>(key: string, again: boolean, render: () => Promise<T>): Promise<T> {
    const known = this.#failed.get(key);
    if (known && !again && this.#clock.now() < known.until) throw known.error;
    this.#failed.delete(key);
    try {
      return await render();
    } catch (error) {
      // A limit of time or memory may be met on a quieter day; anything else is the source's own.
      if (error instanceof RenderError && error.reason !== 'LimitExceeded') this.#keep(key, error);
      throw error;
    }
  }

  #keep(key: string, error: RenderError): void {
    this.#failed.set(key, { error, until: this.#clock.now() + believedMs });
    const [oldest] = this.#failed.keys();
    if (this.#failed.size > maxKept && oldest !== undefined) this.#failed.delete(oldest);
  }
}
