import { copyJson, elementAt, formatTime } from '@fairlead/apimachinery';
import type { PodFields } from '@fairlead/apimachinery/fields';
import type { RuleContext } from '../../../resource.ts';
import { appArmorToFields } from '../pod-spec/app-armor.ts';
import { dropDisabledFields } from '../pod-spec/drop-disabled.ts';
import { affinityTerms } from '../pod-spec/leniency.ts';
import type { Container, MutableSelector, PodSpec, PodStatus } from '../pod-spec/types.ts';
import { podOf } from './pod.ts';
import { qosClass } from './qos.ts';

export function preparePod(draft: PodFields, context: RuleContext): void {
  const pod = podOf(draft);
  dropDisabledFields(pod.spec, undefined);
  pod.status = { phase: 'Pending', qosClass: qosClass(pod.spec) };
  if (pod.spec.schedulingGates?.length) {
    const now = formatTime(context.clock.now());
    pod.status.conditions = [
      {
        type: 'PodScheduled',
        status: 'False',
        lastProbeTime: null,
        lastTransitionTime: now,
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
      },
    ];
  }
  labelsIntoSelectors(pod.spec, pod.metadata.labels ?? {});
  appArmorToFields(pod.spec, pod.metadata, (message) => context.warn(message));
}

/** `matchLabelKeys` selects labels of the pod; their values are added to the selector. */
function labelsIntoSelectors(spec: PodSpec, labels: Record<string, string>): void {
  for (const term of affinityTerms(spec)) {
    extend(term.labelSelector, term.matchLabelKeys, 'In', labels);
    extend(term.labelSelector, term.mismatchLabelKeys, 'NotIn', labels);
  }
  for (const each of spec.topologySpreadConstraints ?? [])
    extend(each.labelSelector, each.matchLabelKeys, 'In', labels);
}

function extend(
  selector: MutableSelector | undefined,
  keys: readonly string[] | undefined,
  operator: string,
  labels: Record<string, string>,
): void {
  if (!selector) return;
  for (const key of keys ?? []) {
    const value = labels[key];
    if (value !== undefined) (selector.matchExpressions ??= []).push({ key, operator, values: [value] });
  }
}

export function preparePodUpdate(draft: PodFields, oldDraft: PodFields, context: RuleContext): void {
  const [pod, old] = [podOf(draft), podOf(copyJson(oldDraft))];
  if (context.subresource === 'status') prepareStatus(draft, oldDraft);
  else {
    if (context.subresource === 'ephemeralcontainers') keepAllBut(pod, old, ['ephemeralContainers']);
    if (context.subresource === 'resize') keepAllButResources(pod, old);
    pod.status = old.status;
  }
  dropDisabledFields(pod.spec, old.spec);
}

type Pod = ReturnType<typeof podOf>;

function keepAllBut(pod: Pod, old: Pod, fields: readonly (keyof PodSpec)[]): void {
  const changed = Object.fromEntries(
    fields.flatMap((field) => (pod.spec[field] === undefined ? [] : [[field, pod.spec[field]]])),
  );
  const kept = { ...old.spec };
  for (const field of fields) delete kept[field];
  pod.spec = { ...kept, ...changed };
  for (const field of ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const) {
    if (old.metadata[field] === undefined) delete pod.metadata[field];
    else Object.assign(pod.metadata, { [field]: old.metadata[field] });
  }
}

/** A resize that also adds or renames containers is unchanged: validation reports it. */
function keepAllButResources(pod: Pod, old: Pod): void {
  const { spec } = pod;
  for (const list of ['containers', 'initContainers'] as const) {
    if ((spec[list] ?? []).length !== (old.spec[list] ?? []).length) return;
  }
  for (const list of ['containers', 'initContainers'] as const) {
    const before = old.spec[list];
    if (!spec[list] || !before || spec[list].some((each, index) => each.name !== before[index]?.name)) continue;
    spec[list] = spec[list].map((each, index) => withResourcesOf(elementAt(before, index), each));
  }
  keepAllBut(pod, old, ['containers', 'initContainers', 'resources']);
}

function withResourcesOf(container: Container, given: Container): Container {
  const { resources: _, resizePolicy: __, ...rest } = container;
  return {
    ...rest,
    resources: given.resources ?? {},
    ...(given.resizePolicy ? { resizePolicy: given.resizePolicy } : {}),
  };
}

function prepareStatus(draft: PodFields, oldDraft: PodFields): void {
  const [pod, old] = [podOf(draft), podOf(oldDraft)];
  // Old kubelets write owner references that would break garbage collection.
  if (oldDraft.metadata.ownerReferences) draft.metadata.ownerReferences = oldDraft.metadata.ownerReferences;
  else delete draft.metadata.ownerReferences;
  if (!pod.status.qosClass && old.status.qosClass) pod.status.qosClass = old.status.qosClass;
  keepObservedGenerations(pod.status, old.status);
}

function keepObservedGenerations(status: PodStatus, old: PodStatus): void {
  if (!status.observedGeneration && old.observedGeneration) status.observedGeneration = old.observedGeneration;
  const known = Map.groupBy(old.conditions ?? [], (condition) => condition.type);
  for (const condition of status.conditions ?? []) {
    const before = known.get(condition.type)?.shift()?.observedGeneration;
    if (!condition.observedGeneration && before) condition.observedGeneration = before;
  }
}
