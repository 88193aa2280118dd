import { isJsonObject, parseDuration } from '@fairlead/apimachinery';
import { readYaml } from '@fairlead/render/go-yaml';
import { isAlias, isScalar, parseDocument } from 'yaml';
import { ImagesError } from '../images-error.ts';

/** The order in which a registry lists tags. */
export type TagSortMode = 'unsorted' | 'latest-first' | 'latest-last' | 'unknown';

/** An entry of `registries.conf`. */
export interface RegistryConfig {
  readonly name: string;
  readonly apiUrl: string;
  readonly prefix: string;
  readonly ping: boolean;
  readonly credentials: string;
  readonly credsExpireMs: number;
  readonly tagSortMode: TagSortMode;
  readonly insecure: boolean;
  readonly caFile: string;
  readonly caData: string;
  readonly defaultNamespace: string;
  /** Requests per second; 0 means no limit. */
  readonly limit: number;
  readonly isDefault: boolean;
}

export function tagSortMode(text: string): TagSortMode {
  const name = text.toLowerCase();
  if (name === '' || name === 'none') return 'unsorted';
  return name === 'latest-first' || name === 'latest-last' ? name : 'unknown';
}

export const isTimeSorted = (mode: TagSortMode): boolean => mode === 'latest-first' || mode === 'latest-last';

export function parseRegistriesConf(text: string): RegistryConfig[] {
  const document = readDocument(text);
  const entries = fieldsOf(document ?? {}, 'the file', ['registries'])['registries'] ?? [];
  if (!Array.isArray(entries)) throw wrong('registries is not a list');
  const asWritten = writtenIn(text);
  const registries = entries.map((entry, index) => readEntry(entry, index, (name) => asWritten(index, name)));
  const unprefixed = registries.filter(({ prefix }) => prefix === '');
  if (unprefixed.length > 1) {
    throw wrong(
      `${unprefixed.map(({ name }) => name).join(' and ')} have no prefix: only one registry can be the default`,
    );
  }
  return registries;
}

const wrong = (what: string): ImagesError => new ImagesError('InvalidSettings', `registries.conf: ${what}`);

function readDocument(text: string): unknown {
  try {
    return readYaml(text, { uniqueKeys: true });
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error));
  }
}

/** Scalars as written: `name: 1.10` is the text 1.10 and `prefix: y` the text y, although YAML reads a number and a boolean. */
function writtenIn(text: string): (index: number, name: string) => string | undefined {
  const document = parseDocument(text, { version: '1.1', strict: false });
  return (index, name) => {
    const found = document.getIn(['registries', index, name], true);
    const node = isAlias(found) ? found.resolve(document) : found;
    return isScalar(node) ? node.source : undefined;
  };
}

const known = [
  'name',
  'api_url',
  'ping',
  'credentials',
  'credsexpire',
  'tagsortmode',
  'prefix',
  'insecure',
  'ca_file',
  'ca_data',
  'defaultns',
  'limit',
  'default',
];

function fieldsOf(value: unknown, where: string, names: readonly string[]): Record<string, unknown> {
  if (!isJsonObject(value)) throw wrong(`${where} is not a map`);
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined) throw wrong(`${where} has the unknown field ${unknown}: use ${names.join(', ')}`);
  return value;
}

function readEntry(value: unknown, index: number, written: (name: string) => string | undefined): RegistryConfig {
  const fields = fieldsOf(value, `entry ${index + 1}`, known);
  const where = typeof fields['name'] === 'string' ? fields['name'] : `entry ${index + 1}`;
  const text = (name: string): string => {
    const field = fields[name] ?? '';
    if (typeof field === 'object') throw wrong(`${where}: ${name} is not text`);
    return field === '' ? '' : (written(name) ?? String(field));
  };
  const flag = (name: string): boolean => {
    const field = fields[name] ?? false;
    if (typeof field !== 'boolean') throw wrong(`${where}: ${name} must be true or false`);
    return field;
  };
  const name = text('name');
  if (name === '') throw wrong(`entry ${index + 1} has no name`);
  if (text('api_url') === '') throw wrong(`${name} has no api_url`);
  const mode = tagSortMode(text('tagsortmode'));
  if (mode === 'unknown')
    throw wrong(`${name}: unknown tagsortmode ${text('tagsortmode')}: use latest-first, latest-last or none`);
  return {
    name,
    apiUrl: text('api_url'),
    prefix: text('prefix'),
    ping: flag('ping'),
    credentials: text('credentials'),
    credsExpireMs: duration(fields['credsexpire'], where),
    tagSortMode: mode,
    insecure: flag('insecure'),
    caFile: text('ca_file'),
    caData: text('ca_data'),
    defaultNamespace: text('defaultns'),
    limit: wholeNumber(fields['limit'], where),
    isDefault: flag('default'),
  };
}

function wholeNumber(value: unknown, where: string): number {
  if (value === undefined || value === null) return 0;
  if (!Number.isInteger(value)) throw wrong(`${where}: limit is not a whole number`);
  return Math.max(0, Number(value));
}

/** `1h30m`, or a number of nanoseconds, as in Go. */
function duration(value: unknown, where: string): number {
  if (value === undefined || value === null || value === '') return 0;
  if (typeof value === 'number') return value / 1e6;
  const ms = parseDuration(String(value));
  if (ms === undefined)
    throw wrong(`${where}: credsexpire ${JSON.stringify(value)} is not a duration: write 30s, 5m or 1h`);
  return ms;
}
