import type { SettingName } from '@fairlead/api/settings';
import { isJsonObject, type JsonObject } from '@fairlead/apimachinery';
import { readYaml } from '@fairlead/render/go-yaml';
import {
  choiceParser,
  durationParser,
  flagParser,
  numberParser,
  readList,
  secondsParser,
  type ValueParser,
} from './setting-values.ts';

/** Reads the settings of one ConfigMap by key. An invalid value is undefined, and recorded as a problem. */
export class SettingsReader {
  readonly problems: string[] = [];
  /** Problems that leave the whole key unknown, with the key. */
  readonly unreadable: [key: string, problem: string][] = [];
  readonly #configMap: string;
  readonly #data: Readonly<Record<string, string>>;

  constructor(configMap: string, data: Readonly<Record<string, string>>) {
    this.#configMap = configMap;
    this.#data = data;
  }

  problem(key: string, what: string): void {
    this.problems.push(`ConfigMap ${this.#configMap}: ${key}: ${what}`);
  }

  cannotRead(key: string, what: string): void {
    this.problem(key, what);
    this.unreadable.push([key, `ConfigMap ${this.#configMap}: ${key}: ${what}`]);
  }

  /** The keys that start with a prefix, sorted. */
  keys<P extends string>(prefix: P): `${P}${string}`[] {
    const isPrefixed = (key: string): key is `${P}${string}` => key.startsWith(prefix);
    return Object.keys(this.#data).filter(isPrefixed).sort();
  }

  text(key: SettingName<'text'>): string {
    return this.#text(key);
  }

  /** Whether a list is set, even to nothing. */
  has(key: SettingName<'list'>): boolean {
    return Object.hasOwn(this.#data, key);
  }

  /** Names separated by commas. */
  list(key: SettingName<'list'>): string[] {
    return readList(this.#text(key));
  }

  flag(key: SettingName<'boolean'>): boolean | undefined {
    return this.#parsed(key, flagParser);
  }

  oneOf<T extends string>(key: SettingName<'enum'>, choices: readonly T[]): T | undefined {
    return this.#parsed(key, choiceParser(choices));
  }

  durationMs(key: SettingName<'duration'>): number | undefined {
    return this.#parsed(key, durationParser);
  }

  /** Milliseconds of a number of seconds. */
  secondsMs(key: SettingName<'seconds'>): number | undefined {
    const seconds = this.#parsed(key, secondsParser);
    return seconds === undefined ? undefined : seconds * 1000;
  }

  number(key: SettingName<'number'>): number | undefined {
    return this.#parsed(key, numberParser);
  }

  yaml(key: SettingName<'yaml'>): unknown {
    return this.yamlIn(key, this.#data[key]);
  }

  /** The YAML in a string value; any other value is returned unchanged. */
  yamlIn(key: string, value: unknown): unknown {
    if (typeof value !== 'string') return value;
    try {
      return readYaml(value) ?? undefined;
    } catch (error) {
      this.cannotRead(key, `is not valid YAML: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  map(key: SettingName<'yaml'>): JsonObject | undefined {
    const value = this.yaml(key);
    if (value === undefined || isJsonObject(value)) return value;
    this.cannotRead(key, 'must be a map');
    return undefined;
  }

  #parsed<T>(key: string, parser: ValueParser<T>): T | undefined {
    const text = this.#text(key).trim();
    if (text === '') return undefined;
    const value = parser.parse(text);
    if (value === undefined) this.problem(key, parser.problem(text));
    return value;
  }

  #text(key: string): string {
    return this.#data[key] ?? '';
  }
}
