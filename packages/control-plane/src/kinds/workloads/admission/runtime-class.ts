import type { KubeObject } from '@fairlead/apimachinery';
import type { PodFields } from '@fairlead/apimachinery/fields';
import type { RuleContext } from '../../../resource.ts';
import { same } from '../equality.ts';
import { podOf } from '../pod/pod.ts';
import type { PodSpec, ResourceList, Toleration } from '../pod-spec/types.ts';
import { refusePod } from './refusal.ts';

interface RuntimeClass extends KubeObject {
  overhead?: { podFixed?: ResourceList };
  scheduling?: { nodeSelector?: Record<string, string>; tolerations?: Toleration[] };
}

function classOf(draft: PodFields, spec: PodSpec, context: RuleContext): RuntimeClass | undefined {
  const name = spec.runtimeClassName;
  if (name == null) return undefined;
  const found = context.get('node.k8s.io/runtimeclasses', '', name);
  if (!found) throw refusePod(draft, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
  return found;
}

const otherOverhead = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

/** The overhead of a runtime, and its scheduling constraints. */
export function runtimeClass(draft: PodFields, old: PodFields | undefined, context: RuleContext): void {
  if (old || context.subresource !== '') return;
  const { spec } = podOf(draft);
  const found = classOf(draft, spec, context);
  const overhead = found?.overhead?.podFixed;
  if (overhead) {
    if (Object.keys(spec.overhead ?? {}).length > 0 && !same(spec.overhead, overhead))
      throw refusePod(draft, otherOverhead);
    spec.overhead = { ...overhead };
  }
  if (found?.scheduling) schedule(draft, spec, found.scheduling);
}

export function verifyRuntimeClass(draft: PodFields, old: PodFields | undefined, context: RuleContext): void {
  if (old || context.subresource !== '') return;
  const { spec } = podOf(draft);
  const overhead = classOf(draft, spec, context)?.overhead?.podFixed;
  if (overhead && !same(spec.overhead, overhead)) throw refusePod(draft, otherOverhead);
  if (!overhead && spec.overhead) {
    throw refusePod(draft, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
  }
}

function schedule(
  draft: PodFields,
  spec: PodSpec,
  { nodeSelector, tolerations }: NonNullable<RuntimeClass['scheduling']>,
): void {
  for (const [key, value] of Object.entries(nodeSelector ?? {})) {
    const own = spec.nodeSelector?.[key];
    if (own !== undefined && own !== value) {
      const [theirs, ours] = [
        `runtimeClass.scheduling.nodeSelector[${key}] = ${value}`,
        `pod.spec.nodeSelector[${key}] = ${own}`,
      ];
      throw refusePod(draft, `conflict: ${theirs}; ${ours}`);
    }
    (spec.nodeSelector ??= {})[key] = value;
  }
  const merged = mergeTolerations(spec.tolerations ?? [], tolerations ?? []);
  if (merged.length > 0) spec.tolerations = merged;
}

/** Both lists without entries that another one covers. */
function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
  for (const [index, each] of all.entries()) {
    if (merged.some((kept) => covers(kept, each))) continue;
    if (all.slice(index + 1).some((later) => !same(later, each) && covers(later, each))) continue;
    merged.push(each);
  }
  return merged;
}

function covers(wide: Toleration, narrow: Toleration): boolean {
  if (same(wide, narrow)) return true;
  if (wide.key !== narrow.key && (wide.key || wide.operator !== 'Exists')) return false;
  if (wide.effect && wide.effect !== narrow.effect) return false;
  if (wide.effect === 'NoExecute' && wide.tolerationSeconds != null) {
    if (narrow.tolerationSeconds == null || narrow.tolerationSeconds > wide.tolerationSeconds) return false;
  }
  if (wide.operator === 'Exists') return true;
  return (!wide.operator || wide.operator === 'Equal') && narrow.operator === 'Equal' && narrow.value === wide.value;
}
