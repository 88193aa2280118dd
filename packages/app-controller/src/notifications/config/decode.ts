import { isObject } from '@fairlead/apimachinery';

/** A value of the configuration that does not have the type of its field. */
export class DecodeError extends Error {}

export type Decoder<T> = (value: unknown, path: string) => T;

const kindOf = (value: unknown): string =>
  Array.isArray(value)
    ? 'a list'
    : isObject(value)
      ? 'a map'
      : value === null
        ? 'null'
        : `the ${typeof value} ${JSON.stringify(value)}`;
const wrong = (value: unknown, path: string, type: string): never => {
  throw new DecodeError(`${path || 'the value'} must be ${type}, not ${kindOf(value)}`);
};
const isMissing = (value: unknown): value is null | undefined => value === null || value === undefined;

/** A text. Numbers and booleans of YAML become text, as Argo CD reads them. */
export const text: Decoder<string> = (value, path) => {
  if (isMissing(value)) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : wrong(value, path, 'a text');
};

/** A text that YAML already reads as one. */
export const strictText: Decoder<string> = (value, path) =>
  isMissing(value) ? '' : typeof value === 'string' ? value : wrong(value, path, 'a text');

export const integer: Decoder<number> = (value, path) => {
  if (isMissing(value)) return 0;
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : wrong(value, path, 'an integer');
};

export const bool: Decoder<boolean> = (value, path) =>
  isMissing(value) ? false : typeof value === 'boolean' ? value : wrong(value, path, 'true or false');

export const optional =
  <T>(decode: Decoder<T>): Decoder<T | undefined> =>
  (value, path) =>
    isMissing(value) ? undefined : decode(value, path);

export const list =
  <T>(decode: Decoder<T>): Decoder<T[]> =>
  (value, path) => {
    if (isMissing(value)) return [];
    return Array.isArray(value) ? value.map((item, i) => decode(item, `${path}[${i}]`)) : wrong(value, path, 'a list');
  };

export const mapOf =
  <T>(decode: Decoder<T>): Decoder<Record<string, T>> =>
  (value, path) => {
    if (isMissing(value)) return {};
    if (!isObject(value)) return wrong(value, path, 'a map');
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decode(item, `${path}.${key}`)]));
  };

/** Fields by name. Like Go, it finds a field whatever the case of its letters, and leaves others out of account. */
export const struct =
  <F extends Record<string, Decoder<unknown>>>(fields: F): Decoder<{ [K in keyof F]: ReturnType<F[K]> }> =>
  (value, path) => {
    if (!isMissing(value) && !isObject(value)) return wrong(value, path, 'a map');
    const given = value ?? {};
    const entries = Object.entries(fields).map(([name, decode]) => {
      const key = Object.hasOwn(given, name)
        ? name
        : Object.keys(given).find((one) => one.toLowerCase() === name.toLowerCase());
      return [name, decode(key === undefined ? undefined : given[key], path ? `${path}.${name}` : name)];
    });
    return Object.fromEntries(entries) as { [K in keyof F]: ReturnType<F[K]> };
  };
