/** A value as JSON: integers that a number cannot represent exactly become the nearest one. Changes the given value. */
export function toJson(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (needsChange(value[i])) value[i] = toJson(value[i]);
    return value;
  }
  const fields = value as Record<string, unknown>;
  for (const key of Object.keys(fields)) if (needsChange(fields[key])) fields[key] = toJson(fields[key]);
  return value;
}

const needsChange = (value: unknown): boolean => typeof value === 'object' || typeof value === 'bigint';

/** The approximate memory of a JSON value. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return 16 + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 32;
  if (Array.isArray(value)) {
    for (const item of value) bytes += 8 + bytesOf(item);
    return bytes;
  }
  for (const key in value) bytes += 16 + bytesOf((value as Record<string, unknown>)[key]);
  return bytes;
}
