import type { KubeObject } from '@fairlead/apimachinery';
import { dns1123Label, dns1123Subdomain, type FieldError, fieldError, invalidEach } from '@fairlead/apimachinery';
import type { KindRules } from '../../../resource.ts';
import { type FlowSubject, validateFlowSubject } from './subjects.ts';

interface ResourceRule {
  verbs?: string[] | null;
  apiGroups?: string[] | null;
  resources?: string[] | null;
  clusterScope?: boolean;
  namespaces?: string[] | null;
}

interface FlowRule {
  subjects?: FlowSubject[] | null;
  resourceRules?: ResourceRule[];
  nonResourceRules?: { verbs?: string[] | null; nonResourceURLs?: string[] | null }[];
}

interface FlowSchemaSpec {
  matchingPrecedence?: number;
  distinguisherMethod?: { type?: string };
  priorityLevelConfiguration?: { name?: string };
  rules?: FlowRule[];
}

export interface FlowStatus {
  conditions?: { type?: string }[];
}

interface FlowSchemaFields extends KubeObject {
  spec?: FlowSchemaSpec;
  status?: FlowStatus;
}

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

function validateSpec(name: string, spec: FlowSchemaSpec): FieldError[] {
  const { matchingPrecedence: precedence = 0, distinguisherMethod: method } = spec;
  const field = 'spec.matchingPrecedence';
  const level = spec.priorityLevelConfiguration?.name ?? '';
  const levelField = 'spec.priorityLevelConfiguration.name';
  const errors: FieldError[] = [];
  if (precedence <= 0) errors.push(fieldError.invalid(field, precedence, 'must be a positive value'));
  if (precedence > 10_000) errors.push(fieldError.invalid(field, precedence, 'must not be greater than 10000'));
  if (precedence === 1 && name !== 'exempt') {
    const detail = "only the schema named 'exempt' may have matchingPrecedence 1";
    errors.push(fieldError.invalid(field, precedence, detail));
  }
  if (method && !['ByNamespace', 'ByUser'].includes(method.type ?? '')) {
    const shown = { Type: method.type ?? '' };
    errors.push(fieldError.notSupportedInOrder('spec.distinguisherMethod.type', shown, ['ByNamespace', 'ByUser']));
  }
  if (level === '') errors.push(fieldError.required(levelField, 'must reference a priority level'));
  else errors.push(...invalidEach(levelField, level, dns1123Subdomain(level)));
  return [...errors, ...(spec.rules ?? []).flatMap((rule, index) => validateRule(rule, `spec.rules[${index}]`))];
}

function validateRule(rule: FlowRule, path: string): FieldError[] {
  const { resourceRules = [], nonResourceRules = [] } = rule;
  const subjects = rule.subjects ?? [];
  return [
    ...(subjects.length > 0
      ? subjects.flatMap((subject, index) => validateFlowSubject(subject, `${path}.subjects[${index}]`))
      : [fieldError.required(`${path}.subjects`, 'subjects must contain at least one value')]),
    ...(resourceRules.length === 0 && nonResourceRules.length === 0
      ? [fieldError.required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty')]
      : []),
    ...resourceRules.flatMap((each, index) => validateResourceRule(each, `${path}.resourceRules[${index}]`)),
    ...nonResourceRules.flatMap((each, index) => [
      ...validateVerbs(each.verbs ?? [], `${path}.nonResourceRules[${index}].verbs`),
      ...validateUrls(each.nonResourceURLs ?? [], `${path}.nonResourceRules[${index}].nonResourceURLs`),
    ]),
  ];
}

/** `*` must be the only item. */
const alone = (list: readonly string[], field: string, what: string): FieldError[] =>
  list.length > 1 && list.includes('*')
    ? [fieldError.invalid(field, list, `if '*' is present, must not specify other ${what}`)]
    : [];

function validateVerbs(list: readonly string[], field: string): FieldError[] {
  if (list.length === 0) return [fieldError.required(field, 'verbs must contain at least one value')];
  if (list.includes('*')) return alone(list, field, 'verbs');
  return list.every((verb) => verbs.includes(verb)) ? [] : [fieldError.notSupportedInOrder(field, list, verbs)];
}

function validateResourceRule(rule: ResourceRule, path: string): FieldError[] {
  const [apiGroups, resources, namespaces] = [rule.apiGroups ?? [], rule.resources ?? [], rule.namespaces ?? []];
  const field = `${path}.namespaces`;
  return [
    ...validateVerbs(rule.verbs ?? [], `${path}.verbs`),
    ...(apiGroups.length === 0
      ? [fieldError.required(`${path}.apiGroups`, 'resource rules must supply at least one api group')]
      : alone(apiGroups, `${path}.apiGroups`, 'api groups')),
    ...(resources.length === 0
      ? [fieldError.required(`${path}.resources`, 'resource rules must supply at least one resource')]
      : alone(resources, `${path}.resources`, 'resources')),
    ...(namespaces.length === 0 && !rule.clusterScope
      ? [fieldError.required(field, 'resource rules that are not cluster scoped must supply at least one namespace')]
      : namespaces.includes('*')
        ? alone(namespaces, field, 'namespaces')
        : namespaces.flatMap((namespace, index) =>
            invalidEach(
              `${field}[${index}]`,
              namespace,
              dns1123Label(namespace).map(
                (message) => `each member of this list must be '*' or a DNS-1123 label; ${message}`,
              ),
            ),
          )),
  ];
}

function validateUrls(urls: readonly string[], field: string): FieldError[] {
  if (urls.length === 0) return [fieldError.required(field, 'nonResourceURLs must contain at least one value')];
  if (urls.includes('*')) return alone(urls, field, 'non-resource URLs');
  return urls.flatMap((url, index) => {
    const problem = urlProblem(url);
    return problem ? [fieldError.invalid(`${field}[${index}]`, url, problem)] : [];
  });
}

function urlProblem(url: string): string | undefined {
  if (url === '') return 'must not be empty';
  if (url === '/') return undefined;
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const wildcards = url.split('*').length - 1;
  return wildcards > 1 || (wildcards === 1 && !url.endsWith('/*')) ? 'wildcard can only do suffix matching' : undefined;
}

export const flowSchemaRules: KindRules<FlowSchemaFields> = {
  prepareCreate(draft) {
    draft.status = {};
  },
  validate: (draft) => validateSpec(draft.metadata.name ?? '', draft.spec ?? {}),
  validateStatusUpdate: (draft) => validateFlowConditions(draft.status ?? {}),
  metadataOnUpdate: ['create'],
};

export function validateFlowConditions({ conditions = [] }: FlowStatus): FieldError[] {
  const types = conditions.map(({ type = '' }) => type);
  return types.flatMap((type, index) => [
    ...(types.indexOf(type) < index ? [fieldError.duplicate(`status.conditions[${index}].type`, type)] : []),
    ...(type === '' ? [fieldError.required(`status.conditions[${index}].type`)] : []),
  ]);
}
