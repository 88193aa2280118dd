import type { FieldError } from '@fairlead/apimachinery';
import type { Draft, RuleContext } from '../../../../resource.ts';
import { same } from '../../equality.ts';
import { podOf } from '../../pod/pod.ts';
import { violations } from './checks.ts';
import { isStricter, policyOf, shown } from './policy.ts';

/** Labels of a namespace that are not a valid policy; on update only new ones. */
export function policyLabels(draft: Draft, old?: Draft): FieldError[] {
  const { errors } = policyOf(draft.metadata.labels);
  return old && same(errors, policyOf(old.metadata.labels).errors) ? [] : errors;
}

/** Lists the existing pods that violate a stricter policy. */
export function warnOfPods(draft: Draft, old: Draft, context: RuleContext): void {
  const enforce = policyOf(draft.metadata.labels).policy.enforce;
  if (!isStricter(enforce, policyOf(old.metadata.labels).policy.enforce)) return;
  const byReason = new Map<string, string[]>();
  for (const object of context.find('core/pods', draft.metadata.name)) {
    const pod = podOf(structuredClone(object));
    const reason = violations(enforce, pod.spec, pod.metadata)
      .map((violation) => violation.reason)
      .join(', ');
    if (reason) byReason.set(reason, [...(byReason.get(reason) ?? []), pod.metadata.name].sort());
  }
  if (byReason.size === 0) return;
  const namespace = JSON.stringify(draft.metadata.name);
  const level = JSON.stringify(shown(enforce));
  context.warn(`existing pods in namespace ${namespace} violate the new PodSecurity enforce level ${level}`);
  const lines = [...byReason].map(([reason, [first, ...others]]) => {
    const more = others.length === 0 ? '' : ` (and ${others.length} other pod${others.length === 1 ? '' : 's'})`;
    return `${first}${more}: ${reason}`;
  });
  for (const line of lines.sort()) context.warn(line);
}
