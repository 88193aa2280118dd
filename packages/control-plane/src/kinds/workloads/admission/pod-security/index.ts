import type { KubeObject } from '@fairlead/apimachinery';
import type { PodFields } from '@fairlead/apimachinery/fields';
import type { RuleContext } from '../../../../resource.ts';
import { podOf } from '../../pod/pod.ts';
import type { Container, PodSpec, PodTemplateSpec } from '../../pod-spec/types.ts';
import { refusePod } from '../refusal.ts';
import { detailed, violations } from './checks.ts';
import { policyOf, shown } from './policy.ts';

export { policyOf } from './policy.ts';

const policyFor = (draft: KubeObject, context: RuleContext) =>
  policyOf(context.get('core/namespaces', '', draft.metadata.namespace ?? '')?.metadata.labels).policy;

/** Rejects a pod that violates the enforced standard of its namespace, and warns about the warn level. */
export function podSecurity(draft: PodFields, old: PodFields | undefined, context: RuleContext): void {
  if (!['', 'ephemeralcontainers', 'resize'].includes(context.subresource)) return;
  const { spec, metadata } = podOf(draft);
  if (old && !matters(spec, podOf(old).spec)) return;
  const policy = policyFor(draft, context);
  const found = violations(policy.enforce, spec, metadata);
  if (found.length > 0) {
    throw refusePod(draft, `violates PodSecurity ${JSON.stringify(shown(policy.enforce))}: ${detailed(found)}`);
  }
  warn(policy, spec, metadata, context);
}

/** An object with a pod template at one of the paths of built-in kinds. */
export interface PodOwner extends KubeObject {
  template?: PodTemplateSpec;
  spec?: { template?: PodTemplateSpec; jobTemplate?: { spec?: { template?: PodTemplateSpec } } };
}

/** Warns about the pods that a template would create. They are rejected when they are created. */
export function templateSecurity(draft: PodOwner, context: RuleContext): void {
  if (context.subresource !== '') return;
  const template = templateOf(draft);
  if (template) warn(policyFor(draft, context), template.spec ?? {}, template.metadata ?? {}, context);
}

function warn(
  policy: ReturnType<typeof policyFor>,
  spec: PodSpec,
  metadata: PodTemplateSpec['metadata'],
  context: RuleContext,
): void {
  const found = violations(policy.warn, spec, metadata ?? {});
  if (found.length === 0) return;
  context.warn(`would violate PodSecurity ${JSON.stringify(shown(policy.warn))}: ${detailed(found)}`);
}

const templateOf = ({ template, spec }: PodOwner): PodTemplateSpec | undefined =>
  template ?? spec?.template ?? spec?.jobTemplate?.spec?.template;

/** Of the mutable fields of a pod, only images and ephemeral containers affect its security. */
function matters(spec: PodSpec, old: PodSpec): boolean {
  const images = (list: readonly Container[] | undefined) => (list ?? []).map((each) => each.image).join('\n');
  return (['containers', 'initContainers', 'ephemeralContainers'] as const).some(
    (list) => (spec[list] ?? []).length !== (old[list] ?? []).length || images(spec[list]) !== images(old[list]),
  );
}
