import type { OperationState, RetryStrategy } from '@fairlead/api';
import { parseDuration } from '@fairlead/apimachinery';

/** Milliseconds of `5s`, `2m30s`, or a bare number of seconds; the default when there is none. Throws for anything else. */
export function retryDuration(text: string | undefined, otherwise: number): number {
  if (!text) return otherwise;
  if (/^\d+$/u.test(text)) return Number(text) * 1000;
  const ms = parseDuration(text);
  if (ms === undefined || ms < 0) throw new Error(`unable to parse ${text} as a duration`);
  return ms;
}

/** How long after a failed try the next one comes; undefined when there is none. `tries` counts those that failed, at least 1. */
export function retryDelay(strategy: RetryStrategy | undefined, tries: number): number | undefined {
  const limit = strategy?.limit ?? 0;
  if (limit >= 0 && tries > limit) return undefined;
  const { duration, factor, maxDuration } = strategy?.backoff ?? {};
  const delay = retryDuration(duration, 5_000) * (factor || 2) ** (tries - 1);
  return Math.min(delay, retryDuration(maxDuration, 180_000));
}

/** When a failed operation is tried again: it is Running and has an end. Undefined for one that is under way. */
export function retryAt({ phase, finishedAt, retryCount = 0, operation }: OperationState): number | undefined {
  if (phase !== 'Running' || !finishedAt) return undefined;
  return Date.parse(finishedAt) + (retryDelay(operation.retry, retryCount) ?? 0);
}
