import {
  type Condition,
  formatSelector,
  isConditionTrue,
  type KubeObject,
  type LabelSelector,
  selectorFromObject,
} from '@fairlead/apimachinery';
import { humanDuration, since } from './age.ts';
import { type Container, containerCells, labelsText, orNone, tableOf } from './columns.ts';

type Selector = LabelSelector | undefined;
interface Template {
  spec?: { containers?: Container[]; nodeSelector?: Record<string, string> };
}

const selectorText = (selector: Selector): string => formatSelector(selectorFromObject(selector)) || '<none>';
const containersOf = (template: Template | undefined): [string, string] => containerCells(template?.spec?.containers);

export const deployments = tableOf<{
  spec?: { replicas?: number; selector?: Selector; template?: Template };
  status?: { readyReplicas?: number; updatedReplicas?: number; availableReplicas?: number };
}>('Name, Ready, Up-to-date, Available, Age, Containers*, Images*, Selector*', ({ spec = {}, status = {} }) => [
  `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
  status.updatedReplicas ?? 0,
  status.availableReplicas ?? 0,
  ...containersOf(spec.template),
  selectorText(spec.selector),
]);

interface ReplicaParts {
  spec?: { replicas?: number; selector?: Selector; template?: Template };
  status?: { replicas?: number; readyReplicas?: number };
}
const replicaColumns = 'Name, Desired:integer, Current:integer, Ready:integer, Age, Containers*, Images*, Selector*';
const replicaCells = ({ spec = {}, status = {} }: ReplicaParts) => [
  spec.replicas ?? 0,
  status.replicas ?? 0,
  status.readyReplicas ?? 0,
  ...containersOf(spec.template),
];

export const replicaSets = tableOf<ReplicaParts>(replicaColumns, (object) => [
  ...replicaCells(object),
  selectorText(object.spec?.selector),
]);

export const replicationControllers = tableOf<
  Omit<ReplicaParts, 'spec'> & { spec?: { replicas?: number; selector?: Record<string, string>; template?: Template } }
>(replicaColumns, (object) => [...replicaCells(object as ReplicaParts), labelsText(object.spec?.selector)]);

export const statefulSets = tableOf<{
  spec?: { replicas?: number; template?: Template };
  status?: { readyReplicas?: number };
}>('Name, Ready, Age, Containers*, Images*', ({ spec = {}, status = {} }) => [
  `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
  ...containersOf(spec.template),
]);

export const daemonSets = tableOf<{
  spec?: { selector?: Selector; template?: Template };
  status?: Partial<
    Record<
      | 'desiredNumberScheduled'
      | 'currentNumberScheduled'
      | 'numberReady'
      | 'updatedNumberScheduled'
      | 'numberAvailable',
      number
    >
  >;
}>(
  'Name, Desired:integer, Current:integer, Ready:integer, Up-to-date:integer, Available:integer, Node Selector, Age, Containers*, Images*, Selector*',
  ({ spec = {}, status = {} }) => [
    status.desiredNumberScheduled ?? 0,
    status.currentNumberScheduled ?? 0,
    status.numberReady ?? 0,
    status.updatedNumberScheduled ?? 0,
    status.numberAvailable ?? 0,
    labelsText(spec.template?.spec?.nodeSelector),
    ...containersOf(spec.template),
    selectorText(spec.selector),
  ],
);

interface JobParts {
  spec?: { completions?: number; parallelism?: number; selector?: Selector; template?: Template };
  status?: { succeeded?: number; startTime?: string; completionTime?: string; conditions?: Condition[] };
}

/** In order of precedence. */
const jobStates = [
  ['Complete', 'Complete'],
  ['Failed', 'Failed'],
  ['', 'Terminating'],
  ['Suspended', 'Suspended'],
  ['FailureTarget', 'FailureTarget'],
  ['SuccessCriteriaMet', 'SuccessCriteriaMet'],
] as const;

function jobState(job: KubeObject & JobParts): string {
  for (const [condition, shown] of jobStates) {
    if (condition === '' ? job.metadata.deletionTimestamp : isConditionTrue(job.status?.conditions, condition))
      return shown;
  }
  return 'Running';
}

function jobCompletions({ spec = {}, status = {} }: JobParts): string {
  const succeeded = status.succeeded ?? 0;
  if (spec.completions !== undefined) return `${succeeded}/${spec.completions}`;
  return (spec.parallelism ?? 0) > 1 ? `${succeeded}/1 of ${spec.parallelism}` : `${succeeded}/1`;
}

export const jobs = tableOf<JobParts>(
  'Name, Status, Completions, Duration, Age, Containers*, Images*, Selector*',
  (job, now) => {
    const { startTime, completionTime } = job.status ?? {};
    const end = completionTime ? Date.parse(completionTime) : now;
    return [
      jobState(job),
      jobCompletions(job),
      startTime ? humanDuration(end - Date.parse(startTime)) : '',
      ...containersOf(job.spec?.template),
      selectorText(job.spec?.selector),
    ];
  },
);

export const cronJobs = tableOf<{
  spec?: {
    schedule?: string;
    timeZone?: string;
    suspend?: boolean;
    jobTemplate?: { spec?: { template?: Template; selector?: Selector } };
  };
  status?: { active?: unknown[]; lastScheduleTime?: string };
}>(
  'Name, Schedule, Timezone, Suspend:boolean, Active:integer, Last Schedule, Age, Containers*, Images*, Selector*',
  ({ spec = {}, status = {} }, now) => [
    spec.schedule ?? '',
    orNone(spec.timeZone),
    spec.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False',
    (status.active ?? []).length,
    status.lastScheduleTime ? since(status.lastScheduleTime, now) : '<none>',
    ...containersOf(spec.jobTemplate?.spec?.template),
    selectorText(spec.jobTemplate?.spec?.selector),
  ],
);

export const controllerRevisions = tableOf<{ revision?: number }>('Name, Controller, Revision, Age', (object) => {
  const owner = object.metadata.ownerReferences?.find(({ controller }) => controller);
  const [group = ''] = owner?.apiVersion.includes('/') ? owner.apiVersion.split('/') : [''];
  const kind = owner ? `${owner.kind.toLowerCase()}${group ? `.${group}` : ''}/${owner.name}` : '<none>';
  return [kind, object.revision ?? 0];
});

export const disruptionBudgets = tableOf<{
  spec?: { minAvailable?: number | string; maxUnavailable?: number | string };
  status?: { disruptionsAllowed?: number };
}>('Name, Min Available, Max Unavailable, Allowed Disruptions:integer, Age', ({ spec = {}, status = {} }) => [
  String(spec.minAvailable ?? 'N/A'),
  String(spec.maxUnavailable ?? 'N/A'),
  status.disruptionsAllowed ?? 0,
]);

/** The Scale of any kind that has one. */
export const scales = tableOf<{ spec?: { replicas?: number }; status?: { replicas?: number } }>(
  'Name, Desired:integer, Available:integer, Age',
  ({ spec = {}, status = {} }) => [spec.replicas ?? 0, status.replicas ?? 0],
);
