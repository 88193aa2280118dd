import { decodeTyped, isObject, type Json, type ObjectSchema, type Schema, toJson } from '@fairlead/apimachinery';
import { messageNamed } from '../messages/message-types.ts';

/** Why an object that exists is not replaced: the fields in which the two specs differ, as Go names and orders them. */
export function specDifference(entity: string, type: string, existing: unknown, given: unknown): string {
  const schema = messageNamed(type);
  const [one, other] = [existing, given].map((spec) => typed(spec, schema));
  const keys = differentPaths(one, other, schema, []).flat();
  const message = `existing ${entity} spec is different; use upsert flag to force update`;
  return keys.length === 0 ? message : `${message}; difference in keys ${JSON.stringify(keys.join(','))}`;
}

function typed(spec: unknown, schema: ObjectSchema): Json {
  const value = toJson(spec);
  return isObject(value) ? decodeTyped(value, schema).object : {};
}

function differentPaths(
  one: Json | undefined,
  other: Json | undefined,
  schema: Schema | undefined,
  path: readonly string[],
): string[][] {
  if (schema?.type === 'object') {
    const [a, b] = [isObject(one) ? one : {}, isObject(other) ? other : {}];
    return [...schema.fields].flatMap(([name, field]) => {
      const at = [...path, goName(name)];
      const isMissing = field.pointer && (a[name] === undefined) !== (b[name] === undefined);
      return isMissing ? [at] : differentPaths(a[name], b[name], field.schema, at);
    });
  }
  if (schema?.type === 'list') {
    const [a, b] = [Array.isArray(one) ? one : [], Array.isArray(other) ? other : []];
    return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => i).flatMap((i) =>
      differentPaths(a[i], b[i], schema.items, [...path, String(i)]),
    );
  }
  return (one ?? '') === (other ?? '') ? [] : [[...path]];
}

const goName = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
