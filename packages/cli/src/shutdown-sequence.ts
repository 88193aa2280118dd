import { messageOf } from '@fairlead/apimachinery';

/** Called with the name of the step that is being stopped. */
type Now = (name: string) => void;
type Stop = (now: Now) => void | Promise<void>;

/** The started parts, stopped in reverse order. */
export class ShutdownSequence {
  readonly #steps: { readonly name: string; readonly stop: Stop }[] = [];

  add(name: string, stop: Stop): void {
    this.#steps.push({ name, stop });
  }

  /** Stops everything. A failed step is reported and does not prevent the others from stopping. */
  async stop(now: Now = () => {}): Promise<void> {
    for (const { name, stop } of this.#steps.splice(0).toReversed()) {
      now(name);
      try {
        await stop(now);
      } catch (error) {
        console.error(`fairlead: ${name} did not stop cleanly: ${messageOf(error)}`);
      }
    }
  }

  /**
   * Starts something that nothing waits for; a failure is only printed. Stopping it stops whatever it has started
   * so far.
   */
  startInBackground(
    name: string,
    signal: AbortSignal,
    start: (signal: AbortSignal, started: ShutdownSequence) => Promise<void>,
  ): void {
    const working = new AbortController();
    const both = AbortSignal.any([signal, working.signal]);
    const started = new ShutdownSequence();
    const starting = start(both, started).catch((error: unknown) => {
      if (!both.aborted) console.error(`fairlead: ${name} did not start: ${messageOf(error)}`);
    });
    this.add(name, async (now) => {
      working.abort();
      await starting;
      await started.stop((part) => now(`${part} of ${name}`));
    });
  }
}

/** Starts several parts together: if one cannot start, the others are stopped. */
export async function startTogether<T>(
  signal: AbortSignal,
  start: (signal: AbortSignal, started: ShutdownSequence) => Promise<T>,
): Promise<{ readonly parts: T; end(): Promise<void> }> {
  const started = new ShutdownSequence();
  const working = new AbortController();
  const end = (): Promise<void> => {
    working.abort();
    return started.stop();
  };
  try {
    return { parts: await start(AbortSignal.any([signal, working.signal]), started), end };
  } catch (error) {
    await end();
    throw error;
  }
}
