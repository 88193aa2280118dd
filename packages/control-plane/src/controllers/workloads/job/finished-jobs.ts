import { find, jobType, uidOf } from '@fairlead/apimachinery';
import { Controller, done, type Outcome, requeueAfter } from '@fairlead/kube';
import type { MakeController } from '../../parts.ts';
import type { Job } from '../kinds.ts';
import { yielding } from '../reconciling.ts';

/** How long a finished Job is kept; undefined if it is kept forever, or is not finished. */
export function msToExpiry({ metadata, spec, status }: Job, now: number): number | undefined {
  const { ttlSecondsAfterFinished: ttl } = spec;
  if (ttl === undefined || metadata.deletionTimestamp !== undefined) return undefined;
  const end = status?.conditions?.find(
    (condition) => (condition.type === 'Complete' || condition.type === 'Failed') && condition.status === 'True',
  );
  return end?.lastTransitionTime ? Date.parse(end.lastTransitionTime) + ttl * 1000 - now : undefined;
}

/** Deletes finished Jobs after their TTL. */
export const finishedJobController: MakeController = ({ informers, clock, log, client: clientOf }) => {
  const client = clientOf('kube-controller-manager');
  const jobs = informers.informer<Job>(jobType);
  const reconcile = async (key: string): Promise<Outcome> => {
    const job = jobs.get(key);
    if (!job) return done;
    const left = msToExpiry(job, clock.now());
    if (left === undefined) return done;
    if (left > 0) return requeueAfter(left);
    // The cached object may be older than a change of the TTL.
    const fresh = await client.get<Job>(jobType, job.metadata);
    const leftNow = msToExpiry(fresh, clock.now());
    if (leftNow === undefined || leftNow > 0) return leftNow === undefined ? done : requeueAfter(leftNow);
    const preconditions = { uid: uidOf(fresh) };
    await find(client.delete(jobType, fresh.metadata, { propagationPolicy: 'Foreground', preconditions }));
    return done;
  };
  return new Controller({ name: 'FinishedJobs', clock, log, reconcile: yielding(reconcile) }).watch(jobs);
};
