import { type FieldError, fieldError } from '@fairlead/apimachinery';
import { unknownValue } from '../shape.ts';

export interface OperationRule {
  operations?: string[];
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  scope?: string;
}

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const scopes = ['*', 'Cluster', 'Namespaced'];

export function validateOperationRule(rule: OperationRule, path: string): FieldError[] {
  return [
    ...validateList(rule.operations ?? [], `${path}.operations`, 'operations'),
    ...(rule.operations ?? []).flatMap((operation, index) =>
      unknownValue(`${path}.operations[${index}]`, operation, operations),
    ),
    ...validateList(rule.apiGroups ?? [], `${path}.apiGroups`, 'API groups'),
    ...validateList(rule.apiVersions ?? [], `${path}.apiVersions`, 'API versions'),
    ...(rule.apiVersions ?? []).flatMap((version, index) =>
      version === '' ? [fieldError.required(`${path}.apiVersions[${index}]`)] : [],
    ),
    ...validateResources(rule.resources ?? [], `${path}.resources`),
    ...(rule.scope === undefined ? [] : unknownValue(`${path}.scope`, rule.scope, scopes)),
  ];
}

/** At least one item, and `*` must be the only one. */
function validateList(list: readonly string[], field: string, what: string): FieldError[] {
  if (list.length === 0) return [fieldError.required(field)];
  if (list.length === 1 || !list.includes('*')) return [];
  return [fieldError.invalid(field, list, `if '*' is present, must not specify other ${what}`)];
}

function validateResources(resources: readonly string[], field: string): FieldError[] {
  const errors: FieldError[] = resources.length === 0 ? [fieldError.required(field)] : [];
  const anySubresource = new Set<string>();
  const anyResource = new Set<string>();
  let lastWithout = false;
  for (const [index, name] of resources.entries()) {
    const at = `${field}[${index}]`;
    if (name === '') {
      errors.push(fieldError.required(at));
      continue;
    }
    const slash = name.indexOf('/');
    if (slash < 0) {
      lastWithout = name !== '*';
      continue;
    }
    const resource = name.slice(0, slash);
    const subresource = name.slice(slash + 1);
    if (anySubresource.has(resource)) {
      errors.push(fieldError.invalid(at, name, `if '${resource}/*' is present, must not specify ${name}`));
    }
    if (anyResource.has(subresource)) {
      errors.push(fieldError.invalid(at, name, `if '*/${subresource}' is present, must not specify ${name}`));
    }
    if (subresource === '*') anySubresource.add(resource);
    if (resource === '*') anyResource.add(subresource);
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    errors.push(fieldError.invalid(field, resources, "if '*/*' is present, must not specify other resources"));
  }
  if (resources.includes('*') && lastWithout) {
    const detail = "if '*' is present, must not specify other resources without subresources";
    errors.push(fieldError.invalid(field, resources, detail));
  }
  return errors;
}
