import { isJsonObject } from '@fairlead/apimachinery';

/** The values of one run, by the placeholder that the recording has for each. */
export type Placeholders = ReadonlyMap<string, string>;

/** The value with the placeholders in it, keys included, replaced. */
export const fillIn = <T>(value: T, placeholders: Placeholders): T => {
  const names = [...placeholders.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(names.map((name) => `${name.replace('$', '\\$')}(?![A-Za-z0-9_])`).join('|'), 'gu');
  // JSON of the same shape as before: only texts changed.
  return mapTexts(value, (text) => text.replace(pattern, (name) => placeholders.get(name) ?? name)) as T;
};

/** Values of this run become placeholders again, and nondeterministic values are masked as in the recording. */
export const mask = (value: unknown, placeholders: Placeholders): unknown =>
  mapTexts(nameAgain(value, placeholders), (text) =>
    changing.reduce((masked, [pattern, name]) => masked.replace(pattern, name), text),
  );

/** Values of this run become placeholders again. */
export function nameAgain(value: unknown, placeholders: Placeholders): unknown {
  const values = [...placeholders].filter(([, text]) => text !== '').sort(([, a], [, b]) => b.length - a.length);
  return mapTexts(value, (text) => {
    let masked = text.replaceAll(/\b127\.0\.0\.1:\d+/gu, '$ADDR');
    for (const [name, own] of values)
      masked = masked.replaceAll(own, name).replaceAll(own.replace(/^file:\/\//u, ''), name);
    return masked;
  });
}

/** The version is that of the recorded cluster. */
const changing: readonly (readonly [RegExp, string])[] = [
  // kubectl names the file of a manifest where Fairlead names the object.
  [
    /(?<=error when (?:patching|replacing) "|unable to decode "|from server for: "|namespace: "[^"]{0,63}" from ")[^"]+(?=": )/gu,
    '$$TMP',
  ],
  // Which host answers for a Service without endpoints depends on the network of the machine.
  [/(?<=failing or missing response from )https:\/\/[\d.]+:(\d+)(\/\S+): .*/gu, 'https://$$CLUSTERIP:$1$2: $$UNSTABLE'],
  [/Manifest generation error \(cached\): /gu, ''],
  [/--kube-version \d+\.\d+\.\d+/gu, '--kube-version 1.36.3'],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| ?[+-]\d\d:?\d\d(?: UTC)?)/gu, '$$TIME'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gu, '$$UID'],
  [/\b1[6-9]\d{8}\b/gu, '$$UNIXTIME'],
];

/** The cluster chooses the hash of a pod template: it is masked wherever a label contains it. */
export function maskTemplateHashes<T>(observation: T): T {
  const hashes = new Set<string>();
  mapTexts(
    observation,
    (text) => text,
    (key, value) => {
      if (key === 'pod-template-hash' && typeof value === 'string') hashes.add(value);
    },
  );
  const mask = (text: string): string =>
    [...hashes].reduce((masked, hash) => masked.replaceAll(hash, '$TEMPLATEHASH'), text);
  return mapTexts(observation, mask) as T;
}

function mapTexts(
  value: unknown,
  change: (text: string) => string,
  see?: (key: string, value: unknown) => void,
): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, see));
  if (!isJsonObject(value) || ArrayBuffer.isView(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => {
    see?.(key, item);
    return [change(key), mapTexts(item, change, see)];
  });
  return Object.fromEntries(entries);
}
