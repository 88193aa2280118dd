import type { KubeObject } from '@fairlead/apimachinery';
import {
  dns1123Label,
  dns1123Subdomain,
  type FieldError,
  fieldError,
  invalidEach,
  labelValue,
  qualifiedName,
} from '@fairlead/apimachinery';
import type { KindRules } from '../../../resource.ts';
import { addressWarnings, canonicalAddress, endpointAddress, isV6, legacyAddress } from '../address.ts';
import { protocols } from '../service/validate.ts';
import { immutable, same, unknownValue } from '../shape.ts';

interface Endpoint {
  addresses?: string[] | null;
  hostname?: string;
  nodeName?: string;
  hints?: { forZones?: { name?: string }[]; forNodes?: { name?: string }[] };
  deprecatedTopology?: Record<string, string>;
}

interface Port {
  name?: string;
  protocol?: string;
  appProtocol?: string;
}

interface EndpointSlice extends KubeObject {
  addressType?: string;
  endpoints?: Endpoint[] | null;
  ports?: Port[] | null;
}

const maxEndpoints = 1000;
const maxAddresses = 100;
const maxPorts = 20_000;
const maxHints = 8;
const managedBy = 'endpointslice.kubernetes.io/managed-by';
const ourControllers = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'];
const endpointsOf = (draft: EndpointSlice): Endpoint[] => draft.endpoints ?? [];

function validateType(type: string | undefined): FieldError[] {
  return type ? unknownValue('addressType', type, ['FQDN', 'IPv4', 'IPv6']) : [fieldError.required('addressType')];
}

function validatePorts(ports: readonly Port[]): FieldError[] {
  if (ports.length > maxPorts) return [fieldError.tooMany('ports', ports.length, maxPorts)];
  const names = new Set<string>();
  return ports.flatMap(({ name = '', protocol, appProtocol }, index) => {
    const path = `ports[${index}]`;
    const errors = name ? invalidEach(`${path}.name`, name, dns1123Label(name)) : [];
    if (names.has(name)) errors.push(fieldError.duplicate(`${path}.name`, name));
    names.add(name);
    errors.push(...unknownValue(`${path}.protocol`, protocol, protocols));
    if (appProtocol !== undefined) {
      errors.push(...invalidEach(`${path}.appProtocol`, appProtocol, qualifiedName(appProtocol)));
    }
    return errors;
  });
}

function validateEndpoints(slice: EndpointSlice): FieldError[] {
  const endpoints = slice.endpoints ?? [];
  if (endpoints.length > maxEndpoints) return [fieldError.tooMany('endpoints', endpoints.length, maxEndpoints)];
  return endpoints.flatMap((endpoint, index) => validateEndpoint(endpoint, `endpoints[${index}]`, slice.addressType));
}

function validateEndpoint(endpoint: Endpoint, path: string, type: string | undefined): FieldError[] {
  const { nodeName, hostname, hints } = endpoint;
  const addresses = endpoint.addresses ?? [];
  const field = `${path}.addresses`;
  return [
    ...(addresses.length === 0 ? [fieldError.required(field, 'must contain at least 1 address')] : []),
    ...(addresses.length > maxAddresses ? [fieldError.tooMany(field, addresses.length, maxAddresses)] : []),
    ...addresses.flatMap((address, index) => validateAddress(address, field, index, type)),
    ...(nodeName === undefined ? [] : invalidEach(`${path}.nodeName`, nodeName, dns1123Subdomain(nodeName))),
    ...(hostname === undefined ? [] : invalidEach(`${path}.hostname`, hostname, dns1123Label(hostname))),
    ...(hints ? validateHints(hints, `${path}.hints`) : []),
  ];
}

function validateAddress(address: string, list: string, index: number, type: string | undefined): FieldError[] {
  const field = `${list}[${index}]`;
  if (type === 'FQDN') return validateDomainName(field, address);
  if (type !== 'IPv4' && type !== 'IPv6') return [];
  const errors = type === 'IPv4' ? legacyAddress(field, address) : canonicalAddress(field, address);
  if (errors.length > 0) return errors;
  const wrongFamily = isV6(address) !== (type === 'IPv6');
  return [
    ...(wrongFamily ? [fieldError.invalid(list, address, `must be an ${type} address`)] : []),
    ...endpointAddress(field, address),
  ];
}

function validateDomainName(field: string, name: string): FieldError[] {
  if (name === '') return [fieldError.required(field)];
  const bare = name.replace(/\.$/, '');
  const messages = dns1123Subdomain(bare);
  if (messages.length > 0) return [fieldError.invalid(field, bare, messages.join(','))];
  const labels = bare.split('.');
  if (labels.length < 2) {
    return [fieldError.invalid(field, bare, 'should be a domain with at least two segments separated by dots')];
  }
  const wrong = labels.find((label) => dns1123Label(label).length > 0);
  return wrong === undefined ? [] : [fieldError.invalid(field, wrong, dns1123Label(wrong).join(','))];
}

function validateHints(hints: NonNullable<Endpoint['hints']>, path: string): FieldError[] {
  const zones = validateNames(hints.forZones ?? [], `${path}.forZones`, labelValue);
  if ((hints.forZones ?? []).length > maxHints) return zones;
  return [...zones, ...validateNames(hints.forNodes ?? [], `${path}.forNodes`, dns1123Subdomain)];
}

function validateNames(
  list: readonly { name?: string }[],
  path: string,
  messages: (name: string) => string[],
): FieldError[] {
  if (list.length > maxHints) return [fieldError.tooMany(path, list.length, maxHints)];
  const seen = new Set<string>();
  return list.flatMap(({ name = '' }, index) => {
    const field = `${path}[${index}].name`;
    const twice = seen.has(name) ? [fieldError.duplicate(field, name)] : [];
    seen.add(name);
    return [...twice, ...invalidEach(field, name, messages(name))];
  });
}

function validateSlice(slice: EndpointSlice, old: EndpointSlice | undefined): FieldError[] {
  const unchanged = old && same(old.endpoints, slice.endpoints);
  return [
    ...validateType(slice.addressType),
    ...validatePorts(slice.ports ?? []),
    ...(unchanged ? [] : validateEndpoints(slice)),
  ];
}

/** Topology was a map in the beta version; this one does not have it. */
function dropTopology(draft: EndpointSlice): void {
  for (const endpoint of endpointsOf(draft)) delete endpoint.deprecatedTopology;
}

export const endpointSliceRules: KindRules<EndpointSlice> = {
  prepareCreate: dropTopology,
  prepareUpdate: dropTopology,
  /** The name of the Service is a label, so labels count as content here. */
  generationMoves: (draft, old) =>
    !same(draft.metadata.labels, old.metadata.labels) ||
    (['addressType', 'endpoints', 'ports'] as const).some((field) => !same(draft[field], old[field])),
  validate: (draft, context) => (context.operation === 'create' ? validateSlice(draft, undefined) : []),
  validateUpdate: (draft, old) => [
    ...validateSlice(draft, old),
    ...immutable('addressType', draft.addressType ?? '', old.addressType ?? ''),
  ],
  warnings(draft, old) {
    const isName = draft.addressType === 'FQDN';
    return [
      ...(!old && isName ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
      ...(ourControllers.includes(draft.metadata.labels?.[managedBy] ?? '')
        ? []
        : endpointsOf(draft).flatMap(({ addresses }, index) =>
            (addresses ?? []).flatMap((address, at) =>
              addressWarnings(`endpoints[${index}].addresses[${at}]`, address),
            ),
          )),
    ];
  },
  metadataOnUpdate: ['create'],
};
