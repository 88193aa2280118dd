import { tableOf } from './columns.ts';

export const webhooks = tableOf<{ webhooks?: unknown[] }>('Name, Webhooks:integer, Age', ({ webhooks: list }) => [
  (list ?? []).length,
]);

interface Policy {
  spec?: { validations?: unknown[]; mutations?: unknown[]; paramKind?: { apiVersion?: string; kind?: string } };
}

const paramKindText = ({ spec }: Policy): string =>
  spec?.paramKind ? `${spec.paramKind.apiVersion ?? ''}/${spec.paramKind.kind ?? ''}` : '<unset>';

export const validatingPolicies = tableOf<Policy>('Name, Validations:integer, ParamKind, Age', (policy) => [
  (policy.spec?.validations ?? []).length,
  paramKindText(policy),
]);

export const mutatingPolicies = tableOf<Policy>('Name, Mutations:integer, ParamKind, Age', (policy) => [
  (policy.spec?.mutations ?? []).length,
  paramKindText(policy),
]);

interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

/** The selector message in the format of Go, as in this column. */
function selectorText({ matchLabels = {}, matchExpressions = [] }: Selector): string {
  const labels = Object.keys(matchLabels).sort();
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.map((key) => `${key}: ${matchLabels[key]},`).join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}

/** Bindings of both kinds of policies. */
export const policyBindings = tableOf<{
  spec?: { policyName?: string; paramRef?: { name?: string; namespace?: string; selector?: Selector } };
}>('Name, PolicyName, ParamRef, Age', ({ spec = {} }) => {
  const { name, namespace, selector } = spec.paramRef ?? {};
  const ref = name ? `${namespace || '*'}/${name}` : selector ? selectorText(selector) : '<unset>';
  return [spec.policyName ?? '', ref];
});
