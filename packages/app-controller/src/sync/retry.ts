import type { OperationState, RetryStrategy } from '@fairlead/api';
import { parseDuration } from '@fairlead/apimachinery';

/** Milliseconds of `5s`, `2m30s`, or a bare number of seconds; the default if absent. Throws for anything else. */
export function retryDuration(text: string | undefined, otherwise: number): number {
  if (!text) return otherwise;
  if (/^\d+$/u.test(text)) return Number(text) * 1000;
  const ms = parseDuration(text);
  if (ms === undefined || ms < 0) throw new Error(`unable to parse ${text} as a duration`);
  return ms;
}

/** The delay between a failed attempt and the next; undefined if there is none. `tries` counts failed attempts, at least 1. */
export function retryDelay(strategy: RetryStrategy | undefined, tries: number): number | undefined {
  const limit = strategy?.limit ?? 0;
  if (limit >= 0 && tries > limit) return undefined;
  const { duration, factor, maxDuration } = strategy?.backoff ?? {};
  const delay = retryDuration(duration, 5_000) * (factor || 2) ** (tries - 1);
  return Math.min(delay, retryDuration(maxDuration, 180_000));
}

/** When a failed operation is retried: it is Running and has a finish time. Undefined for one in progress. */
export function retryAt({ phase, finishedAt, retryCount = 0, operation }: OperationState): number | undefined {
  if (phase !== 'Running' || !finishedAt) return undefined;
  return Date.parse(finishedAt) + (retryDelay(operation.retry, retryCount) ?? 0);
}
