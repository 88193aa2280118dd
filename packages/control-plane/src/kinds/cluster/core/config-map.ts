import type { ConfigMap } from '@fairlead/apimachinery';
import { configKey, type FieldError, fieldError, invalidEach } from '@fairlead/apimachinery';
import type { KindRules } from '../../../resource.ts';
import { same } from '../shape.ts';

export const maxDataBytes = 1024 * 1024;
const whenSet = 'field is immutable when `immutable` is set';

export const decodedLength = (base64: string): number => Buffer.byteLength(base64, 'base64');

/** What `immutable: true` makes immutable, including itself. Shared with Secrets. */
export function validateFrozen<T extends { immutable?: boolean }>(next: T, old: T, fields: (keyof T & string)[]) {
  if (!old.immutable) return [];
  return [
    ...(next.immutable ? [] : [fieldError.forbidden('immutable', whenSet)]),
    ...fields.filter((field) => !same(next[field], old[field])).map((field) => fieldError.forbidden(field, whenSet)),
  ];
}

function validateConfigMap({ data = {}, binaryData = {} }: ConfigMap): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    errors.push(...invalidEach(`data[${key}]`, key, configKey(key)));
    if (Object.hasOwn(binaryData, key)) {
      errors.push(fieldError.invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    }
    size += Buffer.byteLength(value);
  }
  for (const [key, value] of Object.entries(binaryData)) {
    errors.push(...invalidEach(`binaryData[${key}]`, key, configKey(key)));
    size += decodedLength(value);
  }
  // The path of the whole object is printed as brackets.
  return size > maxDataBytes ? [...errors, fieldError.tooLong('[]', maxDataBytes)] : errors;
}

export const configMapRules: KindRules<ConfigMap> = {
  validate: (draft, context) => (context.operation === 'create' ? validateConfigMap(draft) : []),
  validateUpdate: (draft, old) => [...validateFrozen(draft, old, ['data', 'binaryData']), ...validateConfigMap(draft)],
  metadataOnUpdate: ['update', 'create'],
};
