import { isObject, type Json, type JsonObject } from '@fairlead/apimachinery';

export interface Difference {
  readonly path: string;
  readonly expected: Json | undefined;
  readonly actual: Json | undefined;
  /** Only the wording of an error message. */
  readonly isWording: boolean;
}

const masks =
  'time|uid|uuid|rv|n|jwt|rand|ip|node|addr|local|path|id|age|cacheInfo|hosts|zone|duration|data|value|seconds|text|varies';
const whole = new RegExp(`^<(?:${masks})>$`, 'u');
const inside = new RegExp(`<(?:${masks})>`, 'gu');

/** How a recorded value and that of this run differ. Anything fits a mask. */
export function compareValues(
  expected: Json | undefined,
  actual: Json | undefined,
  unordered: ReadonlySet<string>,
  path = '',
): Difference[] {
  const differs = (): Difference[] => [{ path, expected, actual, isWording: isWording(path, expected, actual) }];
  if (typeof expected === 'string') {
    if (whole.test(expected)) return actual === undefined && expected !== '<varies>' ? differs() : [];
    return typeof actual === 'string' && matchesText(expected, actual) ? [] : differs();
  }
  if (isObject(expected) && '$json' in expected) {
    const parsed = typeof actual === 'string' ? parse(actual) : undefined;
    return parsed === undefined ? differs() : compareValues(expected['$json'], parsed, unordered, `${path}/$json`);
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return differs();
    const items = unordered.has(path) ? inOrderOf(expected, actual, unordered, path) : actual;
    return expected.flatMap((item, i) => compareValues(item, items[i], unordered, `${path}/${i}`));
  }
  if (isObject(expected)) {
    if (!isObject(actual)) return differs();
    const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    keys.delete('managedFields');
    return [...keys].flatMap((key) => {
      if (expected[key] === '<varies>') return [];
      return compareValues(expected[key], actual[key], unordered, `${path}/${key}`);
    });
  }
  return expected === actual ? [] : differs();
}

/** The same items, as far as possible in the order of the recording. */
function inOrderOf(
  expected: readonly Json[],
  actual: readonly Json[],
  unordered: ReadonlySet<string>,
  path: string,
): Json[] {
  const left = [...actual];
  return expected.map((item) => {
    const counts = left.map((other) => compareValues(item, other, unordered, path).length);
    const best = counts.indexOf(Math.min(...counts));
    return left.splice(best, 1)[0] ?? null;
  });
}

function matchesText(expected: string, actual: string): boolean {
  if (expected === actual) return true;
  if (!inside.test(expected)) return false;
  inside.lastIndex = 0;
  const pattern = expected
    .split(inside)
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/gu, '\\$&'))
    .join('[\\s\\S]*');
  return new RegExp(`^${pattern}$`, 'u').test(actual);
}

const isWording = (path: string, expected: Json | undefined, actual: Json | undefined): boolean =>
  /(?:^|\/)(?:message|error)$/u.test(path) && typeof expected === 'string' && typeof actual === 'string';

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value at a JSON pointer; null if there is none. */
export function pointer(value: Json | undefined, path: string): Json {
  let at: Json | undefined = value;
  for (const part of path.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = Array.isArray(at) ? at[Number(key)] : isObject(at) ? (at as JsonObject)[key] : undefined;
  }
  return at ?? null;
}
