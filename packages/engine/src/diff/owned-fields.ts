import { equalJson, isJsonObject, type Json, type JsonObject, type ManagedFieldsEntry } from '@fairlead/apimachinery';
import { own } from './merge.ts';
import type { Path } from './paths.ts';

/** Where in an object the fields are that these managers own, according to its managedFields. */
export function ownedPaths(
  object: JsonObject,
  entries: readonly ManagedFieldsEntry[],
  managers: readonly string[],
): Path[] {
  return entries
    .filter(({ manager = '' }) => managers.includes(manager))
    .flatMap(({ fieldsV1 }) => (fieldsV1 ? under(object, fieldsV1, []) : []));
}

/** `fieldsV1` is a tree: `f:name` a field, `k:{…}` an item by its keys, `v:…` an item by its value, `i:0` one by its place. */
function under(value: Json, fields: JsonObject, path: Path): Path[] {
  return Object.entries(fields).flatMap(([step, inner]): Path[] => {
    if (step === '.') return [];
    const at = stepInto(value, step);
    if (at === undefined) return [];
    const child = (value as JsonObject)[at] as Json;
    const deeper = isJsonObject(inner) && Object.keys(inner).some((name) => name !== '.');
    if (deeper) return under(child, inner, [...path, at]);
    return [[...path, at]];
  });
}

function stepInto(value: Json, step: string): string | number | undefined {
  const [kind, text] = [step.slice(0, 2), step.slice(2)];
  if (kind === 'f:') return isJsonObject(value) && own(value, text) !== undefined ? text : undefined;
  if (!Array.isArray(value)) return undefined;
  const place = kind === 'i:' ? Number(text) : value.findIndex((item) => isItem(item, kind, parsed(text)));
  return place in value ? place : undefined;
}

function isItem(item: Json, kind: string, wanted: Json | undefined): boolean {
  if (kind === 'v:') return equalJson(item, wanted);
  if (kind !== 'k:' || !isJsonObject(wanted) || !isJsonObject(item)) return false;
  // A key that the item leaves out has its default: the protocol of a port.
  return Object.entries(wanted).every(
    ([name, value]) => own(item, name) === undefined || equalJson(own(item, name), value),
  );
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
