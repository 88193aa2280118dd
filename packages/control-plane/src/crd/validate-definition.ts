import {
  dns1035Label,
  dns1123Subdomain,
  equalJson,
  type FieldError,
  fieldError,
  type JsonSchema,
} from '@fairlead/apimachinery';
import { approvalField, approvalOf } from './api-approval.ts';
import { type Definition, type DefinitionSpec, isConditionTrue, type Names, type Version } from './definition.ts';
import { validateConversion } from './validate-conversion.ts';
import { validateDefinitionSchema } from './validate-schema.ts';
import { validateColumns, validateSelectableFields, validateSubresources } from './validate-version-parts.ts';

/** The rules of a new CRD. */
export function validateDefinition(definition: Definition): FieldError[] {
  return [...validateName(definition), ...validateWhole(definition, undefined)];
}

/** The rules of an update of a CRD. */
export function validateDefinitionUpdate(definition: Definition, old: Definition): FieldError[] {
  const { spec } = definition;
  const errors = validateWhole(definition, old);
  const immutable = (field: string, value: string, before: string) => {
    if (value !== before) errors.push(fieldError.invalid(field, value, 'field is immutable'));
  };
  if (isConditionTrue(old, 'Established')) {
    immutable('spec.scope', spec.scope, old.spec.scope);
    immutable('spec.names.kind', spec.names.kind, old.spec.names.kind);
  }
  immutable('spec.group', spec.group, old.spec.group);
  immutable('spec.names.plural', spec.names.plural, old.spec.names.plural);
  return errors;
}

function validateWhole(definition: Definition, old: Definition | undefined): FieldError[] {
  return [
    ...validateSpec(definition.spec, old?.spec),
    ...validateNames(definition.status?.acceptedNames, 'status.acceptedNames'),
    ...validateStoredVersions(definition),
    ...validateApproval(definition, old),
    ...validatePreserveUnknown(definition, old),
  ];
}

function validateName({ metadata, spec }: Definition): FieldError[] {
  if (!metadata.name || metadata.name === `${spec.names?.plural ?? ''}.${spec.group ?? ''}`) return [];
  return [fieldError.invalid('metadata.name', metadata.name, 'must be spec.names.plural+"."+spec.group')];
}

function validateGroup(group: string | undefined): FieldError[] {
  if (!group) return [fieldError.required('spec.group')];
  const problems = dns1123Subdomain(group);
  if (problems.length > 0) return [fieldError.invalid('spec.group', group, problems.join(','))];
  return group.includes('.')
    ? []
    : [fieldError.invalid('spec.group', group, 'should be a domain with at least one dot')];
}

function validateSpec(spec: DefinitionSpec, old: DefinitionSpec | undefined): FieldError[] {
  const errors = validateGroup(spec.group);
  if (!spec.scope) errors.push(fieldError.required('spec.scope'));
  else if (spec.scope !== 'Cluster' && spec.scope !== 'Namespaced')
    errors.push(fieldError.notSupported('spec.scope', spec.scope, ['Cluster', 'Namespaced']));
  errors.push(...validateVersions(spec, old));
  for (const name of ['plural', 'singular', 'kind', 'listKind'] as const)
    if (!spec.names?.[name]) errors.push(fieldError.required(`spec.names.${name}`));
  errors.push(...validateNames(spec.names, 'spec.names'));
  errors.push(...validateShared(spec, old));
  errors.push(...validateConversion(spec.conversion, 'spec.conversion'));
  return errors;
}

/** Whether something is equal in all versions: the server then stores it, and reports on it, once for all. */
const isShared = (versions: readonly Version[], part: (version: Version) => unknown): boolean =>
  versions.every((version, _, [first = version]) => equalJson(part(version) ?? null, part(first) ?? null));

const schemaOf = (version: Version): JsonSchema | undefined => version.schema?.openAPIV3Schema;
const hasStatus = (version: Version): boolean => version.subresources?.status != null;

/** An accepted rule stays valid: the cost limits apply only to new schemas. */
const isUnchangedIn = (old: DefinitionSpec | undefined, version: Version): boolean =>
  old?.versions.some((v) => v.name === version.name && equalJson(schemaOf(v) ?? null, schemaOf(version) ?? null)) ??
  false;

function validateVersions(spec: DefinitionSpec, old: DefinitionSpec | undefined): FieldError[] {
  const versions = spec.versions ?? [];
  const errors: FieldError[] = [];
  const at = (index: number) => `spec.versions[${index}]`;
  for (const [index, version] of versions.entries())
    if (!schemaOf(version)) errors.push(fieldError.required(`${at(index)}.schema.openAPIV3Schema`));
  const shared = {
    schema: isShared(versions, schemaOf),
    subresources: isShared(versions, (v) => v.subresources),
    columns: isShared(versions, (v) => v.additionalPrinterColumns),
    selectable: isShared(versions, (v) => v.selectableFields),
  };
  for (const [index, version] of versions.entries()) {
    const path = at(index);
    const problems = dns1035Label(version.name ?? '');
    if (problems.length > 0) errors.push(fieldError.invalid(`${path}.name`, version.name ?? '', problems.join(',')));
    errors.push(...validateDeprecation(version, path));
    const schema = schemaOf(version);
    if (schema && !shared.schema)
      errors.push(
        ...validateDefinitionSchema(schema, `${path}.schema.openAPIV3Schema`, {
          hasStatus: hasStatus(version),
          checksCost: !isUnchangedIn(old, version),
        }),
      );
    if (!shared.subresources) errors.push(...validateSubresources(version.subresources, `${path}.subresources`));
    if (!shared.columns)
      errors.push(...validateColumns(version.additionalPrinterColumns, `${path}.additionalPrinterColumns`));
    if (!shared.selectable)
      errors.push(
        ...validateSelectableFields(
          version.selectableFields,
          shared.schema ? undefined : schema,
          `${path}.selectableFields`,
        ),
      );
  }
  if (new Set(versions.map((version) => version.name)).size !== versions.length)
    errors.push(fieldError.invalid('spec.versions', versions, 'must contain unique version names'));
  if (versions.filter((version) => version.storage).length !== 1)
    errors.push(
      fieldError.invalid('spec.versions', versions, 'must have exactly one version marked as storage version'),
    );
  // The first version is also the only version of the v1beta1 form of CRDs.
  const first = versions[0]?.name;
  const problems = first ? dns1035Label(first) : [];
  if (problems.length > 0) errors.push(fieldError.invalid('spec.version', first, problems.join(',')));
  return errors;
}

/** Fields that are equal in all versions are reported with their v1beta1 paths. */
function validateShared(spec: DefinitionSpec, old: DefinitionSpec | undefined): FieldError[] {
  const versions = spec.versions ?? [];
  const [first] = versions;
  if (!first) return [];
  const errors: FieldError[] = [];
  const schema = schemaOf(first);
  if (schema && isShared(versions, schemaOf))
    errors.push(
      ...validateDefinitionSchema(schema, 'spec.validation.openAPIV3Schema', {
        hasStatus: versions.some(hasStatus),
        checksCost: !isUnchangedIn(old, first),
      }),
    );
  if (isShared(versions, (v) => v.subresources))
    errors.push(...validateSubresources(first.subresources, 'spec.subresources'));
  if (isShared(versions, (v) => v.additionalPrinterColumns))
    errors.push(...validateColumns(first.additionalPrinterColumns, 'spec.additionalPrinterColumns'));
  if (isShared(versions, (v) => v.selectableFields))
    // Fields that all versions share need a schema that all versions share.
    errors.push(
      ...validateSelectableFields(
        first.selectableFields,
        isShared(versions, schemaOf) ? schema : undefined,
        'spec.selectableFields',
      ),
    );
  return errors;
}

function validateDeprecation(version: Version, path: string): FieldError[] {
  const warning = version.deprecationWarning;
  if (warning === undefined || warning === null) return [];
  const refuse = (detail: string) => fieldError.invalid(`${path}.deprecationWarning`, warning, detail);
  if (!version.deprecated) return [refuse('can only be set for deprecated versions')];
  const errors: FieldError[] = [];
  if (Buffer.byteLength(warning) > 256) errors.push(refuse('must be <= 256 characters long'));
  if (warning === '') errors.push(refuse('must not be an empty string'));
  const odd = /[^\P{C}]|[^\S ]/u.exec(warning);
  if (odd)
    errors.push(
      refuse(
        `must only contain printable UTF-8 characters; non-printable character found at index ${Buffer.byteLength(warning.slice(0, odd.index))}`,
      ),
    );
  return errors;
}

export function validateNames(names: Names | undefined, path: string): FieldError[] {
  if (!names) return [];
  const errors: FieldError[] = [];
  const check = (field: string, value: string, isKind = false) => {
    const problems = dns1035Label(isKind ? value.toLowerCase() : value);
    if (problems.length === 0) return;
    const prefix = isKind ? 'may have mixed case, but should otherwise match: ' : '';
    errors.push(fieldError.invalid(`${path}.${field}`, value, prefix + problems.join(',')));
  };
  for (const field of ['plural', 'singular'] as const) if (names[field]) check(field, names[field]);
  for (const field of ['kind', 'listKind'] as const) if (names[field]) check(field, names[field], true);
  for (const [index, name] of (names.shortNames ?? []).entries()) check(`shortNames[${index}]`, name);
  if (names.kind && names.kind === names.listKind)
    errors.push(fieldError.invalid(`${path}.listKind`, names.listKind, 'kind and listKind may not be the same'));
  for (const [index, name] of (names.categories ?? []).entries()) check(`categories[${index}]`, name);
  return errors;
}

function validateStoredVersions({ spec, status }: Definition): FieldError[] {
  const path = 'status.storedVersions';
  const stored = status?.storedVersions ?? [];
  if (stored.length === 0)
    return [fieldError.invalid(path, status?.storedVersions, 'must have at least one stored version')];
  const errors: FieldError[] = [];
  const names = new Set((spec.versions ?? []).map((version) => version.name));
  const unclaimed = new Set(stored);
  for (const version of spec.versions ?? []) {
    if (!unclaimed.delete(version.name) && version.storage)
      errors.push(fieldError.invalid(path, stored, `must have the storage version ${version.name}`));
  }
  for (const [index, name] of stored.entries()) {
    if (names.has(name)) continue;
    errors.push(
      fieldError.invalid(
        `${path}[${index}]`,
        name,
        `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
      ),
    );
  }
  return errors;
}

/** Community groups need an API approval; an existing CRD without one may stay. */
function validateApproval(definition: Definition, old: Definition | undefined): FieldError[] {
  const approval = approvalOf(definition);
  if (!approval || (old && approvalOf(old)?.state === approval.state)) return [];
  if (approval.state === 'missing') return [fieldError.required(approvalField, approval.reason)];
  if (approval.state === 'invalid') return [fieldError.invalid(approvalField, approval.annotation, approval.reason)];
  return [];
}

function validatePreserveUnknown({ spec }: Definition, old: Definition | undefined): FieldError[] {
  if (spec.preserveUnknownFields !== true || old?.spec.preserveUnknownFields) return [];
  return [
    fieldError.invalid(
      'spec.preserveUnknownFields',
      true,
      'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
    ),
  ];
}
