import type { PodFields, PriorityClassFields } from '@fairlead/apimachinery/fields';
import type { RuleContext } from '../../../resource.ts';
import { podOf } from '../pod/pod.ts';
import { refusePod } from './refusal.ts';

/** The value of the priority class of a pod, or of the default one. */
export function priority(draft: PodFields, old: PodFields | undefined, context: RuleContext): void {
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

function named(draft: PodFields, name: string, context: RuleContext): PriorityClassFields {
  const found = context.get('scheduling.k8s.io/priorityclasses', '', name);
  if (!found) throw refusePod(draft, `no PriorityClass with name ${name} was found`);
  return found;
}

const noClass: PriorityClassFields = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: '' },
  value: 0,
  preemptionPolicy: 'PreemptLowerPriority',
};

/** Of more than one default class, the one with the lowest value counts. */
function defaultClass(context: RuleContext): PriorityClassFields {
  let least: PriorityClassFields | undefined;
  const classes: Iterable<PriorityClassFields> = context.find('scheduling.k8s.io/priorityclasses');
  for (const each of classes) {
    if (each.globalDefault && (!least || (each.value ?? 0) < (least.value ?? 0))) least = each;
  }
  return least ?? noClass;
}
