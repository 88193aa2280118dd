import { type FieldError, fieldError, isObject, type Json, type JsonObject } from '@fairlead/apimachinery';
import type { Subresources } from './definition.ts';

type Scale = NonNullable<Subresources['scale']>;
const maxReplicas = 2 ** 31 - 1;

/** If a CRD has the scale subresource, the values at its paths must be valid for it. */
export function validateScale(
  object: JsonObject,
  scale: Scale | undefined,
  part: 'all' | 'status' = 'all',
): FieldError[] {
  if (!scale) return [];
  const errors = part === 'all' ? validateReplicas(object, scale.specReplicasPath) : [];
  errors.push(...validateReplicas(object, scale.statusReplicasPath));
  const path = scale.labelSelectorPath;
  const selector = path ? valueAt(object, path) : undefined;
  if (path && selector !== undefined && typeof selector !== 'string')
    errors.push(fieldError.invalid(path, '', accessorError(path, selector, 'string')));
  return errors;
}

function validateReplicas(object: JsonObject, path: string | undefined): FieldError[] {
  if (!path) return [];
  const value = valueAt(object, path);
  if (value === undefined) return [];
  if (typeof value !== 'number' || !Number.isInteger(value))
    return [fieldError.invalid(path, 0, accessorError(path, value, 'int64'))];
  if (value < 0) return [fieldError.invalid(path, value, 'should be a non-negative integer')];
  if (value > maxReplicas) return [fieldError.invalid(path, value, `should be less than or equal to ${maxReplicas}`)];
  return [];
}

const accessorError = (path: string, value: Json, type: string): string =>
  `${path} accessor error: ${JSON.stringify(value)} is of the type ${goType(value)}, expected ${type}`;

function goType(value: Json): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : typeof value === 'string' ? 'string' : 'map[string]interface {}';
}

function valueAt(object: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = object;
  for (const part of path.replace(/^\./, '').split('.'))
    value = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  return value;
}
