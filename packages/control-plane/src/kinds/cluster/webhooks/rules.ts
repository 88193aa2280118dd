import type { KubeObject } from '@fairlead/apimachinery';
import {
  dns1035Label,
  dns1123Subdomain,
  type FieldError,
  fieldError,
  invalidEach,
  type LabelSelector,
  qualifiedName,
  validateLabelSelector,
} from '@fairlead/apimachinery';
import type { KindRules } from '../../../resource.ts';
import { unknownValue } from '../shape.ts';
import { type ClientConfig, validateClientConfig } from './client-config.ts';
import { type OperationRule, validateOperationRule } from './operation-rules.ts';

interface Webhook {
  name?: string;
  clientConfig?: ClientConfig;
  rules?: OperationRule[];
  failurePolicy?: string;
  matchPolicy?: string;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  sideEffects?: string | null;
  timeoutSeconds?: number;
  admissionReviewVersions?: string[] | null;
  reinvocationPolicy?: string;
  matchConditions?: { name?: string; expression?: string }[];
}

interface WebhookConfiguration extends KubeObject {
  webhooks?: Webhook[];
}

const harmless = ['None', 'NoneOnDryRun'];
const reviewVersions = ['v1', 'v1beta1'];
const webhooksOf = (draft: WebhookConfiguration): Webhook[] => draft.webhooks ?? [];

function validateWebhook(webhook: Webhook, path: string): FieldError[] {
  const { timeoutSeconds: timeout, sideEffects } = webhook;
  const optional = (field: keyof Webhook, supported: readonly string[]): FieldError[] =>
    webhook[field] === undefined ? [] : unknownValue(`${path}.${field}`, webhook[field], supported);
  return [
    ...validateFullName(webhook.name ?? '', `${path}.name`),
    ...(webhook.rules ?? []).flatMap((rule, index) => validateOperationRule(rule, `${path}.rules[${index}]`)),
    ...optional('failurePolicy', ['Fail', 'Ignore']),
    ...optional('matchPolicy', ['Equivalent', 'Exact']),
    ...(sideEffects == null
      ? [fieldError.required(`${path}.sideEffects`, `must specify one of ${harmless.join(', ')}`)]
      : unknownValue(`${path}.sideEffects`, sideEffects, harmless)),
    ...(timeout !== undefined && (timeout > 30 || timeout < 1)
      ? [fieldError.invalid(`${path}.timeoutSeconds`, timeout, 'the timeout value must be between 1 and 30 seconds')]
      : []),
    ...validateLabelSelector(webhook.namespaceSelector, `${path}.namespaceSelector`),
    ...validateLabelSelector(webhook.objectSelector, `${path}.objectSelector`),
    ...optional('reinvocationPolicy', ['IfNeeded', 'Never']),
    ...validateClientConfig(webhook.clientConfig ?? {}, `${path}.clientConfig`),
    ...validateMatchConditions(webhook.matchConditions ?? [], `${path}.matchConditions`),
    ...validateReviewVersions(webhook.admissionReviewVersions ?? [], `${path}.admissionReviewVersions`),
  ];
}

function validateFullName(name: string, field: string): FieldError[] {
  if (name === '') return [fieldError.required(field)];
  const messages = dns1123Subdomain(name);
  if (messages.length > 0) return [fieldError.invalid(field, name, messages.join(','))];
  if (name.split('.').length >= 3) return [];
  return [fieldError.invalid(field, name, 'should be a domain with at least three segments separated by dots')];
}

function validateReviewVersions(versions: readonly string[], field: string): FieldError[] {
  const listed = reviewVersions.join(', ');
  if (versions.length === 0) return [fieldError.required(field, `must specify one of ${listed}`)];
  return [
    ...versions.flatMap((version, index) =>
      versions.indexOf(version) < index
        ? [fieldError.invalid(`${field}[${index}]`, version, 'duplicate version')]
        : invalidEach(`${field}[${index}]`, version, dns1035Label(version)),
    ),
    ...(versions.some((version) => reviewVersions.includes(version))
      ? []
      : [fieldError.invalid(field, versions, `must include at least one of ${listed}`)]),
  ];
}

function validateMatchConditions(conditions: { name?: string; expression?: string }[], path: string): FieldError[] {
  const names = conditions.map(({ name = '' }) => name);
  return [
    ...(conditions.length > 64 ? [fieldError.tooMany(path, conditions.length, 64)] : []),
    ...conditions.flatMap(({ name = '', expression = '' }, index) => [
      ...(expression.trim() === '' ? [fieldError.required(`${path}[${index}].expression`)] : []),
      ...(name
        ? invalidEach(`${path}[${index}].name`, name, qualifiedName(name))
        : [fieldError.required(`${path}[${index}].name`)]),
      ...(name && names.indexOf(name) < index ? [fieldError.duplicate(`${path}[${index}].name`, name)] : []),
    ]),
  ];
}

export const webhookRules: KindRules<WebhookConfiguration> = {
  validate(draft) {
    const names = webhooksOf(draft).map(({ name = '' }) => name);
    return webhooksOf(draft).flatMap((webhook, index) => {
      const { name = '' } = webhook;
      const twice = name !== '' && names.indexOf(name) < index;
      return [
        ...validateWebhook(webhook, `webhooks[${index}]`),
        ...(twice ? [fieldError.duplicate(`webhooks[${index}].name`, name)] : []),
      ];
    });
  },
  anyFinalizer: true,
  metadataOnUpdate: ['create'],
};
