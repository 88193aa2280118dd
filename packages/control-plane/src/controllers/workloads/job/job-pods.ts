import { jobType } from '@fairlead/apimachinery';
import type { Job, JobStatus, Pod, PodSpec, PodTemplate } from '../kinds.ts';
import { podFromTemplate } from '../pod-maker.ts';
import { isDeleted, isFailed, isSucceeded } from '../pods.ts';

export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';
export const indexAnnotation = 'batch.kubernetes.io/job-completion-index';
const failuresAnnotation = 'batch.kubernetes.io/job-index-failure-count';
const ignoredAnnotation = 'batch.kubernetes.io/job-index-ignored-failure-count';
const indexVariable = 'JOB_COMPLETION_INDEX';
const longestPrefix = 58;

export const isIndexed = ({ spec }: Job): boolean => spec.completionMode === 'Indexed';
export const isSuspended = ({ spec }: Job): boolean => spec.suspend === true;

export const hasCondition = (status: JobStatus | undefined, type: string): boolean =>
  (status?.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');

export const isJobFinished = ({ status }: Job): boolean =>
  hasCondition(status, 'Complete') || hasCondition(status, 'Failed');

/** A terminating pod is replaced only when it has ended: its final phase determines the result. */
export const replacesOnlyFailed = ({ spec }: Job): boolean =>
  spec.podReplacementPolicy === 'Failed' || spec.podFailurePolicy !== undefined;

export const isTracked = ({ metadata }: Pod): boolean => metadata.finalizers?.includes(trackingFinalizer) ?? false;

/** A deleted pod may never report a final phase, so it counts as failed, unless the policy waits for the phase. */
export function countsAsFailed(job: Job, pod: Pod): boolean {
  if (isFailed(pod)) return true;
  return !replacesOnlyFailed(job) && isDeleted(pod) && !isSucceeded(pod);
}

/** Undefined if it has none, or an invalid one. */
export function indexOf({ metadata }: Pod): number | undefined {
  const text = metadata.annotations?.[indexAnnotation];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** The index of the pod, if it is in the range of the Job. */
export function targetIndexOf({ spec }: Job, pod: Pod): number | undefined {
  const index = indexOf(pod);
  return index !== undefined && index < (spec.completions ?? 0) ? index : undefined;
}

const countIn = (pod: Pod, annotation: string): number => {
  const text = pod.metadata.annotations?.[annotation] ?? '';
  return /^\d+$/.test(text) && Number(text) <= 0x7fffffff ? Number(text) : 0;
};

export interface IndexFailures {
  readonly counted: number;
  readonly ignored: number;
}

/** The number of failures of the index before this pod. */
export const failuresBefore = (pod: Pod): IndexFailures => ({
  counted: countIn(pod, failuresAnnotation),
  ignored: countIn(pod, ignoredAnnotation),
});

/** The next pod of a Job; of an indexed one for an index, with its failure count if there is a limit per index. */
export function jobPod(job: Job, index: number | undefined, failures: IndexFailures | undefined): Pod {
  const pod = podFromTemplate(indexed(job) ? withIndexVariable(job.spec.template) : job.spec.template, jobType, job);
  const finalizers = [...new Set([...(pod.metadata.finalizers ?? []), trackingFinalizer])];
  if (index === undefined) return { ...pod, metadata: { ...pod.metadata, finalizers } };
  const annotations = {
    ...pod.metadata.annotations,
    [indexAnnotation]: String(index),
    ...(failures ? { [failuresAnnotation]: String(failures.counted) } : {}),
    ...(failures && failures.ignored > 0 ? { [ignoredAnnotation]: String(failures.ignored) } : {}),
  };
  const labels = { ...pod.metadata.labels, [indexAnnotation]: String(index) };
  const generateName = prefixFor(job.metadata.name, index);
  return {
    ...pod,
    metadata: { ...pod.metadata, generateName, annotations, labels, finalizers },
    spec: { ...pod.spec, hostname: `${job.metadata.name}-${index}` },
  };
}

const indexed = isIndexed;

function prefixFor(name: string, index: number): string {
  const end = `-${index}-`;
  return `${name.slice(0, longestPrefix - end.length)}${end}`;
}

function withIndexVariable(template: PodTemplate): PodTemplate {
  const source = { fieldRef: { fieldPath: `metadata.labels['${indexAnnotation}']` } };
  const equip = (containers: PodSpec['containers']) =>
    containers.map((container) =>
      container.env?.some(({ name }) => name === indexVariable)
        ? container
        : { ...container, env: [...(container.env ?? []), { name: indexVariable, valueFrom: source }] },
    );
  const { containers, initContainers } = template.spec;
  return {
    ...template,
    spec: {
      ...template.spec,
      containers: equip(containers),
      ...(initContainers ? { initContainers: equip(initContainers) } : {}),
    },
  };
}
