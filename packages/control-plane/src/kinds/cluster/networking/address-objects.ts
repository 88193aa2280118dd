import {
  dns1123Subdomain,
  type FieldError,
  fieldError,
  invalidEach,
  type KubeObject,
  pathSegment,
} from '@fairlead/apimachinery';
import type { KindRules } from '../../../resource.ts';
import { canonicalAddress, formatNetwork, isV6, legacyNetwork, parseNetwork } from '../address.ts';
import { immutable } from '../shape.ts';

interface ParentReference {
  group?: string;
  resource?: string;
  namespace?: string;
  name?: string;
}

interface IpAddressFields extends KubeObject {
  spec?: { parentRef?: ParentReference };
}

interface ServiceCidrFields extends KubeObject {
  spec?: { cidrs?: string[] };
  status?: object;
}

const parentOf = ({ spec }: IpAddressFields): ParentReference | undefined => spec?.parentRef;
const networksOf = ({ spec }: ServiceCidrFields): string[] => spec?.cidrs ?? [];

/** The name of the object is the address, in canonical form. */
const addressName = (name: string): string[] =>
  canonicalAddress('', name).map(({ message }) => message.replace(/^Invalid value: "[^"]*": /, ''));

function validateParent(parent: ParentReference | undefined): FieldError[] {
  const path = 'spec.parentRef';
  if (!parent) return [fieldError.required(path)];
  const { group, resource, name, namespace } = parent;
  const segment = (field: string, value: string | undefined): FieldError[] =>
    value ? invalidEach(`${path}.${field}`, value, pathSegment(value)) : [fieldError.required(`${path}.${field}`)];
  return [
    ...(group ? invalidEach(`${path}.group`, group, dns1123Subdomain(group)) : []),
    ...segment('resource', resource),
    ...segment('name', name),
    ...(namespace ? segment('namespace', namespace) : []),
  ];
}

export const ipAddressRules: KindRules<IpAddressFields> = {
  validate: (draft, context) => (context.operation === 'create' ? validateParent(parentOf(draft)) : []),
  validateUpdate: (draft, old) => immutable('spec.parentRef', parentOf(draft), parentOf(old)),
  validateName: addressName,
};

function validateNetworks(networks: readonly string[]): FieldError[] {
  const path = 'spec.cidrs';
  if (networks.length === 0) return [fieldError.required(path, 'at least one CIDR required')];
  if (networks.length > 2) return [fieldError.invalid(path, { CIDRs: networks }, 'may only hold up to 2 values')];
  const errors = networks.flatMap((network, index) => validateNetwork(network, `${path}[${index}]`));
  const families = networks
    .filter((network) => parseNetwork(network))
    .map((network) => isV6(network.slice(0, network.indexOf('/'))));
  if (families.length < 2 || families[0] !== families[1]) return errors;
  const detail = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
  return [...errors, fieldError.invalid(path, networks, detail)];
}

function validateNetwork(text: string, field: string): FieldError[] {
  const errors = legacyNetwork(field, text);
  const network = errors.length > 0 ? undefined : parseNetwork(text);
  const canonical = network ? formatNetwork(network) : text;
  if (text === canonical) return errors;
  return [fieldError.invalid(field, text, `must be in canonical form (${JSON.stringify(canonical)})`)];
}

/** A range is immutable; a second family may be added. */
function validateNetworkChange(next: readonly string[], old: readonly string[]): FieldError[] {
  const path = 'spec.cidrs';
  if (next.length === old.length) {
    return old.flatMap((network, index) => immutable(`${path}[${index}]`, next[index], network));
  }
  if (old.length !== 1 || next.length !== 2) return immutable(path, next, old);
  return [...immutable(`${path}[0]`, next[0], old[0]), ...validateNetworks(next)];
}

export const serviceCidrRules: KindRules<ServiceCidrFields> = {
  prepareCreate(draft) {
    draft.status = {};
  },
  validate: (draft, context) => (context.operation === 'create' ? validateNetworks(networksOf(draft)) : []),
  validateUpdate: (draft, old) => validateNetworkChange(networksOf(draft), networksOf(old)),
};
