import { readFileSync } from 'node:fs';

/**
 * How long this thread, or the main thread of a process, has been ready to run while others had the processor, in ms since its start. 0 where
 * the system does not report it.
 */
export function waitForProcessorMs(pid?: number): number {
  try {
    const thread = pid === undefined ? 'thread-self' : `${pid}/task/${pid}`;
    const [, waiting] = readFileSync(`/proc/${thread}/schedstat`, 'utf8').split(' ');
    return Number(waiting) / 1e6;
  } catch {
    return 0;
  }
}

/** Starts a stopwatch for what this thread does: time in which it waited for a processor does not count, as that is the load of the machine. */
export function stopwatch(): () => number {
  const began = performance.now();
  const waited = waitForProcessorMs();
  return () => performance.now() - began - (waitForProcessorMs() - waited);
}
