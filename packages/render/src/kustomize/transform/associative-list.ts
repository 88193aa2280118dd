import { elementAt, must } from '@fairlead/apimachinery/primitives';
import { field, setField, setScalar } from '../node/fields.ts';
import { findElement } from '../node/lookup.ts';
import { isEmpty, isPresent, Node, scalar } from '../node/node.ts';
import type { MergeSchema } from '../schema/merge-schema.ts';
import { setElement } from './set-element.ts';
import type { MergeContext, Sides } from './strategic-merge.ts';

/** Values of the merge keys of one element, `''` for a missing key. */
type KeyValues = readonly string[];

/** Merges lists by element. Elements of the patch come first, in its order, then elements that only the target has. */
export function mergeAssociativeList(
  context: MergeContext,
  sides: Sides,
  schema: MergeSchema,
  path: readonly string[],
): Node | undefined {
  const target = must(sides.target, 'the list to merge into');
  const { mergeKeys = [] } = schema;
  const keys = mergeKeys.length > 0 ? mergeKeys : [''];
  const all = keys[0] === '' ? plainValues(sides) : keyValues(sides, keys);
  const valuesList = keys.length > 1 ? unified(all) : all;
  const merged = new Node('sequence');
  let lastKeys: readonly string[] = keys;
  for (const values of valuesList) {
    const valid = usableKeys(valuesList, values, keys);
    lastKeys = valid.keys;
    const element = mergeElement(context, sides, schema, valid, path);
    if (!isPresent(element) || (element.kind === 'map' && isEmpty(element))) {
      setElement(target, undefined, valid.keys, valid.values);
      continue;
    }
    for (const [i, key] of valid.keys.entries()) demandKey(element, key, valid.values[i] ?? '');
    setElement(merged, element, valid.keys, valid.values);
  }
  if (valuesList.length === 0) return isPresent(target) ? target : undefined;
  for (const item of target.items) addElement(merged, item, lastKeys);
  return merged;
}

/** Sets the key on an element that does not have it. */
function demandKey(element: Node, key: string, value: string): void {
  if (value === '') return;
  if (key === '') {
    if (element.kind === 'scalar') setScalar(element, scalar(value));
  } else if (!field(element, key)) {
    setField(element, key, scalar(value));
  }
}

function mergeElement(
  context: MergeContext,
  { target, patch }: Sides,
  schema: MergeSchema,
  valid: { keys: readonly string[]; values: KeyValues },
  path: readonly string[],
): Node | undefined {
  const { keys, values } = usableKeys([valid.values], valid.values, valid.keys);
  const find = (list: Node | undefined): Node | undefined =>
    list?.kind === 'sequence' ? findElement(list, keys, values) : undefined;
  return context.merge({ target: find(target), patch: find(patch) }, schema.elements(), path).node;
}

/** Secondary keys that no element has are ignored. */
function usableKeys(
  valuesList: readonly KeyValues[],
  values: KeyValues,
  keys: readonly string[],
): { keys: readonly string[]; values: KeyValues } {
  const used = keys.map((_, i) => valuesList.some((it) => (it[i] ?? '') !== ''));
  if (!used.includes(true)) return { keys, values };
  return { keys: keys.filter((_, i) => used[i]), values: values.filter((value, i) => value !== '' || used[i]) };
}

function keyValues({ target, patch }: Sides, keys: readonly string[]): KeyValues[] {
  const found: KeyValues[] = [];
  const seen = new Set<string>();
  for (const item of [...(patch?.items ?? []), ...(target?.items ?? [])]) {
    const values = keys.map((key) => {
      const value = field(item, key);
      return value && !isEmpty(value) ? value.value : '';
    });
    const text = JSON.stringify(values);
    if (!seen.has(text)) found.push(values);
    seen.add(text);
  }
  return found;
}

const plainValues = ({ target, patch }: Sides): KeyValues[] =>
  [...new Set([...(patch?.items ?? []), ...(target?.items ?? [])].map((item) => item.value))].map((value) => [value]);

/** Elements are the same if they agree in one key, and one of them lacks each key in which they differ. */
function unified(valuesList: readonly KeyValues[]): KeyValues[] {
  const result = [...valuesList];
  for (const i of result.keys()) {
    for (const [j, other] of result.entries()) {
      const both = union(elementAt(result, i), other);
      if (both) result[i] = result[j] = both;
    }
  }
  return result;
}

function union(a: KeyValues, b: KeyValues): KeyValues | undefined {
  if (a.length !== b.length || a.some((value, i) => value !== b[i] && value !== '' && b[i] !== '')) return undefined;
  return a.some((value, i) => value === b[i]) ? a.map((value, i) => value || (b[i] ?? '')) : undefined;
}

/** Adds an element, or replaces the one with the same keys. */
function addElement(list: Node, element: Node, keys: readonly string[]): void {
  if (keys[0] === '') return setElement(list, element, [''], [element.value]);
  const values: string[] = [];
  for (const key of keys) {
    const value = isPresent(element) ? field(element, key) : undefined;
    if (value) values.push(value.value);
    else list.items.push(element);
  }
  if (keys.length > 1) setElement(list, undefined, keys, values);
  setElement(list, element, keys, values);
}
