const isEmpty = (value: unknown): boolean => value == null || (Array.isArray(value) && value.length === 0);

/** Whether two parts of objects say the same: key order, nulls and empty lists do not count. */
export function same(left: unknown, right: unknown): boolean {
  if (left === right || (isEmpty(left) && isEmpty(right))) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    return (
      Array.isArray(left) &&
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => same(item, right[index]))
    );
  }
  const a = left as Record<string, unknown>;
  const b = right as Record<string, unknown>;
  return Object.keys({ ...a, ...b }).every((key) => same(a[key], b[key]));
}
