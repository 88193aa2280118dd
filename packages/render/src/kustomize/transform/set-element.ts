import { demandKind, field } from '../node/fields.ts';
import { isEmpty, isPresent, type Node } from '../node/node.ts';

/**
 * Replaces the elements of a list whose fields have these values by an element, or appends it; without an element, removes them. Empty
 * elements are always removed. The empty key refers to the element's own value.
 */
export function setElement(
  list: Node,
  element: Node | undefined,
  keys: readonly string[],
  values: readonly string[],
): void {
  demandKind(list, 'sequence');
  const setsMaps = (keys[0] ?? '') !== '' && (values[0] ?? '') !== '';
  const items: Node[] = [];
  let found = false;
  for (const item of list.items) {
    if (!isPresent(item) || (item.kind === 'map' && isEmpty(item))) continue;
    if (item.kind !== 'map' && setsMaps) {
      items.push(item);
    } else if (!matches(item, keys, values)) {
      if (values.length > 0) items.push(item);
    } else {
      found = true;
      if (element) items.push(element);
    }
  }
  if (!found && element && isPresent(element)) items.push(element);
  list.items = items;
}

function matches(item: Node, keys: readonly string[], values: readonly string[]): boolean {
  return keys.every((key, i) => {
    const expected = values[i];
    if (expected === undefined) return i > 0 && values.length > 0;
    if (key === '') {
      demandKind(item, 'scalar');
      return item.value === expected;
    }
    demandKind(item, 'map');
    const value = field(item, key);
    return value !== undefined && (expected === '' || value.value === expected);
  });
}
