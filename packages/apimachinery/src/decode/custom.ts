import type { Json, JsonObject } from '../json/json-value.ts';
import type { ObjectSchema, Schema } from '../schema/schema.ts';
import { setMember } from './set-member.ts';
import { goValue, TypeMismatch } from './type-mismatch.ts';
import { decodeTyped, pathText, type Typed } from './typed.ts';

/**
 * A custom resource: its metadata is decoded as that of any object, and so is the metadata of embedded resources; of the rest only fields
 * that the schema does not have are pruned. Nulls, empty values and types are validated by the rules of the CRD. The input is not changed.
 */
export function decodeCustom(value: JsonObject, schema: ObjectSchema): Typed {
  const pruning = new Pruning();
  const object = pruning.object(value, schema, true);
  return { object, unknown: [...pruning.inMetadata, ...pruning.unknown.sort(), ...pruning.inEmbedded.sort()] };
}

class Pruning {
  readonly unknown: string[] = [];
  readonly inMetadata: string[] = [];
  readonly inEmbedded: string[] = [];
  private readonly path: (string | number)[] = [];

  object(value: JsonObject, schema: ObjectSchema, isRoot = false): JsonObject {
    const result: JsonObject = {};
    for (const key in value) {
      const member = value[key] as Json;
      const field = schema.fields.get(key);
      if ((isRoot || schema.embedded) && resourceFields.has(key))
        result[key] = this.resourceField(key, member, field?.schema, isRoot);
      else if (field) {
        this.path.push(key);
        result[key] = this.value(member, field.schema);
        this.path.pop();
      } else if (schema.preserveUnknown) setMember(result, key, member);
      else this.unknown.push(pathText([...this.path, key]));
    }
    return result;
  }

  private value(value: Json, schema: Schema): Json {
    if (Array.isArray(value)) {
      if (schema.type !== 'list') return value;
      return value.map((item, index) => {
        this.path.push(index);
        const result = this.value(item, schema.items);
        this.path.pop();
        return result;
      });
    }
    if (typeof value !== 'object' || value === null) return value;
    if (schema.type === 'object') return this.object(value, schema);
    if (schema.type !== 'map') return value;
    const result: JsonObject = {};
    for (const key in value) {
      this.path.push(key);
      setMember(result, key, this.value(value[key] as Json, schema.values));
      this.path.pop();
    }
    return result;
  }

  private resourceField(key: string, value: Json, schema: Schema | undefined, isRoot: boolean): Json {
    const place = pathText([...this.path, key]);
    if (key !== 'metadata') {
      if (typeof value === 'string') return value;
      throw new TypeMismatch(
        isRoot ? wrongAccessor(key, value) : `${place}: Invalid value: ${JSON.stringify(value)}: must be a string`,
      );
    }
    if (value === null) return {};
    if (typeof value !== 'object' || Array.isArray(value)) {
      throw new TypeMismatch(`json: cannot unmarshal ${goValue(value)} into Go value of type v1.ObjectMeta`);
    }
    if (schema?.type !== 'object') return value;
    const { object, unknown } = decodeTyped(value, schema);
    (isRoot ? this.inMetadata : this.inEmbedded).push(...unknown.map((path) => `${place}.${path}`));
    return object;
  }
}

const resourceFields = new Set(['apiVersion', 'kind', 'metadata']);

const wrongAccessor = (key: string, value: Json): string =>
  `.${key} accessor error: ${JSON.stringify(value)} is of the type ${goValue(value)}, expected string`;
