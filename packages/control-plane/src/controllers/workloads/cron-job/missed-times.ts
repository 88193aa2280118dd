import type { CronJob } from '../kinds.ts';
import type { Schedule } from './schedule.ts';

export interface Missed {
  /** The start of the relevant period: the last used time, or the creation. */
  readonly since: number;
  /** The last time that has passed and was not used. */
  readonly latest: number | undefined;
  readonly amount: 'none' | 'few' | 'many';
}

const many = 100;

/** The scheduled times that have passed since the last used one. Throws if the schedule has none. */
export function missedTimes(cronJob: CronJob, schedule: Schedule, now: number, withDeadline: boolean): Missed {
  const { startingDeadlineSeconds } = cronJob.spec;
  const last = cronJob.status?.lastScheduleTime ?? cronJob.metadata.creationTimestamp ?? '';
  let since = Date.parse(last);
  if (withDeadline && startingDeadlineSeconds !== undefined) {
    since = Math.max(since, now - startingDeadlineSeconds * 1000);
  }
  const first = schedule.next(since);
  const second = first === undefined ? undefined : schedule.next(first);
  if (first === undefined) throw new Error('time difference between two schedules is less than 1 second');
  if (now < first) return { since, latest: undefined, amount: 'none' };
  if (second === undefined || now < second) return { since, latest: first, amount: 'none' };
  const period = Math.round((second - first) / 1000);
  const count = Math.floor((now - first) / 1000 / period) + 1;
  // Periods differ, so the last times are computed one by one.
  let latest: number | undefined;
  const from = first + (count - 2) * period * 1000;
  for (let time = schedule.next(from); time !== undefined && time <= now; time = schedule.next(time)) latest = time;
  return { since, latest, amount: count > many ? 'many' : 'few' };
}

/** Added to the delay, so that the scheduled time has passed on wake-up. */
const marginMs = 100;

export function msToNext(cronJob: CronJob, schedule: Schedule, now: number): number | undefined {
  let from = now;
  try {
    const { since, latest, amount } = missedTimes(cronJob, schedule, now, false);
    from = latest ?? (amount === 'none' ? since : now);
  } catch {
    // The next time of such a schedule is computed from now.
  }
  const next = schedule.next(from);
  return next === undefined ? undefined : next + marginMs - now;
}
