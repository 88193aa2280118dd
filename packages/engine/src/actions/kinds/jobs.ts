import {
  at,
  formatTime,
  isJsonObject,
  type JsonObject,
  listAt,
  objectAt,
  objectsAt,
  type Unstructured,
} from '@fairlead/apimachinery';
import type { ActionTable, Change, Creation } from '../action.ts';
import { withValue } from '../change.ts';
import { minuteStamp } from '../minute-stamp.ts';
import { ownerReferenceTo } from '../owner-reference.ts';
import { resumed, suspended } from './suspend.ts';

/** Conditions with which a Job is over, or about to be. */
const finalConditions: ReadonlySet<unknown> = new Set(['Complete', 'Failed', 'FailureTarget', 'SuccessCriteriaMet']);

const isOver = (job: JsonObject): boolean =>
  objectsAt(job, 'status', 'conditions').some(({ type, status }) => finalConditions.has(type) && status === 'True');

const resume = { name: 'resume', iconClass: 'fa fa-fw fa-play' };
const suspend = { name: 'suspend', iconClass: 'fa fa-fw fa-pause' };

/** As `kubectl create job --from=cronjob/NAME`. */
const createJob: Creation = (cronJob, { now }) => {
  const template = objectAt(cronJob, 'spec', 'jobTemplate') ?? {};
  const { name, namespace } = cronJob.metadata;
  const metadata = {
    ...(objectAt(template, 'metadata') ?? {}),
    name: `${name}-${minuteStamp(now).slice(2)}`,
    ...(namespace === undefined ? {} : { namespace }),
    ownerReferences: [{ ...ownerReferenceTo(cronJob), blockOwnerDeletion: true, controller: true }],
  };
  const job = { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: template['spec'] ?? {} };
  return withValue(job, ['metadata', 'annotations', 'cronjob.kubernetes.io/instantiate'], 'manual');
};

/** The Job controller deletes the pods of a Job with the condition FailureTarget, and lets it fail. */
const terminated: Change = (job, { now }) => {
  if (!isJsonObject(job['status']) || isOver(job)) return job;
  const condition = {
    lastTransitionTime: formatTime(now),
    message: 'Job was terminated explicitly through Argo CD',
    reason: 'ManuallyTerminated',
    status: 'True',
    type: 'FailureTarget',
  };
  return withValue(job, ['status', 'conditions'], [...listAt(job, 'status', 'conditions'), condition]);
};

const isSuspended = (object: Unstructured): boolean => at(object, 'spec', 'suspend') === true;

export const jobActions: ActionTable = {
  'batch/CronJob': {
    discover: (object) => [
      { name: 'create-job', iconClass: 'fa fa-fw fa-plus', displayName: 'Create Job' },
      isSuspended(object) ? resume : suspend,
    ],
    changes: { resume: resumed, suspend: suspended },
    creations: { 'create-job': createJob },
  },
  'batch/Job': {
    discover: (object) => {
      if (isOver(object)) return [];
      const terminate = { name: 'terminate', iconClass: 'fa fa-fw fa-stop' };
      return [isSuspended(object) ? resume : suspend, ...(isJsonObject(object['status']) ? [terminate] : [])];
    },
    changes: { resume: resumed, suspend: suspended, terminate: terminated },
  },
};
