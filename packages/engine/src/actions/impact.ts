import { isJsonObject, isKubeObject, type Json, type JsonObject, type Unstructured } from '@fairlead/apimachinery';
import { ActionError, type ImpactedObject } from './action.ts';

/**
 * What the result of a script means. A table with fields is the changed object; a list has entries with `operation` and `resource`, where
 * the operation is `patch` or `create`.
 */
export function impactOf(result: JsonObject | readonly Json[], before: Unstructured): ImpactedObject[] {
  if (!isList(result)) return [patchTo(result, before)];
  return result.map((item) => {
    const { operation, resource } = isJsonObject(item) ? item : {};
    if (operation !== 'create' && operation !== 'patch') {
      throw new ActionError(`unsupported operation: ${JSON.stringify(operation ?? null)}`);
    }
    if (operation === 'patch') return patchTo(resource ?? null, before);
    if (!isKubeObject(resource)) throw new ActionError('an object to create must have apiVersion, kind and a name');
    return { operation, object: resource };
  });
}

const isList = (value: JsonObject | readonly Json[]): value is readonly Json[] => Array.isArray(value);

function patchTo(value: Json, before: Unstructured): ImpactedObject {
  const object = isJsonObject(value) ? withObjects(value, before) : value;
  if (!isKubeObject(object)) throw new ActionError('a changed object must have apiVersion, kind and a name');
  const isSame =
    object.apiVersion === before.apiVersion &&
    object.kind === before.kind &&
    object.metadata.name === before.metadata.name &&
    (object.metadata.namespace ?? '') === (before.metadata.namespace ?? '');
  if (!isSame) throw new ActionError('an action can patch only the object that it runs on');
  return { operation: 'patch', object };
}

/** Empty tables are lists in the result of a script: where the object had an empty object or one with fields, it is one again. */
function withObjects(value: JsonObject, before: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, restored(inner, before[name])]));
}

function restored(value: Json, before: Json | undefined): Json {
  if (isJsonObject(value)) return isJsonObject(before) ? withObjects(value, before) : value;
  if (!Array.isArray(value)) return value;
  if (isJsonObject(before)) return value.length === 0 ? {} : value;
  return Array.isArray(before) ? value.map((item, i) => restored(item, before[i])) : value;
}
