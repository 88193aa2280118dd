import type { HealthStatus } from '../health.ts';
import { type Clause, condition, degraded, field, healthy, progressing, type Rule } from './rule.ts';

/** One condition decides: True is Healthy, False is Degraded, and until it is set the object is Progressing. */
export const byCondition = (
  type: string,
  waiting: string,
  { good = '{it.message}', bad = '{it.message}' }: { readonly good?: string; readonly bad?: string } = {},
): Rule => [degraded(bad, condition(type, 'False')), healthy(good, condition(type, 'True')), progressing(waiting)];

/** Maps each value of a status field to a health, all with one message. */
export const byWord = (
  path: string,
  message: string,
  words: Readonly<Partial<Record<HealthStatus, readonly string[]>>>,
): readonly Clause[] =>
  Object.entries(words).map(([status, those]) => ({
    status: status as HealthStatus,
    message,
    when: [field(path, ...those)],
  }));

/** Each value with its own message. */
export const byWordSaying = (
  path: string,
  words: Readonly<Record<string, readonly [HealthStatus, string]>>,
): readonly Clause[] =>
  Object.entries(words).map(([word, [status, message]]) => ({ status, message, when: [field(path, word)] }));

/** Green, yellow and red, each with its message. */
export const byColour = (path: string, green: string, yellow: string, red: string): readonly Clause[] =>
  byWordSaying(path, { green: ['Healthy', green], yellow: ['Progressing', yellow], red: ['Degraded', red] });
