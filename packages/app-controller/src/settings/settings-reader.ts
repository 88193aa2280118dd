import { parseDuration } from '@fairlead/apimachinery';
import { readYaml } from '@fairlead/render/go-yaml';

/** Reads the texts of a ConfigMap one by one. What cannot be read is undefined, and told. */
export class SettingsReader {
  readonly problems: string[] = [];
  readonly #name: string;
  readonly #data: Readonly<Record<string, string>>;

  constructor(name: string, data: Readonly<Record<string, string>>) {
    this.#name = name;
    this.#data = data;
  }

  problem(key: string, what: string): void {
    this.problems.push(`ConfigMap ${this.#name}: ${key}: ${what}`);
  }

  keys(prefix: string): string[] {
    return Object.keys(this.#data)
      .filter((key) => key.startsWith(prefix))
      .sort();
  }

  text(key: string): string {
    return this.#data[key] ?? '';
  }

  /** Names between commas. */
  list(key: string): string[] {
    return this.text(key)
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
  }

  flag(key: string): boolean | undefined {
    const text = this.text(key).trim().toLowerCase();
    if (text === '') return undefined;
    if (['true', '1', 't'].includes(text)) return true;
    if (['false', '0', 'f'].includes(text)) return false;
    this.problem(key, `'${text}' is neither true nor false`);
    return undefined;
  }

  oneOf<T extends string>(key: string, choices: readonly T[]): T | undefined {
    const text = this.text(key).trim();
    if (text === '') return undefined;
    const found = choices.find((choice) => choice === text);
    if (!found) this.problem(key, `'${text}' is none of ${choices.join(', ')}`);
    return found;
  }

  durationMs(key: string): number | undefined {
    const text = this.text(key).trim();
    if (text === '') return undefined;
    const ms = parseDuration(text);
    if (ms === undefined || ms < 0) this.problem(key, `'${text}' is no duration: write 180s or 1h30m`);
    return ms === undefined || ms < 0 ? undefined : ms;
  }

  /** Milliseconds of a number of seconds. */
  secondsMs(key: string): number | undefined {
    const text = this.text(key).trim();
    if (text === '') return undefined;
    if (/^\d+$/u.test(text)) return Number(text) * 1000;
    this.problem(key, `'${text}' is no number of seconds: write such as 3600`);
    return undefined;
  }

  yaml(key: string): unknown {
    return this.yamlIn(key, this.#data[key]);
  }

  /** The YAML that a value holds as text; a value that is no text is what it is. */
  yamlIn(key: string, value: unknown): unknown {
    if (typeof value !== 'string') return value;
    try {
      return readYaml(value) ?? undefined;
    } catch (error) {
      this.problem(key, `is no YAML: ${(error as Error).message}`);
      return undefined;
    }
  }

  map(key: string): Readonly<Record<string, unknown>> | undefined {
    const value = this.yaml(key);
    if (value === undefined) return undefined;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    this.problem(key, 'is no map');
    return undefined;
  }
}
