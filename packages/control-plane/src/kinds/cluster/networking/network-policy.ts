import {
  type FieldError,
  fieldError,
  invalidEach,
  portName,
  portNumber,
  validateLabelSelector,
} from '@fairlead/apimachinery';
import type {
  NetworkPolicyFields,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from '@fairlead/apimachinery/fields';
import type { KindRules } from '../../../resource.ts';
import { contains, legacyNetwork, networkWarnings, parseNetwork } from '../address.ts';
import { unknownValue } from '../shape.ts';

interface Rule {
  readonly path: string;
  readonly peers: readonly (readonly [string, NetworkPolicyPeer])[];
  readonly ports: readonly NetworkPolicyPort[];
}

const specOf = (draft: NetworkPolicyFields): NetworkPolicySpec => draft.spec ?? {};
const numbered = (peers: readonly NetworkPolicyPeer[] | undefined, path: string) =>
  (peers ?? []).map((peer, index) => [`${path}[${index}]`, peer] as const);

const rulesOf = (spec: NetworkPolicySpec): Rule[] => [
  ...(spec.ingress ?? []).map(({ from, ports = [] }, index) => ({
    path: `spec.ingress[${index}]`,
    peers: numbered(from, `spec.ingress[${index}].from`),
    ports,
  })),
  ...(spec.egress ?? []).map(({ to, ports = [] }, index) => ({
    path: `spec.egress[${index}]`,
    peers: numbered(to, `spec.egress[${index}].to`),
    ports,
  })),
];

/** Existing networks of the policy: once accepted, they stay valid. */
const networksOf = (spec: NetworkPolicySpec): string[] =>
  rulesOf(spec).flatMap(({ peers }) =>
    peers.flatMap(([, { ipBlock }]) => (ipBlock ? [ipBlock.cidr ?? '', ...(ipBlock.except ?? [])] : [])),
  );

function validateSpec(spec: NetworkPolicySpec, known: readonly string[]): FieldError[] {
  const types = spec.policyTypes ?? [];
  const path = 'spec.policyTypes';
  return [
    ...validateLabelSelector(spec.podSelector, 'spec.podSelector'),
    ...rulesOf(spec).flatMap((rule) => [
      ...rule.ports.flatMap((port, index) => validatePort(port, `${rule.path}.ports[${index}]`)),
      ...rule.peers.flatMap(([at, peer]) => validatePeer(peer, at, known)),
    ]),
    ...(types.length > 2
      ? [fieldError.invalid(path, types, 'may not specify more than two policyTypes')]
      : types.flatMap((type, index) => unknownValue(`${path}[${index}]`, type, ['Ingress', 'Egress']))),
  ];
}

function validatePort({ protocol, port, endPort }: NetworkPolicyPort, path: string): FieldError[] {
  const errors = protocol === undefined ? [] : unknownValue(`${path}.protocol`, protocol, ['TCP', 'UDP', 'SCTP']);
  const field = `${path}.endPort`;
  if (port === undefined) {
    if (endPort === undefined) return errors;
    return [...errors, fieldError.invalid(field, endPort, 'may not be specified when `port` is not specified')];
  }
  if (typeof port === 'string') {
    if (endPort !== undefined) {
      errors.push(fieldError.invalid(field, endPort, 'may not be specified when `port` is non-numeric'));
    }
    return [...errors, ...invalidEach(`${path}.port`, port, portName(port))];
  }
  errors.push(...invalidEach(`${path}.port`, port, portNumber(port)));
  if (endPort === undefined) return errors;
  if (endPort < port) errors.push(fieldError.invalid(field, port, 'must be greater than or equal to `port`'));
  return [...errors, ...invalidEach(field, endPort, portNumber(endPort))];
}

function validatePeer(peer: NetworkPolicyPeer, path: string, known: readonly string[]): FieldError[] {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  const errors = [
    ...validateLabelSelector(podSelector, `${path}.podSelector`),
    ...validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`),
    ...(ipBlock ? validateIpBlock(ipBlock, `${path}.ipBlock`, known) : []),
  ];
  if (!podSelector && !namespaceSelector && !ipBlock) return [fieldError.required(path, 'must specify a peer')];
  if (ipBlock && (podSelector || namespaceSelector)) {
    errors.push(fieldError.forbidden(path, 'may not specify both ipBlock and another peer'));
  }
  return errors;
}

function validateIpBlock(
  { cidr = '', except = [] }: NonNullable<NetworkPolicyPeer['ipBlock']>,
  path: string,
  known: readonly string[],
): FieldError[] {
  if (cidr === '') return [fieldError.required(`${path}.cidr`)];
  const errors = legacyNetwork(`${path}.cidr`, cidr, known);
  const outer = parseNetwork(cidr);
  if (!outer) return errors;
  for (const [index, text] of except.entries()) {
    const field = `${path}.except[${index}]`;
    errors.push(...legacyNetwork(field, text, known));
    const inner = parseNetwork(text);
    if (!inner) continue;
    if (!contains(outer, inner.address) || outer.prefix >= inner.prefix) {
      errors.push(fieldError.invalid(field, text, 'must be a strict subset of `cidr`'));
    }
  }
  return errors;
}

export const networkPolicyRules: KindRules<NetworkPolicyFields> = {
  validate: (draft, context) => (context.operation === 'create' ? validateSpec(specOf(draft), []) : []),
  validateUpdate: (draft, old) => validateSpec(specOf(draft), networksOf(specOf(old))),
  warnings: (draft) =>
    rulesOf(specOf(draft)).flatMap(({ peers }) =>
      peers.flatMap(([at, { ipBlock }]) => [
        ...(ipBlock ? networkWarnings(`${at}.ipBlock.cidr`, ipBlock.cidr ?? '') : []),
        ...(ipBlock?.except ?? []).flatMap((text, index) => networkWarnings(`${at}.ipBlock.except[${index}]`, text)),
      ]),
    ),
};
