import type { Draft, RuleContext } from '../../../../resource.ts';
import { podOf } from '../../pod/pod.ts';
import type { Container, PodSpec, PodTemplateSpec } from '../../pod-spec/types.ts';
import { refusePod } from '../refusal.ts';
import { detailed, violations } from './checks.ts';
import { policyOf, shown } from './policy.ts';

export { policyOf } from './policy.ts';

const policyFor = (draft: Draft, context: RuleContext) =>
  policyOf(context.get('core/namespaces', '', draft.metadata.namespace ?? '')?.metadata.labels).policy;

/** Refuses a pod that its namespace's standard forbids, and warns of what the namespace warns of. */
export function podSecurity(draft: Draft, old: Draft | undefined, context: RuleContext): void {
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

/** What makes pods is only warned of: they are refused when they come. */
export function templateSecurity(draft: Draft, context: RuleContext): void {
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

function templateOf(draft: Draft): PodTemplateSpec | undefined {
  const object = draft as unknown as {
    template?: PodTemplateSpec;
    spec?: { template?: PodTemplateSpec; jobTemplate?: { spec?: { template?: PodTemplateSpec } } };
  };
  return object.template ?? object.spec?.template ?? object.spec?.jobTemplate?.spec?.template;
}

/** Of what can change in a pod, only images and debug containers bear on its security. */
function matters(spec: PodSpec, old: PodSpec): boolean {
  const images = (list: readonly Container[] | undefined) => (list ?? []).map((each) => each.image).join('\n');
  return (['containers', 'initContainers', 'ephemeralContainers'] as const).some(
    (list) => (spec[list] ?? []).length !== (old[list] ?? []).length || images(spec[list]) !== images(old[list]),
  );
}
