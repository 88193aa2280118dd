import { isWhole } from '../resources/resource-list.ts';
import type { ResourceList } from './types.ts';

/** Fractions of a byte are accepted but meaningless. */
export function* fraction(list: ResourceList | undefined, name: string, path: string): Iterable<string> {
  const value = list?.[name];
  if (value === undefined || isWhole(value)) return;
  yield `${path}[${name}]: fractional byte value ${JSON.stringify(value)} is invalid, must be an integer`;
}
