import { find, jobType, podType, uidOf } from '@fairlead/apimachinery';
import { Controller, done, ExponentialBackoff, type Informer, type Outcome, requeueAfter } from '@fairlead/kube';
import { same } from '../../../kinds/workloads/equality.ts';
import type { ControllerParts, MakeController, RecordEvent, Runnable } from '../../parts.ts';
import { claimAll } from '../claim.ts';
import { claimable, concernedBy } from '../dependents.ts';
import type { Job, JobCondition, JobStatus, Pod } from '../kinds.ts';
import { readingOwnWrites, type WaitingWriter } from '../own-writes.ts';
import { byController, byNamespace, controllerOf, isControlledBy } from '../owners.ts';
import { PodMaker } from '../pod-maker.ts';
import { isActive, isReady, isTerminating } from '../pods.ts';
import { yielding } from '../reconciling.ts';
import { matcherOf } from '../selectors.ts';
import { slowStart } from '../slow-start.ts';
import { assessJob } from './assess-job.ts';
import { type FailureRecord, noFailures } from './failure-backoff.ts';
import { isJobFinished, isTracked, trackingFinalizer } from './job-pods.ts';
import type { PodPlan } from './plan-pods.ts';
import { countReleased, endJob, trackPods } from './track-pods.ts';

export const jobController: MakeController = (parts) => new Jobs(parts).runnable;

/** Pod changes within this time lead to one reconcile. */
const batchMs = 100;
export const ownController = 'kubernetes.io/job-controller';

export const isManagedElsewhere = ({ spec }: Job): boolean =>
  spec.managedBy !== undefined && spec.managedBy !== ownController;

/** Runs the pods of each job until enough have succeeded or too many have failed. */
class Jobs {
  readonly runnable: Runnable;
  readonly #controller: Controller;
  readonly #parts: ControllerParts;
  readonly #client: WaitingWriter;
  readonly #maker: PodMaker;
  readonly #record: RecordEvent;
  readonly #jobs: Informer<Job>;
  readonly #pods: Informer<Pod>;
  /** By the uid of the Job. Lost on a restart, as in Kubernetes. */
  readonly #failures = new Map<string, FailureRecord>();

  constructor(parts: ControllerParts) {
    const { informers, clock, log } = parts;
    this.#parts = parts;
    this.#record = parts.events('job-controller');
    this.#jobs = informers.informer<Job>(jobType).addIndex(byNamespace.name, byNamespace.valuesOf);
    this.#pods = informers.informer<Pod>(podType).addIndex(byController.name, byController.valuesOf);
    this.#client = readingOwnWrites(parts.client('kube-controller-manager'), informers, clock, [jobType, podType]);
    this.#maker = new PodMaker(this.#client, this.#record);
    this.#controller = new Controller({
      name: 'Job',
      concurrency: 5,
      clock,
      log,
      rateLimiter: new ExponentialBackoff({ baseMs: 1_000, maxMs: 60_000 }),
      reconcile: yielding((key) => this.#reconcile(key)),
    })
      .watch(this.#jobs)
      .watch(this.#pods, () => []);
    this.runnable = this.#client.serve(this.#controller);
    const note = (pod: Pod) => {
      for (const key of concernedBy(pod, jobType, this.#jobs)) this.#controller.enqueueAfter(key, batchMs);
    };
    this.#pods.addHandler({
      onAdd: note,
      onUpdate: (old, pod) => {
        if (controllerOf(old)?.uid !== controllerOf(pod)?.uid) note(old);
        note(pod);
      },
      onDelete: note,
    });
    this.#jobs.addHandler({ onDelete: (job) => void this.#failures.delete(uidOf(job)) });
  }

  async #reconcile(key: string): Promise<Outcome> {
    const job = this.#jobs.get(key);
    if (!job || isManagedElsewhere(job)) return done;
    const uid = uidOf(job);
    if (isJobFinished(job)) {
      this.#failures.delete(uid);
      return done;
    }
    const now = this.#parts.clock.now();
    const pods = await this.#claimPods(job);
    const assessment = assessJob({ job, pods, failures: this.#failures.get(uid) ?? noFailures, now });
    const failure = await this.#carryOut(job, assessment.pods);
    for (const { reason, message } of assessment.events) this.#record(job, 'Normal', reason, message);

    const over = failure ? undefined : assessment.over;
    const { indexes } = assessment.standing;
    const tracking = trackPods(job, this.#counted(job, assessment.status), pods, indexes, over, now);
    const noted = await this.#writeStatus(job, tracking.status);
    this.#failures.set(uid, assessment.standing.failures);
    const held = await this.#release(pods, tracking.release);
    let status = this.#counted(job, countReleased(noted.status ?? {}, held));
    const { ending } = tracking;
    if (ending && !failure) status = endJob(status, ending);
    const ended = await this.#writeStatus(noted, status);
    if (ending && isJobFinished(ended)) this.#recordEnd(ended, ending);
    if (failure) throw failure.error;
    const { requeueAfterMs } = assessment;
    return requeueAfterMs === undefined ? done : requeueAfter(Math.max(requeueAfterMs, 1));
  }

  #claimPods(job: Job): Promise<Pod[]> {
    const matcher = matcherOf(job.spec.selector);
    const candidates = claimable(this.#pods, job);
    const claimant = {
      client: this.#client,
      ownerType: jobType,
      owner: job,
      type: podType,
      finalizer: trackingFinalizer,
    };
    return claimAll(claimant, candidates, (pod) => matcher.matches(pod.metadata.labels));
  }

  async #carryOut(job: Job, plan: PodPlan): Promise<{ readonly error: unknown } | undefined> {
    const deleting = plan.delete.map(async (pod) => {
      if (!plan.keepFinalizers) await this.#takeFinalizer(pod);
      await this.#maker.delete(job, pod);
    });
    const creating = slowStart(plan.create, async (pod) => {
      await this.#maker.create(job, pod);
    });
    const results = await Promise.allSettled([creating, ...deleting]);
    const failed = results.find((result) => result.status === 'rejected');
    return failed && { error: failed.reason };
  }

  /** Including the current pods. */
  #counted(job: Job, status: JobStatus): JobStatus {
    const own = this.#pods.byIndex(byController.name, uidOf(job)).filter((pod) => isControlledBy(pod, job));
    const active = own.filter(isActive);
    const { active: _, ...rest } = status;
    return {
      ...rest,
      ...(active.length > 0 ? { active: active.length } : {}),
      terminating: own.filter(isTerminating).length,
      ready: active.filter(isReady).length,
    };
  }

  async #writeStatus(job: Job, status: JobStatus): Promise<Job> {
    if (same(status, job.status) && job.status?.uncountedTerminatedPods) return job;
    return this.#client.replace(jobType, { ...job, status }, { subresource: 'status' });
  }

  /** Removes the finalizers of counted pods; returns the uids of all that still have theirs. */
  async #release(pods: readonly Pod[], release: readonly Pod[]): Promise<Set<string>> {
    const held = new Set(pods.filter(isTracked).map(uidOf));
    await Promise.all(
      release.map(async (pod) => {
        await this.#takeFinalizer(pod);
        held.delete(uidOf(pod));
      }),
    );
    return held;
  }

  async #takeFinalizer(pod: Pod): Promise<void> {
    if (!isTracked(pod)) return;
    const body = { metadata: { uid: pod.metadata.uid, '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] } };
    await find(this.#client.patch(podType, pod.metadata, 'strategic', body));
  }

  #recordEnd(job: Job, { type, reason = '', message = '' }: JobCondition): void {
    if (type === 'Failed') return this.#record(job, 'Warning', reason, message);
    if ((job.status?.succeeded ?? 0) > (job.spec.completions ?? Number.POSITIVE_INFINITY)) {
      const text = 'Too many succeeded pods running after completion count reached';
      this.#record(job, 'Warning', 'TooManySucceededPods', text);
    }
    this.#record(job, 'Normal', 'Completed', 'Job completed');
  }
}
