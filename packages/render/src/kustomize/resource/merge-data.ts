import { clearField, field, setField } from '../node/fields.ts';
import { mapAt } from '../node/lookup.ts';
import { isNull, Node } from '../node/node.ts';
import { sortedEntries } from '../sorted-entries.ts';
import type { Resource } from './resource.ts';

/** Adds keys of the other's `data` and `binaryData` that the object does not have. */
export function mergeData(resource: Resource, other: Resource): void {
  for (const name of ['data', 'binaryData'] as const) {
    const merged = new Map([...dataOf(other, name), ...dataOf(resource, name)]);
    clearField(resource.root, name);
    for (const [key, value] of sortedEntries(merged)) setData(resource.root, name, key, value);
  }
}

const dataOf = (resource: Resource, name: string): [string, string][] =>
  (field(resource.node, name)?.entries ?? []).map(({ key, value }) => [key.value, isNull(value) ? '' : value.value]);

/** Multi-line text is written as a literal block. */
export function setData(object: Node, map: string, key: string, value: string): void {
  const node = new Node('scalar', '!!str', value, value.includes('\n') ? 'literal' : 'plain');
  setField(mapAt(object, map), key, node);
}
