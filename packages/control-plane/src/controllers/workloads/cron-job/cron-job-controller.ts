import { apiVersionOf, cronJobType, isAlreadyExists, jobType, keyOf, messageOf, uidOf } from '@fairlead/apimachinery';
import { Controller, done, type Informer, type Outcome, requeueAfter } from '@fairlead/kube';
import { same } from '../../../kinds/workloads/equality.ts';
import type { ControllerParts, MakeController, RecordEvent, Runnable } from '../../parts.ts';
import type { CronJob, CronJobStatus, Job } from '../kinds.ts';
import { readingOwnWrites, type WaitingWriter } from '../own-writes.ts';
import { byController, controllerOf, isControlledBy } from '../owners.ts';
import { isNamespaceGoing } from '../pod-maker.ts';
import { yielding } from '../reconciling.ts';
import { msToNext } from './missed-times.ts';
import { type CronPlan, planCronJob } from './plan-cron-job.ts';
import { parseSchedule } from './schedule.ts';

export const cronJobController: MakeController = (parts) => new CronJobs(parts).runnable;

/** Starts a Job of each CronJob at its scheduled times. */
class CronJobs {
  readonly runnable: Runnable;
  readonly #controller: Controller;
  readonly #parts: ControllerParts;
  readonly #client: WaitingWriter;
  readonly #record: RecordEvent;
  readonly #cronJobs: Informer<CronJob>;
  readonly #jobs: Informer<Job>;

  constructor(parts: ControllerParts) {
    const { informers, clock, log } = parts;
    this.#parts = parts;
    this.#record = parts.events('cronjob-controller');
    this.#cronJobs = informers.informer<CronJob>(cronJobType);
    this.#jobs = informers.informer<Job>(jobType).addIndex(byController.name, byController.valuesOf);
    const types = [cronJobType, jobType];
    this.#client = readingOwnWrites(parts.client('kube-controller-manager'), informers, clock, types);
    this.#controller = new Controller({
      name: 'CronJob',
      concurrency: 5,
      clock,
      log,
      reconcile: yielding((key) => this.#reconcile(key)),
    })
      .watch(this.#cronJobs, () => [])
      .watch(this.#jobs, (job) => {
        const owner = controllerOf(job);
        return owner?.kind === cronJobType.kind ? [`${job.metadata.namespace}/${owner.name}`] : [];
      });
    this.runnable = this.#client.serve(this.#controller);
    this.#cronJobs.addHandler({
      onAdd: (cronJob) => this.#controller.enqueue(keyOf(cronJob)),
      onUpdate: (old, cronJob) => this.#noteChange(old, cronJob),
      onDelete: (cronJob) => this.#controller.enqueue(keyOf(cronJob)),
    });
  }

  /** A changed schedule counts from its next time on: missed times are not made up for. */
  #noteChange(old: CronJob, cronJob: CronJob): void {
    const { schedule, timeZone } = cronJob.spec;
    if (old.spec.schedule === schedule && old.spec.timeZone === timeZone)
      return this.#controller.enqueue(keyOf(cronJob));
    try {
      const next = msToNext(cronJob, parseSchedule(schedule, timeZone ?? 'UTC'), this.#parts.clock.now());
      if (next !== undefined) this.#controller.enqueueAfter(keyOf(cronJob), next);
    } catch {
      const message = `unparseable schedule for cronjob: ${schedule}`;
      this.#record(cronJob, 'Warning', 'UnParseableCronJobSchedule', message);
    }
  }

  async #reconcile(key: string): Promise<Outcome> {
    const cronJob = this.#cronJobs.get(key);
    if (!cronJob) return done;
    const jobs = this.#jobs.byIndex(byController.name, uidOf(cronJob));
    const plan = planCronJob({ cronJob, jobs, now: this.#parts.clock.now() });
    for (const { type, reason, message } of plan.events) this.#record(cronJob, type, reason, message);
    const deleted = await Promise.all(plan.delete.map((job) => this.#delete(cronJob, job)));
    const status = deleted.every(Boolean) ? await this.#start(cronJob, plan) : plan.status;
    if (!same(status, cronJob.status ?? {})) {
      await this.#client.replace(cronJobType, { ...cronJob, status }, { subresource: 'status' });
    }
    return plan.requeueAfterMs === undefined ? done : requeueAfter(Math.max(plan.requeueAfterMs, 1));
  }

  async #delete(cronJob: CronJob, job: Job): Promise<boolean> {
    try {
      const preconditions = { uid: uidOf(job) };
      await this.#client.delete(jobType, job.metadata, { propagationPolicy: 'Background', preconditions });
      this.#record(cronJob, 'Normal', 'SuccessfulDelete', `Deleted job ${job.metadata.name}`);
      return true;
    } catch (error) {
      this.#record(cronJob, 'Warning', 'FailedDelete', `Deleted job: ${messageOf(error)}`);
      return false;
    }
  }

  /** The status with the job that was started, if one was due. */
  async #start(cronJob: CronJob, { create, status }: CronPlan): Promise<CronJobStatus> {
    if (!create) return status;
    const job = await this.#create(cronJob, create.job);
    const { active = [] } = status;
    if (!job || active.some(({ uid }) => uid === job.metadata.uid)) return status;
    const { namespace = '', name, resourceVersion = '' } = job.metadata;
    const reference = {
      kind: jobType.kind,
      namespace,
      name,
      uid: uidOf(job),
      apiVersion: apiVersionOf(jobType),
      resourceVersion,
    };
    return { ...status, active: [...active, reference], lastScheduleTime: create.scheduledAt };
  }

  /** Undefined if another Job has the name. */
  async #create(cronJob: CronJob, desired: Job): Promise<Job | undefined> {
    try {
      const job = await this.#client.create(jobType, desired);
      this.#record(cronJob, 'Normal', 'SuccessfulCreate', `Created job ${job.metadata.name}`);
      return job;
    } catch (error) {
      if (isAlreadyExists(error)) {
        const present = await this.#client.get<Job>(jobType, desired.metadata);
        return isControlledBy(present, cronJob) ? present : undefined;
      }
      if (!isNamespaceGoing(error)) {
        this.#record(cronJob, 'Warning', 'FailedCreate', `Error creating job: ${messageOf(error)}`);
      }
      throw error;
    }
  }
}
