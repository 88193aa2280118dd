import { jobType, keyOf, podType, uidOf } from '@fairlead/apimachinery';
import { Controller, done, type Informer, type Outcome } from '@fairlead/kube';
import type { MakeController } from '../../parts.ts';
import type { Job, Pod } from '../kinds.ts';
import { byController, controllerOf } from '../owners.ts';
import { yielding } from '../reconciling.ts';
import { isManagedElsewhere } from './job-controller.ts';
import { isJobFinished, isTracked, trackingFinalizer } from './job-pods.ts';

/** Removes the finalizers of pods that no Job will count: their Job is deleted or finished, or they have none. */
export const jobOrphanController: MakeController = (parts) => {
  const { informers, clock, log } = parts;
  const client = parts.client('kube-controller-manager');
  const jobs: Informer<Job> = informers.informer<Job>(jobType);
  const pods: Informer<Pod> = informers.informer<Pod>(podType).addIndex(byController.name, byController.valuesOf);

  const isOrphan = (pod: Pod): boolean => {
    const owner = controllerOf(pod);
    if (!owner) return true;
    if (owner.kind !== jobType.kind || owner.apiVersion !== 'batch/v1') return false;
    const job = jobs.get(`${pod.metadata.namespace}/${owner.name}`);
    if (!job || job.metadata.uid !== owner.uid) return true;
    return isJobFinished(job) && !isManagedElsewhere(job);
  };
  const reconcile = async (key: string): Promise<Outcome> => {
    const pod = pods.get(key);
    if (!pod || !isTracked(pod) || !isOrphan(pod)) return done;
    const body = { metadata: { uid: pod.metadata.uid, '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] } };
    await client.patch(podType, pod.metadata, 'strategic', body);
    return done;
  };
  const controller = new Controller({ name: 'JobOrphans', clock, log, reconcile: yielding(reconcile) })
    .watch(jobs, () => [])
    .watch(pods, (pod) => (isTracked(pod) && isOrphan(pod) ? [keyOf(pod)] : []));
  const releaseAll = (job: Job): void => {
    for (const pod of pods.byIndex(byController.name, uidOf(job))) controller.enqueue(keyOf(pod));
  };
  jobs.addHandler({
    onUpdate: (_, job) => {
      if (isJobFinished(job)) releaseAll(job);
    },
    onDelete: releaseAll,
  });
  return controller;
};
