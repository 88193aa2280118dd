import {
  at,
  equalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  type ManagedFieldsEntry,
  own,
} from '@fairlead/apimachinery';
import type { Path } from './paths.ts';

/** The paths of the fields that these managers own, according to managedFields. */
export function ownedPaths(
  object: JsonObject,
  entries: readonly ManagedFieldsEntry[],
  managers: readonly string[],
): Path[] {
  return entries
    .filter(({ manager = '' }) => managers.includes(manager))
    .flatMap(({ fieldsV1 }) => (fieldsV1 ? under(object, fieldsV1, []) : []));
}

/** `fieldsV1` is a tree: `f:name` a field, `k:{…}` an item by its keys, `v:…` an item by its value, `i:0` one by its position. */
function under(value: Json, fields: JsonObject, path: Path): Path[] {
  return Object.entries(fields).flatMap(([step, inner]): Path[] => {
    if (step === '.') return [];
    const position = stepInto(value, step);
    const child = position === undefined ? undefined : at(value, position);
    if (position === undefined || child === undefined) return [];
    const deeper = isJsonObject(inner) && Object.keys(inner).some((name) => name !== '.');
    if (deeper) return under(child, inner, [...path, position]);
    return [[...path, position]];
  });
}

function stepInto(value: Json, step: string): string | number | undefined {
  const [kind, text] = [step.slice(0, 2), step.slice(2)];
  if (kind === 'f:') return isJsonObject(value) && own(value, text) !== undefined ? text : undefined;
  if (!Array.isArray(value)) return undefined;
  const position = kind === 'i:' ? Number(text) : value.findIndex((item) => isItem(item, kind, parsed(text)));
  return position in value ? position : undefined;
}

function isItem(item: Json, kind: string, expected: Json | undefined): boolean {
  if (kind === 'v:') return equalJson(item, expected);
  if (kind !== 'k:' || !isJsonObject(expected) || !isJsonObject(item)) return false;
  // A key that the item omits has its default, such as the protocol of a port.
  return Object.entries(expected).every(
    ([name, value]) => own(item, name) === undefined || equalJson(own(item, name), value),
  );
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
