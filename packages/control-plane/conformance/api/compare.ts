import type { Json, JsonObject } from '@fairlead/apimachinery';

// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how the corpus writes it
const namespaceMark = '${ns}';

/** Placeholders of one case: bound at their first occurrence, equal afterwards. */
export class Bindings {
  readonly #values = new Map<string, string>();
  readonly namespace: string;

  constructor(namespace: string) {
    this.namespace = namespace;
  }

  /** The text of a request with all bound placeholders replaced. */
  fill(text: string): string {
    return repeats(text.replaceAll(namespaceMark, this.namespace)).replace(
      /<([a-z]+:\d+)>/g,
      (whole, key: string) => this.#values.get(key) ?? whole,
    );
  }

  /** The same for JSON: a lone `<port:n>` is a number. */
  fillJson(value: Json): Json {
    if (typeof value === 'string') {
      const port = /^<(port:\d+)>$/.exec(value);
      if (port && this.#values.has(port[1]!)) return Number(this.#values.get(port[1]!));
      return this.fill(value);
    }
    if (Array.isArray(value)) return value.map((entry) => this.fillJson(entry));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [this.fill(key), this.fillJson(entry)]));
  }

  /** Whether the actual text matches the expected one; binds new placeholders. */
  matches(expected: string, actual: string): boolean {
    const filled = repeats(expected.replaceAll(namespaceMark, this.namespace));
    if (filled === actual) return true;
    const names: string[] = [];
    let pattern = '';
    let last = 0;
    for (const match of filled.matchAll(/<(?:([a-z]+):(\d+)|(time|age|text|hash|host|rv))>/g)) {
      pattern += escapePattern(filled.slice(last, match.index));
      last = match.index + match[0].length;
      const key = match[1] ? `${match[1]}:${match[2]}` : undefined;
      if (!key) pattern += '[^]*?';
      else if (this.#values.has(key)) pattern += escapePattern(this.#values.get(key)!);
      else {
        names.push(key);
        pattern += `(${shapes[match[1]!] ?? '[^]+?'})`;
      }
    }
    if (last === 0) return false;
    pattern += escapePattern(filled.slice(last));
    const found = new RegExp(`^${pattern}$`).exec(actual);
    if (!found) return false;
    for (const [index, key] of names.entries()) this.#bind(key, found[index + 1]!);
    return [...names.entries()].every(
      ([index, key]) => this.#values.get(key) === found[index + 1] && this.#distinct(key),
    );
  }

  #bind(key: string, value: string): void {
    if (!this.#values.has(key)) this.#values.set(key, value);
  }

  /** Two numbers of `uid` or `rv` are two different values. */
  #distinct(key: string): boolean {
    const [kind] = key.split(':');
    if (kind !== 'uid' && kind !== 'rv') return true;
    const value = this.#values.get(key);
    return ![...this.#values].some(([other, seen]) => other !== key && other.startsWith(`${kind}:`) && seen === value);
  }
}

const shapes: Readonly<Record<string, string>> = {
  uid: '[0-9a-f-]{36}',
  rv: '\\d+',
  listrv: '\\d+',
  port: '\\d+',
  ip: '[0-9.]+',
  suffix: '[a-z0-9]{5}',
};

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const repeats = (text: string): string =>
  text.replace(/\$\{repeat:(.+?):(\d+)\}/g, (_, unit: string, count: string) => unit.repeat(Number(count)));

export interface Difference {
  readonly at: string;
  readonly expected: Json | undefined;
  readonly actual: Json | undefined;
}

/** The first difference of two JSON values, or undefined. `wording` false: messages of a Status are not compared. */
export function compare(
  bindings: Bindings,
  expected: Json | undefined,
  actual: Json | undefined,
  wording: boolean,
  at = '',
): Difference | undefined {
  const difference = { at, expected, actual };
  if (typeof expected === 'string') {
    if (typeof actual === 'string') return bindings.matches(expected, actual) ? undefined : difference;
    if (typeof actual === 'number' && /^<port:\d+>$/.test(expected)) {
      return bindings.matches(expected, String(actual)) ? undefined : difference;
    }
    return difference;
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return difference;
    for (const [index, entry] of expected.entries()) {
      const found = compare(bindings, entry, actual[index], wording, `${at}[${index}]`);
      if (found) return found;
    }
    return undefined;
  }
  if (expected === null || typeof expected !== 'object') return expected === actual ? undefined : difference;
  if (actual === null || typeof actual !== 'object' || Array.isArray(actual)) return difference;
  return compareObjects(bindings, expected as JsonObject, actual as JsonObject, wording, at);
}

function compareObjects(
  bindings: Bindings,
  expected: JsonObject,
  actual: JsonObject,
  wording: boolean,
  at: string,
): Difference | undefined {
  const loose = !wording && expected['kind'] === 'Status' && expected['status'] === 'Failure';
  const expectedEntries = Object.entries(expected).map(([key, value]) => [bindings.fill(key), value] as const);
  for (const key of Object.keys(actual)) {
    if (!expectedEntries.some(([name]) => name === key))
      return { at: `${at}.${key}`, expected: undefined, actual: actual[key] };
  }
  // Identity first: it binds values that messages repeat.
  expectedEntries.sort(([a], [b]) => rank(a) - rank(b));
  for (const [key, value] of expectedEntries) {
    if (loose && key === 'message') continue;
    if (!(key in actual)) return { at: `${at}.${key}`, expected: value, actual: undefined };
    const found =
      loose && key === 'details'
        ? compareDetails(bindings, value as JsonObject, actual[key] as JsonObject, `${at}.details`)
        : compare(bindings, value, actual[key], wording, `${at}.${key}`);
    if (found) return found;
  }
  return undefined;
}

const rank = (key: string): number => (key === 'metadata' ? 0 : key === 'uid' ? 1 : 2);

/** In a semantic comparison, causes count by reason and field. */
function compareDetails(
  bindings: Bindings,
  expected: JsonObject,
  actual: JsonObject,
  at: string,
): Difference | undefined {
  const strip = (details: JsonObject): JsonObject =>
    details && Array.isArray(details['causes'])
      ? {
          ...details,
          causes: sorted((details['causes'] as JsonObject[]).map(({ message: _, ...cause }) => cause as JsonObject)),
        }
      : details;
  return compare(bindings, strip(expected), strip(actual), true, at);
}

const sorted = (causes: JsonObject[]): Json[] =>
  [...causes].sort((a, b) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0));
const order = (cause: JsonObject): string =>
  [cause['field'] ?? '', cause['reason'] ?? '', cause['message'] ?? ''].join('\u0000');

/** Fields that the corpus omits or sorts before comparing. */
export function prepare(value: Json, keepManagedFields: boolean): Json {
  if (Array.isArray(value)) return value.map((entry) => prepare(entry, keepManagedFields));
  if (value === null || typeof value !== 'object') return value;
  const result: JsonObject = {};
  for (const [key, entry] of Object.entries(value)) {
    if (key === 'managedFields') {
      if (keepManagedFields && Array.isArray(entry)) result[key] = sortManagers(entry as JsonObject[]);
      continue;
    }
    if (key === 'columnDefinitions' && Array.isArray(entry)) {
      result[key] = entry.map((column) => {
        const definition = column as JsonObject;
        return definition['description'] ? { ...definition, description: '<text>' } : definition;
      });
      continue;
    }
    result[key] = prepare(entry, keepManagedFields);
  }
  if (result['kind'] === 'Status' && result['details'] && Array.isArray((result['details'] as JsonObject)['causes'])) {
    const details = result['details'] as JsonObject;
    result['details'] = { ...details, causes: sorted(details['causes'] as JsonObject[]) };
  }
  return result;
}

function sortManagers(entries: JsonObject[]): Json[] {
  const key = (entry: JsonObject) =>
    ['operation', 'manager', 'apiVersion', 'subresource'].map((name) => entry[name] ?? '').join('\u0000');
  return [...entries].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}
