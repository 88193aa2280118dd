import { isObject, type Json } from '@fairlead/apimachinery';

/** The values of one run by name: `NS`, `REPO`, `COMMIT0`, and what steps captured. */
export type Values = Map<string, string>;

const reference = /\$\{enc:(\w+)\}|\$\{(\w+):(\d+)\}|\$([A-Z][A-Z0-9_]*)/gu;

/** Names become values. Those that are not known stay as they are. */
export function fillIn<T>(value: T, values: Values): T {
  return mapTexts(value, (text) =>
    text.replace(reference, (whole, encoded, cut, length, plain) => {
      const found = values.get(encoded ?? cut ?? plain);
      if (found === undefined) return whole;
      if (encoded !== undefined) return encodeURIComponent(found);
      return cut === undefined ? found : found.slice(0, Number(length));
    }),
  ) as T;
}

/** Values become names again, the longest first. */
export function nameAgain(value: Json, values: Values): Json {
  const known = [...values].filter(([, text]) => text.length > 3).sort(([, a], [, b]) => b.length - a.length);
  return mapTexts(value, (text) => {
    let named = text;
    for (const [name, own] of known) {
      named = named.replaceAll(own, `$${name}`);
      if (/^COMMIT\d+$/u.test(name)) named = named.replaceAll(own.slice(0, 7), `\${${name}:7}`);
    }
    return named;
  }) as Json;
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapTexts(item, change)]));
}
