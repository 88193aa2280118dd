import { waitForProcessorMs } from './wait-for-processor.ts';

export interface LagMeasurement {
  /** The longest time in ms that the event loop was blocked by this process, since the last call. */
  take(): number;
  /** Ends the measurement. Returns what `take` does. */
  stop(): number;
}

/**
 * Measures how long this thread blocks its event loop. Time in which it was ready to run and another process had the processor does not
 * count: that is the load of the machine, not of the code under test. Linux reports it in `schedstat`; elsewhere the whole delay counts.
 */
export function measureEventLoopLag(intervalMs = 5): LagMeasurement {
  let longest = 0;
  let last = performance.now();
  let lastWait = waitForProcessorMs();
  const sample = (): void => {
    const now = performance.now();
    const delay = now - last - intervalMs;
    // Most delays are short, and skip one read of the file.
    if (delay > longest) longest = Math.max(longest, delay - (waitForProcessorMs() - lastWait));
    last = now;
    lastWait = waitForProcessorMs();
  };
  // A test that fails before it stops the measurement must still exit.
  const timer = setInterval(sample, intervalMs).unref();
  const take = (): number => {
    sample();
    const taken = Math.round(longest);
    longest = 0;
    return taken;
  };
  return {
    take,
    stop() {
      clearInterval(timer);
      return take();
    },
  };
}
