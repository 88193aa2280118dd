import type { KubeObject } from '@fairlead/apimachinery';
import {
  dns1123Label,
  dns1123Subdomain,
  type FieldError,
  fieldError,
  invalidEach,
  patternMessage,
} from '@fairlead/apimachinery';
import type { KindRules } from '../../../resource.ts';
import { immutable, unknownValue } from '../shape.ts';
import { validateReference } from './ingress.ts';

interface Parameters {
  apiGroup?: string;
  kind?: string;
  name?: string;
  scope?: string;
  namespace?: string;
}

interface IngressClassSpec {
  controller?: string;
  parameters?: Parameters;
}

interface IngressClassFields extends KubeObject {
  spec?: IngressClassSpec;
}

const specOf = (draft: IngressClassFields): IngressClassSpec => draft.spec ?? {};
const httpPath = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

/** `domain/path`, the format of controller names. */
export function validateDomainPath(field: string, value: string): FieldError[] {
  if (value === '') return [fieldError.required(field)];
  const slash = value.indexOf('/');
  if (slash <= 0 || slash === value.length - 1) {
    return [fieldError.invalid(field, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const host = value.slice(0, slash);
  const path = value.slice(slash + 1);
  const errors = invalidEach(field, host, dns1123Subdomain(host));
  if (new RegExp(`^${httpPath}$`).test(path)) return errors;
  return [...errors, fieldError.invalid(field, path, patternMessage('Invalid path', httpPath))];
}

function validateParameters(parameters: Parameters, path: string): FieldError[] {
  const { scope, namespace } = parameters;
  const errors = [
    ...validateReference(parameters, path),
    ...unknownValue(`${path}.scope`, scope, ['Cluster', 'Namespace']),
  ];
  const field = `${path}.namespace`;
  if (scope === 'Namespace') {
    if (namespace === undefined) errors.push(fieldError.required(field, "`parameters.scope` is set to 'Namespace'"));
    else errors.push(...invalidEach(field, namespace, dns1123Label(namespace)));
  }
  if (scope === 'Cluster' && namespace !== undefined) {
    errors.push(fieldError.forbidden(field, "`parameters.scope` is set to 'Cluster'"));
  }
  return errors;
}

export const ingressClassRules: KindRules<IngressClassFields> = {
  validate(draft) {
    const { controller = '', parameters } = specOf(draft);
    return [
      ...(Buffer.byteLength(controller) > 250 ? [fieldError.tooLong('spec.controller', 250)] : []),
      ...validateDomainPath('spec.controller', controller),
      ...(parameters ? validateParameters(parameters, 'spec.parameters') : []),
    ];
  },
  validateUpdate: (draft, old) =>
    immutable('spec.controller', specOf(draft).controller ?? '', specOf(old).controller ?? ''),
  metadataOnUpdate: ['update', 'create'],
};
