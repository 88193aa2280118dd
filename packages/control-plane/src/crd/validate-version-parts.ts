import { type FieldError, fieldError, type JsonSchema, structural } from '@fairlead/apimachinery';
import type { PrinterColumn, Subresources, Version } from './definition.ts';
import { parseFieldPath } from './field-path.ts';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const maxSelectable = 8;

function validatePath(path: string, field: string): FieldError[] {
  return path.startsWith('.') ? [] : [fieldError.invalid(field, path, 'must be a simple json path starting with .')];
}

export function validateColumns(columns: readonly PrinterColumn[] | undefined, path: string): FieldError[] {
  return (columns ?? []).flatMap((column, index) => {
    const at = `${path}[${index}]`;
    const errors: FieldError[] = [];
    if (!column.name) errors.push(fieldError.required(`${at}.name`));
    const types = `must be one of ${columnTypes.join(',')}`;
    if (!column.type) errors.push(fieldError.required(`${at}.type`, types));
    else if (!columnTypes.includes(column.type)) errors.push(fieldError.invalid(`${at}.type`, column.type, types));
    if (column.format && !columnFormats.includes(column.format))
      errors.push(fieldError.invalid(`${at}.format`, column.format, `must be one of ${columnFormats.join(',')}`));
    if (!column.jsonPath) errors.push(fieldError.required(`${at}.JSONPath`));
    else errors.push(...validatePath(column.jsonPath, `${at}.JSONPath`));
    return errors;
  });
}

export function validateSubresources(subresources: Subresources | undefined, path: string): FieldError[] {
  const scale = subresources?.scale;
  if (!scale) return [];
  const check = (name: string, value: string | undefined, roots: readonly string[], detail: string): FieldError[] => {
    const at = `${path}.scale.${name}`;
    if (!value) return [fieldError.required(at)];
    const errors = validatePath(value, at);
    if (errors.length > 0 || roots.some((root) => value.startsWith(root))) return errors;
    return [fieldError.invalid(at, value, detail)];
  };
  return [
    ...check('specReplicasPath', scale.specReplicasPath, ['.spec.'], 'should be a json path under .spec'),
    ...check('statusReplicasPath', scale.statusReplicasPath, ['.status.'], 'should be a json path under .status'),
    ...(scale.labelSelectorPath
      ? check(
          'labelSelectorPath',
          scale.labelSelectorPath,
          ['.spec.', '.status.'],
          'should be a json path under either .spec or .status',
        )
      : []),
  ];
}

export function validateSelectableFields(
  fields: Version['selectableFields'],
  schema: JsonSchema | undefined,
  path: string,
): FieldError[] {
  if (!fields?.length) return [];
  if (!schema) return [fieldError.invalid(path, '', 'may only be set when validations.schema is included')];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const compiled = structural(schema);
  for (const [index, { jsonPath }] of fields.entries()) {
    const at = `${path}[${index}].jsonPath`;
    if (!jsonPath) {
      errors.push(fieldError.required(at));
      continue;
    }
    const found = parseFieldPath(jsonPath, compiled, false);
    if (typeof found === 'string') {
      errors.push(fieldError.invalid(at, jsonPath, `is an invalid path: ${found}`));
      continue;
    }
    if (found.root === 'metadata')
      errors.push(fieldError.invalid(at, jsonPath, 'must not point to fields in metadata'));
    if (!['string', 'boolean', 'integer'].includes(found.schema.type))
      errors.push(
        fieldError.invalid(
          at,
          jsonPath,
          'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
        ),
      );
    if (seen.has(found.path)) errors.push(fieldError.duplicate(at, jsonPath));
    seen.add(found.path);
  }
  if (seen.size > maxSelectable) errors.push(fieldError.tooMany(path, seen.size, maxSelectable));
  return errors;
}
