import { type FieldError, fieldError, invalidEach, labelValue, qualifiedName } from '@fairlead/apimachinery';
import type { NodeFields, TaintFields } from '@fairlead/apimachinery/fields';
import type { KindRules } from '../../../resource.ts';
import { isV6, legacyNetwork, networkWarnings, parseNetwork } from '../address.ts';
import { isMain, isStatusWrite } from '../shape.ts';
import { validateQuantity } from './resource-quota.ts';

type NodeStatus = NonNullable<NodeFields['status']>;

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
const featureName = /^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/;
const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

// The path of taints is under metadata, for historical reasons.
function validateTaints(taints: readonly TaintFields[], path = 'metadata.taints'): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, index) => {
    const { key = '', value = '', effect = '' } = taint;
    const at = `${path}[${index}]`;
    const errors = invalidEach(`${at}.key`, key, qualifiedName(key));
    const valueProblems = labelValue(value);
    if (valueProblems.length > 0) errors.push(fieldError.invalid(`${at}.value`, value, valueProblems.join(';')));
    if (effect === '') errors.push(fieldError.required(`${at}.effect`));
    else if (!effects.includes(effect)) errors.push(fieldError.notSupportedInOrder(`${at}.effect`, effect, effects));
    if (seen.has(`${effect}/${key}`)) {
      const shown = { Key: key, Value: value, Effect: effect, TimeAdded: taint.timeAdded ?? null };
      errors.push(fieldError.duplicate(at, shown, 'taints must be unique by key and effect pair'));
    }
    seen.add(`${effect}/${key}`);
    return errors;
  });
}

const validateAmounts = (status: NodeStatus): FieldError[] =>
  (['capacity', 'allocatable'] as const).flatMap((list) =>
    Object.entries(status[list] ?? {}).flatMap(([name, value]) =>
      validateQuantity(name, value, `status.${list}.${name}`),
    ),
  );

function validateFeatures(features: readonly string[]): FieldError[] {
  return features.flatMap((feature, index) => {
    const at = (position: number) => `status.declaredFeatures[${position}]`;
    const next = features[index + 1];
    const errors: FieldError[] = [];
    if (feature.length > 253) {
      const detail = `invalid feature name ${JSON.stringify(feature)}: must be no more than 253 characters`;
      errors.push(fieldError.invalid(at(index), feature, detail));
    } else if (!featureName.test(feature)) {
      const detail = `invalid feature name ${JSON.stringify(feature)}: must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes`;
      errors.push(fieldError.invalid(at(index), feature, detail));
    }
    if (feature === next) errors.push(fieldError.duplicate(at(index + 1), next));
    else if (next !== undefined && feature > next) {
      errors.push(fieldError.invalid(at(index + 1), next, 'list must be sorted alphabetically'));
    }
    return errors;
  });
}

function validateNetworks(networks: readonly string[]): FieldError[] {
  const errors = networks.flatMap((network, index) => legacyNetwork(`spec.podCIDRs[${index}]`, network));
  const families = new Set(networks.map((network) => isV6(network.split('/')[0] ?? '')));
  if (networks.length < 2 || (networks.length === 2 && families.size === 2)) return errors;
  const detail = 'may specify no more than one CIDR for each IP family';
  return [...errors, ...unreadable(networks), fieldError.invalid('spec.podCIDRs', networks, detail)];
}

/** An invalid network has no family. */
function unreadable(networks: readonly string[]): FieldError[] {
  const at = networks.findIndex((network) => !parseNetwork(network));
  if (at < 0) return [];
  const why = `invalid CIDR[${at}]: <nil> (invalid CIDR address: ${networks[at]})`;
  return [fieldError.internal('spec.podCIDRs', `invalid PodCIDRs. failed to check with dual stack with error:${why}`)];
}

function validateNode({ spec = {}, status = {} }: NodeFields): FieldError[] {
  const swap = status.nodeInfo?.swap?.capacity;
  return [
    ...validateTaints(spec.taints ?? []),
    ...validateAmounts(status),
    ...(swap !== undefined && swap <= 0
      ? [fieldError.invalid('metadata.nodeSwapStatus.capacity', swap, 'must be greater than zero')]
      : []),
    ...validateFeatures(status.declaredFeatures ?? []),
    ...validateNetworks(spec.podCIDRs ?? []),
  ];
}

function validateNodeUpdate({ spec = {}, status = {} }: NodeFields, old: NodeFields): FieldError[] {
  const errors = [...validateAmounts(status), ...validateFeatures(status.declaredFeatures ?? [])];
  const addresses = new Set<string>();
  for (const [index, { type = '', address = '' }] of (status.addresses ?? []).entries()) {
    const key = `${type}/${address}`;
    if (addresses.has(key)) {
      errors.push(fieldError.duplicate(`status.addresses[${index}]`, { Type: type, Address: address }));
    }
    addresses.add(key);
  }
  const before = old.spec?.podCIDRs ?? [];
  const now = spec.podCIDRs ?? [];
  const networkChanges =
    before.length === 0
      ? 0
      : before.length !== now.length
        ? 1
        : before.filter((network, at) => network !== now[at]).length;
  const detail = 'node updates may not change podCIDR except from "" to valid';
  for (let count = 0; count < networkChanges; count += 1) errors.push(fieldError.forbidden('spec.podCIDRs', detail));
  if (old.spec?.providerID && old.spec.providerID !== spec.providerID) {
    const why = 'node updates may not change providerID except from "" to valid';
    errors.push(fieldError.forbidden('spec.providerID', why));
  }
  errors.push(...validateTaints(spec.taints ?? []));
  if ((spec.externalID ?? '') !== (old.spec?.externalID ?? '')) {
    errors.push(fieldError.forbidden('spec.externalID', 'may not be updated'));
  }
  return errors;
}

export const nodeRules: KindRules<NodeFields> = {
  prepareCreate(draft) {
    delete (draft.spec ??= {}).configSource;
    delete (draft.status ??= {}).config;
  },
  prepareUpdate(draft, old, context) {
    if (!isMain(context)) return;
    if (old.spec?.configSource === undefined) delete (draft.spec ??= {}).configSource;
  },
  /** A new node has a taint until it is ready. */
  admit(draft, old) {
    if (old) return;
    const spec = (draft.spec ??= {});
    const isThere = spec.taints?.some(({ key, effect }) => key === notReady.key && effect === notReady.effect);
    if (!isThere) spec.taints = [...(spec.taints ?? []), { ...notReady }];
  },
  validate: (draft) => validateNode(draft),
  validateUpdate: (draft, old) => validateNodeUpdate(draft, old),
  validateStatusUpdate: (draft, old) => validateNodeUpdate(draft, old),
  warnings: (draft, old) => (isStatusWrite(draft, old) ? [] : nodeWarnings(draft)),
  metadataOnUpdate: ['create', 'update'],
};

function nodeWarnings(draft: NodeFields): string[] {
  const { spec = {} } = draft;
  return [
    ...(spec.configSource === undefined ? [] : ['spec.configSource: the feature is removed']),
    ...(spec.externalID ? ['spec.externalID: this field is deprecated, and is unused by Kubernetes'] : []),
    ...(spec.podCIDRs ?? []).flatMap((network, index) => networkWarnings(`spec.podCIDRs[${index}]`, network)),
  ];
}
