import { elementAt, fieldError } from '@fairlead/apimachinery';
import { internalDifference, internalForm } from '../../internal-form.ts';
import { type Findings, inRange, maxInt32 } from '../checks.ts';
import { same } from '../equality.ts';
import { fixedAnnotations, podAnnotations } from '../pod-spec/annotations.ts';
import { trimmedImage } from '../pod-spec/containers.ts';
import type { Leniency } from '../pod-spec/leniency.ts';
import { tolerations } from '../pod-spec/tolerations.ts';
import type { Container, NodeAffinity, NodeSelectorTerm, PodSpec, Toleration } from '../pod-spec/types.ts';
import type { CompletePod } from './pod.ts';
import { anyPod } from './validate.ts';

/** The spec of a pod is immutable except for a few fields; a finding that prevents the comparison ends the list. */
export function* podUpdate(pod: CompletePod, old: CompletePod, leniency: Leniency): Findings {
  yield* anyPod(pod, leniency);
  yield* annotationUpdate(pod, old, leniency);
  for (const list of ['containers', 'initContainers'] as const) {
    const [now, before] = [pod.spec[list] ?? [], old.spec[list] ?? []];
    if (now.length !== before.length) {
      return yield fieldError.forbidden(`spec.${list}`, 'pod updates may not add or remove containers');
    }
    yield* images(now, `spec.${list}`);
  }
  const deadline = [...activeDeadline(pod.spec, old.spec)];
  yield* deadline;
  if (deadline.length > 0 && pod.spec.activeDeadlineSeconds != null) return;
  yield* addedTolerations(pod.spec.tolerations ?? [], old.spec.tolerations ?? [], leniency);
  yield* removedGates(pod.spec, old.spec);
  if (same(pod.spec, old.spec)) return;
  if (old.spec.schedulingGates?.length) yield* gatedPod(pod.spec, old.spec);
  const kept = withoutMutableParts(pod.spec, old.spec);
  if (same(kept, old.spec)) return;
  yield fieldError.forbidden('spec', `${onlyThese}\n${internalDifference(old.spec, kept, 'core.v1.PodSpec')}`);
}

const onlyThese = `pod updates may not change fields other than ${[
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',')}`;

export function* annotationUpdate(pod: CompletePod, old: CompletePod, leniency: Leniency): Findings {
  const path = 'metadata.annotations';
  yield* fixedAnnotations(pod.metadata.annotations, old.metadata.annotations, path);
  yield* podAnnotations(pod.metadata.annotations, pod.spec, path, leniency);
}

function* images(containers: readonly Container[], path: string): Findings {
  for (const [index, container] of containers.entries()) {
    if (!container.image) yield fieldError.required(`${path}[${index}].image`);
    yield* trimmedImage(container, `${path}[${index}]`);
  }
}

/** It may be set if it was absent, and may be shortened. */
function* activeDeadline(
  { activeDeadlineSeconds: now }: PodSpec,
  { activeDeadlineSeconds: before }: PodSpec,
): Findings {
  const path = 'spec.activeDeadlineSeconds';
  if (now == null) {
    if (before != null) {
      yield fieldError.invalid(path, null, 'must not update from a positive integer to nil value');
    }
  } else if (now < 0 || now > maxInt32) yield* inRange(now, 0, maxInt32, path);
  else if (before != null && before < now) {
    yield fieldError.invalid(path, now, 'must be less than or equal to previous value');
  }
}

function* addedTolerations(now: readonly Toleration[], before: readonly Toleration[], leniency: Leniency): Findings {
  const path = 'spec.tolerations';
  const identity = ({ tolerationSeconds: _, ...rest }: Toleration) => rest;
  for (const old of before) {
    if (now.some((each) => same(identity(each), identity(old)))) continue;
    const detail = 'existing toleration can not be modified except its tolerationSeconds';
    return yield fieldError.forbidden(path, detail);
  }
  yield* tolerations(now, path, leniency);
}

function* removedGates(spec: PodSpec, old: PodSpec): Findings {
  const known = new Set((old.schedulingGates ?? []).map((gate) => gate.name));
  for (const [index, { name }] of (spec.schedulingGates ?? []).entries()) {
    if (known.has(name)) continue;
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    yield fieldError.forbidden(`spec.schedulingGates[${index}].name`, detail);
  }
}

/** The node selection of a gated pod may be narrowed, not widened. */
function* gatedPod(spec: PodSpec, old: PodSpec): Findings {
  if (Object.entries(old.nodeSelector ?? {}).some(([key, value]) => spec.nodeSelector?.[key] !== value)) {
    const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
    yield fieldError.invalid('spec.nodeSelector', spec.nodeSelector ?? null, detail);
  }
  yield* narrowedAffinity(spec.affinity?.nodeAffinity, old.affinity?.nodeAffinity);
}

function* narrowedAffinity(affinity: NodeAffinity | undefined, old: NodeAffinity | undefined): Findings {
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const path = `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms`;
  const before = old?.[required]?.nodeSelectorTerms ?? [];
  const now = affinity?.[required]?.nodeSelectorTerms ?? [];
  if (same(affinity, old) || before.length === 0) return;
  if (before.length !== now.length) {
    const detail = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    return yield fieldError.invalid(path, now.map(termForm), detail);
  }
  for (const [index, term] of before.entries()) {
    const after = elementAt(now, index);
    if (onlyAdded(after, term)) continue;
    yield fieldError.invalid(
      `${path}[${index}]`,
      termForm(after),
      'only additions are allowed (no mutations or deletions)',
    );
  }
}

const termForm = (term: NodeSelectorTerm) => internalForm(term, 'core.v1.NodeSelectorTerm');

function onlyAdded(term: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const lists = ['matchExpressions', 'matchFields'] as const;
  if (lists.every((list) => !old[list]?.length)) return lists.every((list) => !term[list]?.length);
  return lists.every((list) => same((term[list] ?? []).slice(0, old[list]?.length ?? 0), old[list] ?? []));
}

/** The new spec with all mutable fields reset to their old values. */
function withoutMutableParts(spec: PodSpec, old: PodSpec): PodSpec {
  const imagesOf = (list: 'containers' | 'initContainers') =>
    (spec[list] ?? []).map((each, index) => ({ ...each, image: old[list]?.[index]?.image }));
  const kept: Record<string, unknown> = {
    ...spec,
    containers: imagesOf('containers'),
    initContainers: imagesOf('initContainers'),
    activeDeadlineSeconds: old.activeDeadlineSeconds,
    schedulingGates: old.schedulingGates,
    tolerations: old.tolerations,
  };
  if ((old.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1) {
    kept['terminationGracePeriodSeconds'] = old.terminationGracePeriodSeconds;
  }
  if (old.schedulingGates?.length) {
    kept['nodeSelector'] = old.nodeSelector;
    const { nodeAffinity: _, ...others } = spec.affinity ?? {};
    const affinity = { ...others, ...(old.affinity?.nodeAffinity ? { nodeAffinity: old.affinity.nodeAffinity } : {}) };
    const none = Object.keys(affinity).length === 0 && !old.affinity;
    kept['affinity'] = none ? undefined : affinity;
  }
  return kept as PodSpec;
}
