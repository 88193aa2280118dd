import type { Draft, RuleContext } from '../../../resource.ts';
import { podOf } from '../pod/pod.ts';
import { refusePod } from './refusal.ts';

interface PriorityClass {
  metadata: { name: string };
  value?: number;
  globalDefault?: boolean;
  preemptionPolicy?: string;
}

/** The number behind a pod's priority class, or behind the default one. */
export function priority(draft: Draft, old: Draft | undefined, context: RuleContext): void {
  if (context.subresource !== '') return;
  const { spec } = podOf(draft);
  if (old) {
    const before = podOf(old).spec;
    if (spec.priority == null && before.priority != null) spec.priority = before.priority;
    if (spec.preemptionPolicy == null && before.preemptionPolicy != null)
      spec.preemptionPolicy = before.preemptionPolicy;
    return;
  }
  const chosen = spec.priorityClassName ? named(draft, spec.priorityClassName, context) : defaultClass(context);
  if (chosen.metadata.name) spec.priorityClassName = chosen.metadata.name;
  const value = chosen.value ?? 0;
  if (spec.priority != null && spec.priority !== value) {
    throw refusePod(draft, mismatch('the integer value of priority', spec.priority, value));
  }
  spec.priority = value;
  if (chosen.preemptionPolicy == null) return;
  if (spec.preemptionPolicy != null && spec.preemptionPolicy !== chosen.preemptionPolicy) {
    const what = 'the string value of PreemptionPolicy';
    throw refusePod(draft, mismatch(what, spec.preemptionPolicy, chosen.preemptionPolicy));
  }
  spec.preemptionPolicy = chosen.preemptionPolicy;
}

const mismatch = (what: string, given: number | string, computed: number | string): string =>
  `${what} (${given}) must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`;

function named(draft: Draft, name: string, context: RuleContext): PriorityClass {
  const found = context.get('scheduling.k8s.io/priorityclasses', '', name) as PriorityClass | undefined;
  if (!found) throw refusePod(draft, `no PriorityClass with name ${name} was found`);
  return found;
}

/** Should there be more than one default, the least of them counts. */
function defaultClass(context: RuleContext): PriorityClass {
  let least: PriorityClass | undefined;
  for (const object of context.find('scheduling.k8s.io/priorityclasses')) {
    const each = object as PriorityClass;
    if (each.globalDefault && (!least || (each.value ?? 0) < (least.value ?? 0))) least = each;
  }
  return least ?? { metadata: { name: '' }, value: 0, preemptionPolicy: 'PreemptLowerPriority' };
}
