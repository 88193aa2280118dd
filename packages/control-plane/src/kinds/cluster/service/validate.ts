import {
  dns1123Label,
  dns1123Subdomain,
  type FieldError,
  fieldError,
  invalidEach,
  portName,
  portNumber,
  qualifiedName,
  validateLabels,
} from '@fairlead/apimachinery';
import { endpointAddress, legacyAddress } from '../address.ts';
import { unknownValue } from '../shape.ts';
import { isExternalName, isHeadless, type ServiceFields, type ServicePort, type ServiceSpec } from './types.ts';
import { validateClusterIPs } from './validate-cluster-ips.ts';
import { validateExposure } from './validate-exposure.ts';

const hints = 'service.kubernetes.io/topology-aware-hints';
const mode = 'service.kubernetes.io/topology-mode';
export const protocols = ['SCTP', 'TCP', 'UDP'];
const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];

export function validateService(service: ServiceFields, old: ServiceFields | undefined): FieldError[] {
  const spec = service.spec ?? {};
  return [
    ...validateTopologyAnnotations(service),
    ...validateByType(spec),
    ...validatePorts(spec),
    ...validateLabels(spec.selector, 'spec.selector'),
    ...validateAffinity(spec),
    ...validateClusterIPs(spec, old?.spec),
    ...validateExternalIPs(spec, old?.spec),
    ...unknownValue('spec.type', spec.type, types),
    ...validatePortUse(spec),
    ...validateExposure(service, old),
  ];
}

function validateTopologyAnnotations({ metadata }: ServiceFields): FieldError[] {
  const modeValue = metadata.annotations?.[mode];
  const hintsValue = metadata.annotations?.[hints];
  if (modeValue === undefined || hintsValue === undefined || modeValue === hintsValue) return [];
  const detail = `must match annotations[${hints}] when both are specified`;
  return [fieldError.invalid(`metadata.annotations[${mode}]`, modeValue, detail)];
}

function validateByType(spec: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (!spec.ports?.length && !isHeadless(spec) && !isExternalName(spec)) errors.push(fieldError.required('spec.ports'));
  if ((spec.type === 'LoadBalancer' || spec.type === 'NodePort') && isHeadless(spec)) {
    const detail = `may not be set to 'None' for ${spec.type} services`;
    errors.push(fieldError.invalid('spec.clusterIPs[0]', 'None', detail));
  }
  if (!isExternalName(spec)) return errors;
  for (const field of ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const) {
    if (spec[field]?.length) {
      errors.push(fieldError.forbidden(`spec.${field}`, 'may not be set for ExternalName services'));
    }
  }
  const target = (spec.externalName ?? '').replace(/\.$/, '');
  if (target === '') return [...errors, fieldError.required('spec.externalName')];
  return [...errors, ...invalidEach('spec.externalName', target, dns1123Subdomain(target))];
}

function validatePorts(spec: ServiceSpec): FieldError[] {
  const names = new Set<string>();
  const ports = spec.ports ?? [];
  return ports.flatMap((port, index) => validatePort(port, `spec.ports[${index}]`, ports.length > 1, names));
}

function validatePort(port: ServicePort, path: string, named: boolean, names: Set<string>): FieldError[] {
  const errors: FieldError[] = [];
  if (port.name) {
    errors.push(...invalidEach(`${path}.name`, port.name, dns1123Label(port.name)));
    if (names.has(port.name)) errors.push(fieldError.duplicate(`${path}.name`, port.name));
    names.add(port.name);
  } else if (named) errors.push(fieldError.required(`${path}.name`));
  errors.push(...invalidEach(`${path}.port`, port.port ?? 0, portNumber(port.port ?? 0)));
  errors.push(...unknownValue(`${path}.protocol`, port.protocol, protocols));
  errors.push(...validatePortNumberOrName(`${path}.targetPort`, port.targetPort ?? 0));
  if (port.appProtocol !== undefined) {
    errors.push(...invalidEach(`${path}.appProtocol`, port.appProtocol, qualifiedName(port.appProtocol)));
  }
  return errors;
}

const validatePortNumberOrName = (field: string, value: number | string): FieldError[] =>
  invalidEach(field, value, typeof value === 'number' ? portNumber(value) : portName(value));

function validateAffinity(spec: ServiceSpec): FieldError[] {
  const errors = unknownValue('spec.sessionAffinity', spec.sessionAffinity, ['ClientIP', 'None']);
  const path = 'spec.sessionAffinityConfig';
  if (spec.sessionAffinity !== 'ClientIP') {
    return spec.sessionAffinity === 'None' && spec.sessionAffinityConfig
      ? [...errors, fieldError.forbidden(path, 'must not be set when session affinity is None')]
      : errors;
  }
  const seconds = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds;
  if (seconds === undefined || (seconds > 0 && seconds <= 86_400)) return errors;
  const detail = 'must be greater than 0 and less than 86400';
  return [...errors, fieldError.invalid(`${path}.clientIP.timeoutSeconds`, seconds, detail)];
}

function validateExternalIPs(spec: ServiceSpec, old: ServiceSpec | undefined): FieldError[] {
  return (spec.externalIPs ?? []).flatMap((address, index) => {
    const field = `spec.externalIPs[${index}]`;
    const errors = legacyAddress(field, address, old?.externalIPs);
    return errors.length > 0 ? errors : endpointAddress(field, address);
  });
}

/** Node ports for types without them, and duplicate numbers for one protocol. */
function validatePortUse(spec: ServiceSpec): FieldError[] {
  const ports = [...(spec.ports ?? []).entries()];
  const unused =
    spec.type === 'ClusterIP'
      ? ports
          .filter(([, port]) => port.nodePort)
          .map(([index]) =>
            fieldError.forbidden(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'"),
          )
      : [];
  const nodePorts = new Set<string>();
  const numbers = new Set<string>();
  const twiceOnNodes: FieldError[] = [];
  const twice: FieldError[] = [];
  for (const [index, port] of ports) {
    const nodeKey = `${port.protocol}/${port.nodePort}`;
    if (port.nodePort && nodePorts.has(nodeKey)) {
      twiceOnNodes.push(fieldError.duplicate(`spec.ports[${index}].nodePort`, port.nodePort));
    }
    nodePorts.add(nodeKey);
    const key = `${port.protocol}/${port.port}`;
    if (numbers.has(key)) twice.push(fieldError.duplicate(`spec.ports[${index}]`, portIdentity(port)));
    numbers.add(key);
  }
  return [...unused, ...twiceOnNodes, ...twice];
}

/** The error prints the internal type, with unused fields at zero. */
const portIdentity = (port: ServicePort) => ({
  Name: '',
  Protocol: port.protocol,
  AppProtocol: null,
  Port: port.port,
  TargetPort: 0,
  NodePort: 0,
});
