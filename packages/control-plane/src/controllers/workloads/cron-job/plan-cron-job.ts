import { apiVersionOf, cronJobType, formatTime, jobType, messageOf } from '@fairlead/apimachinery';
import { isTimeZone } from '../../../kinds/workloads/cron-schedule.ts';
import { hasCondition, isJobFinished } from '../job/job-pods.ts';
import type { CronJob, CronJobStatus, Job } from '../kinds.ts';
import { controllerReference } from '../owners.ts';
import { missedTimes, msToNext } from './missed-times.ts';
import { parseSchedule, type Schedule } from './schedule.ts';
import { formatInZone } from './wall-clock.ts';

export interface CronEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export interface CronPlan {
  readonly delete: readonly Job[];
  /** The due Job, with its scheduled time. */
  readonly create?: { readonly job: Job; readonly scheduledAt: string };
  readonly status: CronJobStatus;
  readonly events: readonly CronEvent[];
  readonly requeueAfterMs?: number;
}

export interface CronView {
  readonly cronJob: CronJob;
  /** All objects that it controls. */
  readonly jobs: readonly Job[];
  readonly now: number;
}

export const scheduledAnnotation = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

/** Removes finished Jobs from the list, deletes the oldest beyond the limits, and starts the due Job. */
export function planCronJob(view: CronView): CronPlan {
  const { cronJob } = view;
  const events: CronEvent[] = [];
  const finished = surplusJobs(view);
  const gone = new Set(finished.map(({ metadata }) => metadata.uid));
  const status = settleActive(view, gone, events);
  const rest = { delete: finished, status, events };
  if (cronJob.metadata.deletionTimestamp !== undefined) return rest;
  const { timeZone, suspend, schedule: text } = cronJob.spec;
  const warn = (reason: string, message: string) => events.push({ type: 'Warning', reason, message });
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    warn('UnknownTimeZone', `invalid timeZone: ${JSON.stringify(timeZone)}: unknown time zone ${timeZone}`);
    return rest;
  }
  if (suspend) return rest;
  if (text.includes('TZ')) {
    const link = 'https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/';
    const message = `CRON_TZ or TZ used in schedule ${JSON.stringify(text)} is not officially supported, see ${link} for more details`;
    warn('UnsupportedSchedule', message);
  }
  let schedule: Schedule;
  try {
    schedule = parseSchedule(text, timeZone ?? 'UTC');
  } catch (error) {
    warn('UnparseableSchedule', `unparseable schedule: ${JSON.stringify(text)} : ${messageOf(error)}`);
    return rest;
  }
  return { ...rest, ...startDue(view, schedule, rest, warn) };
}

/** Finished jobs beyond the limits, oldest start first. */
function surplusJobs({ cronJob, jobs }: CronView): Job[] {
  const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = cronJob.spec;
  const oldest = (type: string, limit: number | undefined): Job[] => {
    if (limit === undefined) return [];
    const ended = jobs.filter(({ status }) => hasCondition(status, type)).sort(byStart);
    return ended.slice(0, Math.max(0, ended.length - limit));
  };
  return [...oldest('Complete', successfulJobsHistoryLimit), ...oldest('Failed', failedJobsHistoryLimit)];
}

function byStart(a: Job, b: Job): number {
  const [left, right] = [a.status?.startTime ?? '~', b.status?.startTime ?? '~'];
  return left < right ? -1 : left > right ? 1 : a.metadata.name < b.metadata.name ? -1 : 1;
}

function settleActive(
  { cronJob, jobs }: CronView,
  gone: ReadonlySet<string | undefined>,
  events: CronEvent[],
): CronJobStatus {
  const { active = [], lastScheduleTime, lastSuccessfulTime } = cronJob.status ?? {};
  let listed = active.filter(({ uid }) => !gone.has(uid));
  let lastSuccess = lastSuccessfulTime;
  for (const job of jobs) {
    const { uid, name } = job.metadata;
    const isListed = listed.some((reference) => reference.uid === uid);
    if (!isJobFinished(job)) {
      if (isListed) continue;
      const message = `Saw a job that the controller did not create or forgot: ${name}`;
      events.push({ type: 'Warning', reason: 'UnexpectedJob', message });
      continue;
    }
    const complete = hasCondition(job.status, 'Complete');
    if (isListed) {
      listed = listed.filter((reference) => reference.uid !== uid);
      const message = `Saw completed job: ${name}, condition: ${complete ? 'Complete' : 'Failed'}`;
      events.push({ type: 'Normal', reason: 'SawCompletedJob', message });
    }
    const { completionTime } = job.status ?? {};
    if (complete && completionTime && (!lastSuccess || Date.parse(completionTime) > Date.parse(lastSuccess))) {
      lastSuccess = completionTime;
    }
  }
  const present = new Set(jobs.map(({ metadata }) => metadata.uid));
  for (const { uid, name } of listed) {
    if (!present.has(uid))
      events.push({ type: 'Normal', reason: 'MissingJob', message: `Active job went missing: ${name}` });
  }
  listed = listed.filter(({ uid }) => present.has(uid));
  return {
    ...(listed.length > 0 ? { active: listed } : {}),
    ...(lastScheduleTime ? { lastScheduleTime } : {}),
    ...(lastSuccess ? { lastSuccessfulTime: lastSuccess } : {}),
  };
}

type Rest = Pick<CronPlan, 'delete' | 'status'> & { readonly events: CronEvent[] };

function startDue(
  { cronJob, jobs, now }: CronView,
  schedule: Schedule,
  rest: Rest,
  warn: (reason: string, message: string) => void,
): Partial<CronPlan> {
  const { startingDeadlineSeconds, concurrencyPolicy, schedule: text } = cronJob.spec;
  const { status } = rest;
  const withStatus = { ...cronJob, status };
  const wait = (): Partial<CronPlan> => {
    const requeueAfterMs = msToNext(withStatus, schedule, now);
    return requeueAfterMs === undefined ? {} : { requeueAfterMs };
  };
  let due: number | undefined;
  try {
    const { latest, amount } = missedTimes(withStatus, schedule, now, true);
    due = latest;
    if (due !== undefined && amount === 'many') {
      const message = 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';
      warn('TooManyMissedTimes', message);
    }
  } catch (error) {
    warn('InvalidSchedule', `invalid schedule: ${text} : ${messageOf(error)}`);
    return {};
  }
  if (due === undefined) return wait();
  if (startingDeadlineSeconds !== undefined && due + startingDeadlineSeconds * 1000 < now) {
    warn('MissSchedule', `Missed scheduled time to start a job: ${rfc1123(due)}`);
    return wait();
  }
  const job = jobFor(cronJob, due);
  const { active = [] } = status;
  const started = active.some(({ name }) => name === job.metadata.name);
  if (started || status.lastScheduleTime === formatTime(due)) return wait();
  if (concurrencyPolicy === 'Forbid' && active.length > 0) {
    const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
    rest.events.push({ type: 'Normal', reason: 'JobAlreadyActive', message });
    return wait();
  }
  const replaced = concurrencyPolicy === 'Replace' ? new Set(active.map(({ uid }) => uid)) : new Set();
  const scheduledAt = formatTime(due);
  const { active: _, ...others } = status;
  const after = { ...cronJob, status: { ...status, lastScheduleTime: scheduledAt } };
  const next = msToNext(after, schedule, now);
  return {
    create: { job, scheduledAt },
    ...(replaced.size > 0
      ? { delete: [...rest.delete, ...jobs.filter(({ metadata }) => replaced.has(metadata.uid))], status: others }
      : {}),
    ...(next === undefined ? {} : { requeueAfterMs: next }),
  };
}

function jobFor(cronJob: CronJob, due: number): Job {
  const { jobTemplate, timeZone = 'UTC' } = cronJob.spec;
  const { labels, annotations } = jobTemplate.metadata ?? {};
  return {
    apiVersion: apiVersionOf(jobType),
    kind: jobType.kind,
    metadata: {
      name: `${cronJob.metadata.name}-${Math.floor(due / 60_000)}`,
      namespace: cronJob.metadata.namespace ?? '',
      ...(labels ? { labels } : {}),
      annotations: { ...annotations, [scheduledAnnotation]: formatInZone(due, timeZone) },
      ownerReferences: [controllerReference(cronJobType, cronJob)],
    },
    spec: jobTemplate.spec,
  };
}

/** `Mon, 02 Jan 2006 15:04:05 +0000` */
const rfc1123 = (time: number): string => new Date(time).toUTCString().replace('GMT', '+0000');
