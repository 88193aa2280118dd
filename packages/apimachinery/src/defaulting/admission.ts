import type { KubeObject } from '../meta/object.ts';
import type { LabelSelector } from '../validation/labels.ts';

interface Matching {
  matchPolicy?: string;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
}

interface ScopedRule {
  scope?: string;
}

interface WebhookConfigurationFields extends KubeObject {
  webhooks?: (Matching & {
    failurePolicy?: string;
    timeoutSeconds?: number;
    reinvocationPolicy?: string;
    rules?: ScopedRule[];
    clientConfig?: { service?: { port?: number } };
  })[];
}

export function defaultValidatingWebhooks({ webhooks = [] }: WebhookConfigurationFields): void {
  for (const webhook of webhooks) {
    webhook.failurePolicy ??= 'Fail';
    defaultMatching(webhook, webhook.rules);
    webhook.timeoutSeconds ??= 10;
    if (webhook.clientConfig?.service) webhook.clientConfig.service.port ??= 443;
  }
}

export function defaultMutatingWebhooks(configuration: WebhookConfigurationFields): void {
  defaultValidatingWebhooks(configuration);
  for (const webhook of configuration.webhooks ?? []) webhook.reinvocationPolicy ??= 'Never';
}

interface MatchResources extends Matching {
  resourceRules?: ScopedRule[];
  excludeResourceRules?: ScopedRule[];
}

interface AdmissionPolicyFields extends KubeObject {
  spec?: { failurePolicy?: string; matchConstraints?: MatchResources };
}

export function defaultAdmissionPolicy(policy: AdmissionPolicyFields): void {
  const spec = (policy.spec ??= {});
  spec.failurePolicy ??= 'Fail';
  defaultMatchResources(spec.matchConstraints);
}

interface PolicyBindingFields extends KubeObject {
  spec?: { matchResources?: MatchResources };
}

export const defaultPolicyBinding = ({ spec }: PolicyBindingFields): void =>
  defaultMatchResources(spec?.matchResources);

function defaultMatchResources(match: MatchResources | undefined): void {
  if (match) defaultMatching(match, [...(match.resourceRules ?? []), ...(match.excludeResourceRules ?? [])]);
}

function defaultMatching(match: Matching, rules: readonly ScopedRule[] = []): void {
  match.matchPolicy ??= 'Equivalent';
  match.namespaceSelector ??= {};
  match.objectSelector ??= {};
  for (const rule of rules) rule.scope ??= '*';
}
