import { isObject } from '@fairlead/apimachinery';
import type { Destination } from '../templates/notification.ts';
import type { ConditionResult } from '../triggers/trigger.ts';

export const notifiedAnnotation = 'notified.notifications.argoproj.io';
const maxMarks = 100;

/** Deliveries that were made, by key, with their time in Unix seconds. Kept in an annotation of the Application, in Argo CD's form. */
export type Marks = Readonly<Record<string, number>>;

/** An annotation that is not in that form counts as none. */
export function readMarks(annotation: string | undefined): Marks {
  if (!annotation) return {};
  try {
    const marks: unknown = JSON.parse(annotation);
    const entries = Object.entries(isObject(marks) ? marks : {});
    const valid = entries.flatMap(([key, time]) =>
      typeof time === 'number' && Number.isSafeInteger(time) ? [[key, time] as const] : [],
    );
    return valid.length === entries.length ? Object.fromEntries(valid) : {};
  } catch {
    return {};
  }
}

/** Undefined if there are none. Of many, the newest are kept. */
export function writeMarks(marks: Marks): string | undefined {
  const newest = Object.entries(marks).sort(([, a], [, b]) => b - a);
  const kept = newest.slice(0, maxMarks).sort(([a], [b]) => (a < b ? -1 : 1));
  return kept.length === 0 ? undefined : JSON.stringify(Object.fromEntries(kept));
}

/** The key of a mark; with self-service configurations, it starts with their namespace. */
export function markKey(
  trigger: string,
  { key, oncePer }: Pick<ConditionResult, 'key' | 'oncePer'>,
  { service, recipient }: Destination,
  configNamespace?: string,
): string {
  const parts = [...(oncePer === '' ? [] : [oncePer]), ...(configNamespace === undefined ? [] : [configNamespace])];
  return [...parts, trigger, key, service, recipient].join(':');
}
