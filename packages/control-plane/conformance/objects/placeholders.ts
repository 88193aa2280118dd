import type { Json, JsonObject } from '@fairlead/apimachinery';

/** What a placeholder in the corpus matches. */
const shapes: Readonly<Record<string, string>> = {
  uid: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  rv: '\\d+',
  time: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z|[+-]\\d\\d:\\d\\d)',
  clusterIP: '(?:\\d+\\.){3}\\d+',
  podIP: '(?:\\d+\\.){3}\\d+',
  nodePort: '\\d+',
  suffix: '[a-z0-9]{5}',
  rand: '[a-z0-9]{5}',
  node: '[a-z0-9.-]+',
  zone: '[a-z0-9.-]+',
  minute: '\\d+',
  progressing: '(?:ReplicaSetUpdated|NewReplicaSetCreated)',
  value: '[^]*?',
  text: '[^]*?',
  bytes: '[^]*?',
};
const placeholder = new RegExp(`<(${Object.keys(shapes).join('|')})>`, 'g');
const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether a text matches the recorded one. A recorded text that ends in `…` is a prefix. */
export function fits(recorded: string, actual: string): boolean {
  if (recorded === actual) return true;
  const open = recorded.endsWith('…');
  const body = open ? recorded.slice(0, -1) : recorded;
  let pattern = '';
  let last = 0;
  for (const match of body.matchAll(placeholder)) {
    pattern += `${literal(body.slice(last, match.index))}${shapes[match[1]!]}`;
    last = match.index + match[0].length;
  }
  if (last === 0 && !open) return false;
  return new RegExp(`^${pattern}${literal(body.slice(last))}${open ? '' : '$'}`).test(actual);
}

export interface Difference {
  readonly at: string;
  readonly expected: Json | undefined;
  readonly actual: Json | undefined;
}

/** The first difference; the order of keys does not matter, that of lists does. */
export function difference(expected: Json | undefined, actual: Json | undefined, at = ''): Difference | undefined {
  const found = { at, expected, actual };
  if (typeof expected === 'string') {
    const text = typeof actual === 'number' && expected === '<nodePort>' ? String(actual) : actual;
    return typeof text === 'string' && fits(expected, text) ? undefined : found;
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return found;
    for (const [index, item] of expected.entries()) {
      const inner = difference(item, actual[index], `${at}[${index}]`);
      if (inner) return inner;
    }
    return undefined;
  }
  if (expected === null || typeof expected !== 'object') return expected === actual ? undefined : found;
  if (actual === null || typeof actual !== 'object' || Array.isArray(actual)) return found;
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const inner = Object.hasOwn(expected, key)
      ? difference(expected[key], actual[key], `${at}.${key}`)
      : { at: `${at}.${key}`, expected: undefined, actual: actual[key] };
    if (inner) return inner;
  }
  return undefined;
}

export function describeDifference({ at, expected, actual }: Difference): string {
  const show = (value: Json | undefined): string => JSON.stringify(value)?.slice(0, 800) ?? 'nothing';
  return `at ${at || 'the whole'}\n  expected ${show(expected)}\n  actual   ${show(actual)}`;
}

/** `__REPEAT_x_N__` in an input means x repeated N times. */
export function unfold<T extends Json>(value: T): T {
  return JSON.parse(
    JSON.stringify(value).replace(/__REPEAT_(.)_(\d+)__/g, (_, unit: string, count: string) =>
      unit.repeat(Number(count)),
    ),
  ) as T;
}

/** Fields that are never compared. */
export function withoutManagedFields(value: Json): Json {
  const { metadata, ...rest } = value as JsonObject;
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return value;
  const { managedFields: _, ...kept } = metadata;
  return { ...rest, metadata: kept };
}
