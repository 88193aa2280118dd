import type { PodFields } from '@fairlead/apimachinery/fields';
import type { RuleContext } from '../../../resource.ts';
import { podOf } from '../pod/pod.ts';

/** A pod stays for five minutes on a node that is not ready or unreachable, unless it has its own tolerations. */
export function defaultTolerations(draft: PodFields, _old: PodFields | undefined, context: RuleContext): void {
  if (context.subresource !== '') return;
  const { spec } = podOf(draft);
  const given = [...(spec.tolerations ?? [])];
  for (const key of ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']) {
    const tolerated = given.some(
      (each) => (each.key === key || !each.key) && (each.effect === 'NoExecute' || !each.effect),
    );
    if (tolerated) continue;
    (spec.tolerations ??= []).push({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 });
  }
}
