import { type FieldError, fieldError, invalidEach, qualifiedName } from '@fairlead/apimachinery';
import type { StorageClassFields } from '@fairlead/apimachinery/fields';
import type { KindRules } from '../../../resource.ts';
import { deprecatedNodeLabel } from '../deprecated-node-labels.ts';
import { immutable, same, sortedMap, unknownValue } from '../shape.ts';

interface TopologyTerm {
  matchLabelExpressions?: { key?: string; values?: string[] }[];
}

const maxParameters = 512;
const maxParameterBytes = 256 * 1024;

export function validateProvisioner(name: string | undefined, field: string): FieldError[] {
  if (!name) return [fieldError.required(field)];
  return invalidEach(field, name.toLowerCase(), qualifiedName(name.toLowerCase()));
}

export function validateParameters(parameters: Record<string, string> | undefined, field: string): FieldError[] {
  const entries = Object.entries(parameters ?? {});
  if (entries.length > maxParameters) return [fieldError.tooLong(field, maxParameters)];
  const size = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return [
    ...entries.filter(([key]) => key === '').map(() => fieldError.invalid(field, '', 'field can not be empty.')),
    ...(size > maxParameterBytes ? [fieldError.tooLong(field, maxParameterBytes)] : []),
  ];
}

function validateTopologies(terms: readonly TopologyTerm[]): FieldError[] {
  // An empty term equals, for the server, every later term.
  const seen: (object | undefined)[] = terms.map(() => undefined);
  return terms.flatMap((term, index) => {
    const path = `allowedTopologies[${index}].matchLabelExpressions`;
    const values = new Map<string, string[]>();
    const errors = (term.matchLabelExpressions ?? []).flatMap((requirement, at) => {
      const { key = '' } = requirement;
      const found = validateTopology(requirement, `${path}[${at}]`);
      if (values.has(key)) found.push(fieldError.duplicate(`${path}[${at}].key`, key));
      values.set(key, [...new Set(requirement.values ?? [])].sort());
      return found;
    });
    const shape = values.size > 0 ? Object.fromEntries(values) : undefined;
    errors.push(...seen.filter((other) => same(other, shape)).map(() => fieldError.duplicate(path, '')));
    seen.push(shape);
    return errors;
  });
}

function validateTopology({ key = '', values = [] }: { key?: string; values?: string[] }, path: string): FieldError[] {
  return [
    ...(values.length === 0 ? [fieldError.required(`${path}.values`)] : []),
    ...values.flatMap((value, index) =>
      values.indexOf(value) < index ? [fieldError.duplicate(`${path}.values[${index}]`, value)] : [],
    ),
    ...invalidEach(`${path}.key`, key, qualifiedName(key)),
  ];
}

export const storageClassRules: KindRules<StorageClassFields> = {
  validate(draft) {
    const { provisioner, parameters, reclaimPolicy, volumeBindingMode, allowedTopologies } = draft;
    return [
      ...validateProvisioner(provisioner, 'provisioner'),
      ...validateParameters(parameters, 'parameters'),
      ...(reclaimPolicy ? unknownValue('reclaimPolicy', reclaimPolicy, ['Delete', 'Retain']) : []),
      ...unknownValue('volumeBindingMode', volumeBindingMode, ['Immediate', 'WaitForFirstConsumer']),
      ...validateTopologies(allowedTopologies ?? []),
    ];
  },
  validateUpdate: (draft, old) =>
    (['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'] as const).flatMap((field) => {
      const shown = field === 'parameters' ? sortedMap(draft.parameters) : draft[field];
      return immutable(field, draft[field], old[field], shown);
    }),
  warnings: (draft) =>
    (draft.allowedTopologies ?? []).flatMap((term, index) =>
      (term.matchLabelExpressions ?? []).flatMap(({ key = '' }, at) => {
        const why = deprecatedNodeLabel(key);
        return why ? [`allowedTopologies[${index}].matchLabelExpressions[${at}].key: ${why}`] : [];
      }),
    ),
  metadataOnUpdate: ['create', 'update'],
};
