import { type Clock, limits } from '@fairlead/kube';
import type { LogEntry } from './log-entry.ts';

interface Source {
  readonly entries: LogEntry[];
  isEnded: boolean;
  /** Called when there is room again. */
  resume: () => void;
}

/**
 * Entries of several logs in the order of their times. A log without a new entry holds up the others for `limits.apiLogWaitMs`. No log is read
 * further ahead than `limits.apiLogEntries`: who reads slowly slows down the logs.
 */
export async function* mergeLogs(
  logs: readonly AsyncIterable<LogEntry>[],
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<LogEntry> {
  const [only] = logs;
  if (only && logs.length === 1) {
    // Nothing to wait for, so nothing is read ahead.
    for await (const entry of only) {
      if (signal.aborted) return;
      yield entry;
    }
    return;
  }
  let wake = (): void => {};
  let failure: { readonly error: unknown } | undefined;
  const sources = logs.map((): Source => ({ entries: [], isEnded: false, resume: () => {} }));
  const pump = async (log: AsyncIterable<LogEntry>, source: Source): Promise<void> => {
    try {
      for await (const entry of log) {
        source.entries.push(entry);
        wake();
        while (source.entries.length >= limits.apiLogEntries && !signal.aborted) {
          await new Promise<void>((resolve) => {
            source.resume = resolve;
          });
        }
        if (signal.aborted) return;
      }
    } catch (error) {
      failure ??= { error };
    } finally {
      source.isEnded = true;
      wake();
    }
  };
  const stop = (): void => {
    for (const { resume } of sources) resume();
    wake();
  };
  signal.addEventListener('abort', stop, { once: true });
  for (const [i, log] of logs.entries()) {
    const source = sources[i];
    if (source) void pump(log, source);
  }
  let waitedUntil = 0;
  while (!signal.aborted) {
    const open = sources.filter(({ entries, isEnded }) => entries.length > 0 || !isEnded);
    const filled = open.filter(({ entries }) => entries.length > 0);
    const isComplete = filled.length === open.length;
    if (filled.length > 0 && (isComplete || (waitedUntil > 0 && clock.now() >= waitedUntil))) {
      const oldest = filled.reduce((a, b) => (timeOf(b) < timeOf(a) ? b : a));
      const entry = oldest.entries.shift();
      oldest.resume();
      if (entry) yield entry;
      if (isComplete) waitedUntil = 0;
      continue;
    }
    if (failure) throw failure.error;
    if (open.length === 0) return;
    if (filled.length > 0 && waitedUntil === 0) waitedUntil = clock.now() + limits.apiLogWaitMs;
    if (filled.length === 0) waitedUntil = 0;
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (filled.length > 0) clock.after(Math.max(1, waitedUntil - clock.now()), resolve);
    });
  }
}

const timeOf = ({ entries: [first] }: Source): bigint => first?.time ?? 0n;
