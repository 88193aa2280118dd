import { isJsonObject } from '@fairlead/apimachinery';

const isEmpty = (value: unknown): boolean => value == null || (Array.isArray(value) && value.length === 0);

/** Whether two parts of objects are equal: key order, nulls and empty lists are ignored. */
export function same(left: unknown, right: unknown): boolean {
  if (left === right || (isEmpty(left) && isEmpty(right))) return true;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) && left.length === right.length && left.every((item, index) => same(item, right[index]))
    );
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  return Object.keys({ ...left, ...right }).every((key) => same(left[key], right[key]));
}
