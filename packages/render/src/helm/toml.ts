import { parse, TomlDate, TomlError, type TomlTable, type TomlValue } from 'smol-toml';
import { formatFloat } from '../go-template/go-float.ts';
import { GoError, GoInt, GoMap, type GoValue, int64, itemsOf, kindOf, sortedKeys } from '../go-template/go-value.ts';
import { textOf } from '../sprig/text.ts';
import { rfc3339 } from '../sprig/time/format.ts';
import { parseTime } from '../sprig/time/parse.ts';
import { instantOf, isTime, timeValue } from '../sprig/time/time-value.ts';

const isNil = (value: GoValue): boolean => value === null || value === undefined;

/** TOML as BurntSushi's encoder writes it: plain keys first, then tables, each sorted. */
export function writeToml(value: GoValue): string {
  if (!(value instanceof GoMap)) {
    if (itemsOf(value) && isTableArray(value)) throw new GoError('toml: top-level values must be Go maps or structs');
    return isNil(value) ? '' : element(value);
  }
  const writer = new Writer();
  writer.table([], value);
  return writer.text;
}

class Writer {
  text = '';

  table(path: readonly string[], map: GoMap): void {
    const keys = sortedKeys(map).filter((key) => !isNil(map.get(key)));
    const isTable = (key: string): boolean => {
      const value = map.get(key);
      return value instanceof GoMap || isTableArray(value);
    };
    for (const key of keys.filter((candidate) => !isTable(candidate))) this.entry([...path, key], map.get(key));
    for (const key of keys.filter(isTable)) this.entry([...path, key], map.get(key));
  }

  private entry(path: readonly string[], value: GoValue): void {
    const margin = '  '.repeat(path.length - 1);
    const header = path.map(bareOrQuoted).join('.');
    if (value instanceof GoMap) {
      if (path.length === 1) this.newline();
      this.text += `${margin}[${header}]\n`;
      this.table(path, value);
    } else if (isTableArray(value)) {
      for (const item of itemsOf(value) ?? []) {
        if (!(item instanceof GoMap)) continue;
        this.newline();
        this.text += `${margin}[[${header}]]\n`;
        this.table(path, item);
      }
    } else {
      this.text += `${margin}${bareOrQuoted(path.at(-1) ?? '')} = ${element(value)}\n`;
    }
  }

  private newline(): void {
    if (this.text !== '') this.text += '\n';
  }
}

function isTableArray(value: GoValue): boolean {
  const items = itemsOf(value);
  if (!items || items.length === 0) return false;
  if (items.some(isNil)) throw new GoError('toml: cannot encode array with nil element');
  for (const item of items) isTableArray(item);
  return items.every((item) => item instanceof GoMap);
}

function element(value: GoValue): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return float(value);
  if (value instanceof GoInt) return value.type.text ? quoted(value.type.text(value.value)) : String(value.value);
  if (isTime(value)) return rfc3339(instantOf(value));
  const items = itemsOf(value);
  if (items) return `[${items.map(element).join(', ')}]`;
  if (value instanceof GoMap) {
    const keys = sortedKeys(value).filter((key) => !isNil(value.get(key)));
    const isTable = (key: string): boolean => value.get(key) instanceof GoMap || isTableArray(value.get(key));
    const ordered = [...keys.filter((key) => !isTable(key)), ...keys.filter(isTable)];
    return `{${ordered.map((key) => `${bareOrQuoted(key)} = ${element(value.get(key))}`).join(', ')}}`;
  }
  if (kindOf(value) === 'ptr' || kindOf(value) === 'struct') return quoted(textOf(value));
  throw new GoError(`unexpected type: ${kindOf(value)}`);
}

function float(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  const text = formatFloat(value, 'g');
  return /[e.]/.test(text) ? text : `${text}.0`;
}

const named: Record<string, string> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
};
const quoted = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are escaped
  `"${text.replace(/["\\\x00-\x1f\x7f]/g, (char) => named[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;
const bareOrQuoted = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : quoted(key));

export function readToml(text: string): GoMap {
  try {
    return tableOf(parse(text, { integersAsBigInt: true }));
  } catch (error) {
    throw error instanceof TomlError ? new GoError(`toml: ${error.message.split('\n')[0]}`) : error;
  }
}

const tableOf = (table: TomlTable): GoMap =>
  new GoMap(Object.entries(table).map(([key, item]) => [key, converted(item)]));

function converted(value: TomlValue): GoValue {
  if (typeof value === 'bigint') return int64(value);
  if (Array.isArray(value)) return value.map(converted);
  if (value instanceof TomlDate) return dateValue(value);
  return typeof value === 'object' ? tableOf(value) : value;
}

function dateValue(date: TomlDate): GoValue {
  if (date.isTime()) return timeValue(parseTime('15:04:05.999999999', date.toISOString()));
  const text = date.toISOString();
  if (date.isDate()) return timeValue(parseTime('2006-01-02', text));
  if (date.isLocal()) return timeValue(parseTime('2006-01-02T15:04:05.999999999', text));
  return timeValue(parseTime('2006-01-02T15:04:05.999999999Z07:00', text));
}
