import type { KubeObject } from '@fairlead/apimachinery';
import {
  dns1123Label,
  dns1123Subdomain,
  type FieldError,
  fieldError,
  invalidEach,
  type ObjectMeta,
  pathSegment,
  portName,
  portNumber,
  wildcardDns1123Subdomain,
} from '@fairlead/apimachinery';
import type { KindRules } from '../../../resource.ts';
import { addressWarnings, parseAddress } from '../address.ts';
import { validateIngressAddress, validateIngressHost } from '../service/status.ts';
import type { LoadBalancerIngress } from '../service/types.ts';
import { isStatusWrite } from '../shape.ts';
import { defaultClass } from '../storage/default-class.ts';

interface Backend {
  service?: { name?: string; port?: { name?: string; number?: number } };
  resource?: { apiGroup?: string | null; kind?: string; name?: string };
}

interface Path {
  path?: string;
  pathType?: string | null;
  backend?: Backend;
}

interface IngressSpec {
  ingressClassName?: string;
  defaultBackend?: Backend;
  rules?: { host?: string; http?: { paths?: Path[] | null } }[];
  tls?: { hosts?: string[]; secretName?: string }[];
}

interface Ingress extends KubeObject {
  metadata: ObjectMeta;
  spec?: IngressSpec;
  status?: { loadBalancer?: { ingress?: LoadBalancerIngress[] } };
}

const classAnnotation = 'kubernetes.io/ingress.class';
const defaultAnnotation = 'ingressclass.kubernetes.io/is-default-class';
const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];

function validateSpec(spec: IngressSpec, path: string): FieldError[] {
  const rules = spec.rules ?? [];
  const name = spec.ingressClassName;
  return [
    ...(rules.length === 0 && !spec.defaultBackend
      ? [fieldError.invalid(path, spec.rules, 'either `defaultBackend` or `rules` must be specified')]
      : []),
    ...(spec.defaultBackend ? validateBackend(spec.defaultBackend, `${path}.defaultBackend`) : []),
    ...rules.flatMap((rule, index) => [
      ...validateRuleHost(rule.host ?? '', `${path}.rules[${index}].host`),
      ...(rule.http ? validatePaths(rule.http.paths ?? [], `${path}.rules[${index}].http.paths`) : []),
    ]),
    ...(spec.tls ?? []).flatMap(({ hosts = [], secretName }, index) => [
      ...hosts.flatMap((host, at) => invalidEach(`${path}.tls[${index}].hosts[${at}]`, host, hostMessages(host))),
      ...(secretName ? invalidEach(`${path}.tls[${index}].secretName`, secretName, dns1123Subdomain(secretName)) : []),
    ]),
    ...(name === undefined ? [] : invalidEach(`${path}.ingressClassName`, name, dns1123Subdomain(name))),
  ];
}

const hostMessages = (host: string): string[] =>
  host.includes('*') ? wildcardDns1123Subdomain(host) : dns1123Subdomain(host);

function validateRuleHost(host: string, field: string): FieldError[] {
  if (host === '') return [];
  const notName = parseAddress(host) ? ['must be a DNS name, not an IP address'] : [];
  return invalidEach(field, host, [...notName, ...hostMessages(host)]);
}

function validatePaths(paths: readonly Path[], field: string): FieldError[] {
  if (paths.length === 0) return [fieldError.required(field)];
  return paths.flatMap((path, index) => validatePath(path, `${field}[${index}]`));
}

function validatePath({ path = '', pathType, backend = {} }: Path, at: string): FieldError[] {
  if (pathType == null) return [fieldError.required(`${at}.pathType`, 'pathType must be specified')];
  const known = pathTypes.includes(pathType);
  return [
    ...(known ? [] : [fieldError.notSupportedInOrder(`${at}.pathType`, pathType, pathTypes)]),
    ...(known ? invalidEach(`${at}.path`, path, pathMessages(path, pathType)) : []),
    ...validateBackend(backend, `${at}.backend`),
  ];
}

function pathMessages(path: string, pathType: string): string[] {
  const absolute = path.startsWith('/') ? [] : ['must be an absolute path'];
  if (pathType === 'ImplementationSpecific') return path === '' ? [] : absolute;
  return [
    ...absolute,
    ...['//', '/./', '/../', '%2f', '%2F']
      .filter((part) => path.includes(part))
      .map((part) => `must not contain '${part}'`),
    ...['/..', '/.'].filter((end) => path.endsWith(end)).map((end) => `cannot end with '${end}'`),
  ];
}

function validateBackend({ service, resource }: Backend, path: string): FieldError[] {
  const invalid = (detail: string) => fieldError.invalid(path, '', detail);
  if (resource && service) return [invalid('cannot set both resource and service backends')];
  if (resource) return validateReference(resource, `${path}.resource`);
  if (!service) return [invalid('resource or service backend is required')];
  const field = `${path}.service`;
  const errors = service.name
    ? invalidEach(`${field}.name`, service.name, dns1123Label(service.name))
    : [fieldError.required(`${field}.name`)];
  const { name, number } = service.port ?? {};
  if (name && number) return [...errors, invalid('cannot set both port name & port number')];
  if (name) return [...errors, ...invalidEach(`${field}.port.name`, name, portName(name))];
  if (number) return [...errors, ...invalidEach(`${field}.port.number`, number, portNumber(number))];
  return [...errors, fieldError.required(path, 'port name or number is required')];
}

/** A reference to an object by group, kind and name. */
export function validateReference(
  { apiGroup, kind, name }: { apiGroup?: string | null; kind?: string; name?: string },
  path: string,
): FieldError[] {
  const segment = (field: string, value: string | undefined) =>
    value ? invalidEach(`${path}.${field}`, value, pathSegment(value)) : [fieldError.required(`${path}.${field}`)];
  return [
    ...(apiGroup == null ? [] : invalidEach(`${path}.apiGroup`, apiGroup, dns1123Subdomain(apiGroup))),
    ...segment('kind', kind),
    ...segment('name', name),
  ];
}

function validateClassAgreement({ metadata, spec }: Ingress): FieldError[] {
  const annotation = metadata.annotations?.[classAnnotation];
  const name = spec?.ingressClassName;
  if (annotation === undefined || name === undefined || annotation === name) return [];
  const detail = 'must match `ingressClassName` when both are specified';
  return [fieldError.invalid(`annotations.${classAnnotation}`, annotation, detail)];
}

const loadBalancers = (ingress: Ingress): LoadBalancerIngress[] => ingress.status?.loadBalancer?.ingress ?? [];

export const ingressRules: KindRules<Ingress> = {
  prepareCreate(draft) {
    draft.status = { loadBalancer: {} };
  },
  admit(draft, old, context) {
    if (old || draft.metadata.annotations?.[classAnnotation] !== undefined) return;
    const spec = (draft.spec ??= {});
    if (spec.ingressClassName !== undefined) return;
    const name = defaultClass(context.find('networking.k8s.io/ingressclasses'), [defaultAnnotation]);
    if (name !== undefined) spec.ingressClassName = name;
  },
  validate(draft, context) {
    const ingress = draft;
    const onCreate = context.operation === 'create' ? validateClassAgreement(ingress) : [];
    return [...validateSpec(ingress.spec ?? {}, 'spec'), ...onCreate];
  },
  validateStatusUpdate(draft, old) {
    const known = loadBalancers(old).flatMap(({ ip }) => ip ?? []);
    return loadBalancers(draft).flatMap((ingress, index) => [
      ...validateIngressAddress(ingress, `status.loadBalancer.ingress[${index}]`, known),
      ...validateIngressHost(ingress, `status.loadBalancer.ingress[${index}]`),
    ]);
  },
  warnings(draft, old) {
    const ingress = draft;
    if (old) {
      if (!isStatusWrite(draft, old)) return [];
      return loadBalancers(ingress).flatMap(({ ip }, index) =>
        ip ? addressWarnings(`status.loadBalancer.ingress[${index}]`, ip) : [],
      );
    }
    const annotated = ingress.metadata.annotations?.[classAnnotation] !== undefined;
    return annotated && ingress.spec?.ingressClassName === undefined
      ? [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`]
      : [];
  },
  metadataOnUpdate: ['update', 'create'],
};
