import type { OperationState, RetryStrategy } from '@fairlead/api';

/** Milliseconds of `5s`, `2m30s`, or a bare number of seconds; the default when there is none. Throws for what is none of these. */
export function parseDuration(text: string | undefined, otherwise: number): number {
  if (!text) return otherwise;
  if (/^\d+$/u.test(text)) return Number(text) * 1000;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/gu)];
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== text) {
    throw new Error(`retry: '${text}' is no duration: write such as "5s", "2m" or "1h30m"`);
  }
  const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * units[unit!]!, 0);
}

/** How long after a failed try the next one comes; undefined when there is none. `tries` counts those that failed, at least 1. */
export function retryDelay(strategy: RetryStrategy | undefined, tries: number): number | undefined {
  const limit = strategy?.limit ?? 0;
  if (limit >= 0 && tries > limit) return undefined;
  const { duration, factor, maxDuration } = strategy?.backoff ?? {};
  const delay = parseDuration(duration, 5_000) * (factor || 2) ** (tries - 1);
  return Math.min(delay, parseDuration(maxDuration, 180_000));
}

/** When a failed operation is tried again: it is Running and has an end. Undefined for one that is under way. */
export function retryAt({ phase, finishedAt, retryCount = 0, operation }: OperationState): number | undefined {
  if (phase !== 'Running' || !finishedAt) return undefined;
  return Date.parse(finishedAt) + (retryDelay(operation.retry, retryCount) ?? 0);
}
