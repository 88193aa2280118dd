import type { KubeObject } from '@fairlead/apimachinery';
import {
  dns1123Label,
  dns1123Subdomain,
  type FieldError,
  fieldError,
  invalidEach,
  portNumber,
  qualifiedName,
} from '@fairlead/apimachinery';
import type { EndpointPort } from '@fairlead/apimachinery/fields';
import type { KindRules } from '../../../resource.ts';
import { addressWarnings, endpointAddress, legacyAddress } from '../address.ts';
import { protocols } from '../service/validate.ts';
import { same, unknownValue } from '../shape.ts';

interface EndpointAddress {
  ip?: string;
  hostname?: string;
  nodeName?: string;
}

interface Subset {
  addresses?: EndpointAddress[];
  notReadyAddresses?: EndpointAddress[];
  ports?: EndpointPort[];
}

interface EndpointsFields extends KubeObject {
  subsets?: Subset[];
}

const managedBy = 'endpoints.kubernetes.io/managed-by';
const subsetsOf = (draft: EndpointsFields): Subset[] => draft.subsets ?? [];

const validateSubset = (subset: Subset, path: string): FieldError[] => [
  ...(subset.addresses?.length || subset.notReadyAddresses?.length
    ? []
    : [fieldError.required(path, 'must specify `addresses` or `notReadyAddresses`')]),
  ...(['addresses', 'notReadyAddresses'] as const).flatMap((list) =>
    (subset[list] ?? []).flatMap((address, index) => validateAddress(address, `${path}.${list}[${index}]`)),
  ),
  ...(subset.ports ?? []).flatMap((port, index, ports) =>
    validatePort(port, `${path}.ports[${index}]`, ports.length > 1),
  ),
];

function validateAddress({ ip = '', hostname, nodeName }: EndpointAddress, path: string): FieldError[] {
  return [
    ...legacyAddress(`${path}.ip`, ip),
    ...(hostname ? invalidEach(`${path}.hostname`, hostname, dns1123Label(hostname)) : []),
    ...(nodeName === undefined ? [] : invalidEach(`${path}.nodeName`, nodeName, dns1123Subdomain(nodeName))),
    ...endpointAddress(`${path}.ip`, ip),
  ];
}

function validatePort(port: EndpointPort, path: string, named: boolean): FieldError[] {
  const errors: FieldError[] = [];
  if (port.name) errors.push(...invalidEach(`${path}.name`, port.name, dns1123Label(port.name)));
  else if (named) errors.push(fieldError.required(`${path}.name`));
  errors.push(...invalidEach(`${path}.port`, port.port ?? 0, portNumber(port.port ?? 0)));
  errors.push(...unknownValue(`${path}.protocol`, port.protocol, protocols));
  if (port.appProtocol !== undefined) {
    errors.push(...invalidEach(`${path}.appProtocol`, port.appProtocol, qualifiedName(port.appProtocol)));
  }
  return errors;
}

const validateSubsets = (draft: EndpointsFields): FieldError[] =>
  subsetsOf(draft).flatMap((subset, index) => validateSubset(subset, `subsets[${index}]`));

export const endpointsRules: KindRules<EndpointsFields> = {
  validate: (draft, context) => (context.operation === 'create' ? validateSubsets(draft) : []),
  validateUpdate: (draft, old) => (same(subsetsOf(draft), subsetsOf(old)) ? [] : validateSubsets(draft)),
  warnings(draft) {
    if (draft.metadata.labels?.[managedBy] === 'endpoint-controller') return [];
    return subsetsOf(draft).flatMap((subset, index) =>
      (['addresses', 'notReadyAddresses'] as const).flatMap((list) =>
        (subset[list] ?? []).flatMap(({ ip = '' }, at) => addressWarnings(`subsets[${index}].${list}[${at}].ip`, ip)),
      ),
    );
  },
  metadataOnUpdate: ['update', 'create'],
};
