import type { SettingName } from '@fairlead/api/settings';
import { isJsonObject, type JsonObject, parseDuration } from '@fairlead/apimachinery';
import { readYaml } from '@fairlead/render/go-yaml';

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

  /** Names separated by commas. */
  list(key: SettingName<'list'>): string[] {
    return this.#text(key)
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
  }

  flag(key: SettingName<'boolean'>): boolean | undefined {
    const text = this.#text(key).trim().toLowerCase();
    if (text === '') return undefined;
    if (['true', '1', 't'].includes(text)) return true;
    if (['false', '0', 'f'].includes(text)) return false;
    this.problem(key, `'${text}' must be true or false`);
    return undefined;
  }

  oneOf<T extends string>(key: SettingName<'enum'>, choices: readonly T[]): T | undefined {
    const text = this.#text(key).trim();
    if (text === '') return undefined;
    const found = choices.find((choice) => choice === text);
    if (!found) this.problem(key, `'${text}' must be one of ${choices.join(', ')}`);
    return found;
  }

  durationMs(key: SettingName<'duration'>): number | undefined {
    const text = this.#text(key).trim();
    if (text === '') return undefined;
    const ms = parseDuration(text);
    if (ms !== undefined && ms >= 0) return ms;
    this.problem(key, `'${text}' is not a duration: write 180s or 1h30m`);
    return undefined;
  }

  /** Milliseconds of a number of seconds. */
  secondsMs(key: SettingName<'seconds'>): number | undefined {
    const text = this.#text(key).trim();
    if (text === '') return undefined;
    if (/^\d+$/u.test(text)) return Number(text) * 1000;
    this.problem(key, `'${text}' is not a number of seconds: write 3600`);
    return undefined;
  }

  number(key: SettingName<'number'>): number | undefined {
    const text = this.#text(key).trim();
    if (text === '') return undefined;
    if (/^\d+$/u.test(text)) return Number(text);
    this.problem(key, `'${text}' is not a number`);
    return undefined;
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

  #text(key: string): string {
    return this.#data[key] ?? '';
  }
}
