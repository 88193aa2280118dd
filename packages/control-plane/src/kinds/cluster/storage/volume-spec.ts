import { posix } from 'node:path';
import { dns1123Subdomain, type FieldError, fieldError, invalidEach } from '@fairlead/apimachinery';
import { nodeSelectorTerm } from '../../workloads/pod-spec/affinity.ts';
import { compare, isNegative, type ResourceList, wholeUnits } from '../quantity.ts';
import { sortedMap, unknownValue } from '../shape.ts';
import { accessModes, volumeModes } from './claim-types.ts';
import { volumeSources } from './volume-sources.ts';
import type { VolumeSpec } from './volume-types.ts';

const policies = ['Delete', 'Recycle', 'Retain'];
const inline = 'in the context of inline volumes';

/** `isInline`: the spec is part of a VolumeAttachment, for a volume without an object. */
export function validateVolumeSpec(spec: VolumeSpec, path: string, name: string, isInline = false): FieldError[] {
  return [
    ...(isInline ? validateInline(spec, path) : []),
    ...validateModes(spec.accessModes ?? [], `${path}.accessModes`),
    ...(isInline ? [] : validateCapacity(spec.capacity, `${path}.capacity`)),
    ...(isInline ? validateInlinePolicy(spec, path) : validatePolicy(spec, path)),
    ...(isInline ? [] : validateAffinity(spec, path)),
    ...validateSource(spec, path, name),
    ...validateRecycledRoot(spec, path),
    ...(isInline ? validateInlineClass(spec, path) : validateClass(spec, path)),
    ...validateAttributesClass(spec, path),
  ];
}

function validateInline(spec: VolumeSpec, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['claimRef', 'capacity'] as const) {
    if (spec[field]) errors.push(fieldError.forbidden(`${path}.${field}`, `may not be specified ${inline}`));
  }
  if (!spec.csi) errors.push(fieldError.required(`${path}.csi`, `has to be specified ${inline}`));
  return errors;
}

function validateModes(modes: readonly string[], field: string): FieldError[] {
  const known = modes.filter((mode) => accessModes.includes(mode));
  const mixed = known.includes('ReadWriteOncePod') && known.some((mode) => mode !== 'ReadWriteOncePod');
  return [
    ...(modes.length === 0 ? [fieldError.required(field)] : []),
    ...modes.flatMap((mode) => unknownValue(field, mode, accessModes)),
    ...(mixed ? [fieldError.forbidden(field, 'may not use ReadWriteOncePod with other access modes')] : []),
  ];
}

function validateCapacity(capacity: ResourceList | undefined, field: string): FieldError[] {
  const entries = Object.entries(capacity ?? {});
  const errors: FieldError[] = entries.length === 0 ? [fieldError.required(field)] : [];
  if (capacity?.['storage'] === undefined || entries.length > 1) {
    errors.push(fieldError.notSupportedInOrder(field, sortedMap(capacity), ['storage']));
  }
  for (const [name, size] of entries) {
    const at = `${field}[${name}]`;
    if (isNegative(size)) {
      errors.push(fieldError.invalid(at, Number(wholeUnits(size)), 'must be a valid resource quantity'));
    }
    if (compare(size, '0') <= 0) errors.push(fieldError.invalid(at, size, 'must be greater than zero'));
  }
  return errors;
}

function validateInlinePolicy(spec: VolumeSpec, path: string): FieldError[] {
  const policy = spec.persistentVolumeReclaimPolicy;
  return [
    ...(policy && policy !== 'Retain'
      ? [fieldError.forbidden(`${path}.persistentVolumeReclaimPolicy`, `may only be Retain ${inline}`)]
      : []),
    ...(spec.nodeAffinity ? [fieldError.forbidden(`${path}.nodeAffinity`, `may not be specified ${inline}`)] : []),
  ];
}

const validatePolicy = ({ persistentVolumeReclaimPolicy: policy }: VolumeSpec, path: string): FieldError[] =>
  policy ? unknownValue(`${path}.persistentVolumeReclaimPolicy`, policy, policies) : [];

function validateAffinity({ nodeAffinity }: VolumeSpec, path: string): FieldError[] {
  if (!nodeAffinity) return [];
  const field = `${path}.nodeAffinity.required`;
  if (!nodeAffinity.required) return [fieldError.required(field, 'must specify required node constraints')];
  const terms = nodeAffinity.required.nodeSelectorTerms ?? [];
  const at = `${field}.nodeSelectorTerms`;
  if (terms.length === 0) return [fieldError.required(at, 'must have at least one node selector term')];
  return terms.flatMap((term, index) => [...nodeSelectorTerm(term, `${at}[${index}]`)]);
}

function validateSource(spec: VolumeSpec, path: string, name: string): FieldError[] {
  const given = volumeSources.filter(([source]) => spec[source] !== undefined);
  if (given.length === 0) return [fieldError.required(path, 'must specify a volume type')];
  return given.flatMap(([, whenTooMany, check], index) =>
    index > 0 && whenTooMany !== ''
      ? [fieldError.forbidden(`${path}.${whenTooMany}`, 'may not specify more than 1 volume type')]
      : [...check(spec, path, name)],
  );
}

function validateRecycledRoot(spec: VolumeSpec, path: string): FieldError[] {
  const isRoot = spec.hostPath && posix.normalize(spec.hostPath.path ?? '').replace(/(.)\/$/, '$1') === '/';
  if (!isRoot || spec.persistentVolumeReclaimPolicy !== 'Recycle') return [];
  const field = `${path}.persistentVolumeReclaimPolicy`;
  return [fieldError.forbidden(field, "may not be 'recycle' for a hostPath mount of '/'")];
}

function validateClass({ storageClassName: name, volumeMode }: VolumeSpec, path: string): FieldError[] {
  return [
    ...(name ? invalidEach(`${path}.storageClassName`, name, dns1123Subdomain(name)) : []),
    ...(volumeMode === undefined ? [] : unknownValue(`${path}.volumeMode`, volumeMode, volumeModes)),
  ];
}

function validateInlineClass({ storageClassName, volumeMode }: VolumeSpec, path: string): FieldError[] {
  const otherMode = volumeMode !== undefined && volumeMode !== 'Filesystem';
  return [
    ...(storageClassName ? [fieldError.forbidden(`${path}.storageClassName`, `may not be specified ${inline}`)] : []),
    ...(otherMode
      ? [fieldError.forbidden(`${path}.volumeMode`, `may not specify volumeMode other than Filesystem ${inline}`)]
      : []),
  ];
}

function validateAttributesClass({ volumeAttributesClassName: name, csi }: VolumeSpec, path: string): FieldError[] {
  if (name === undefined) return [];
  const field = `${path}.volumeAttributesClassName`;
  return [
    ...(name === ''
      ? [fieldError.required(field, 'an empty string is disallowed')]
      : invalidEach(field, name, dns1123Subdomain(name))),
    ...(csi ? [] : [fieldError.required(`${path}.csi`, 'has to be specified when using volumeAttributesClassName')]),
  ];
}
