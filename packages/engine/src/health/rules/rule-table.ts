import type { Rule } from './rule.ts';

/** By `group/Kind`. The kind may be `*`, the group may start with `*.`. */
export type Rules = Readonly<Record<string, Rule>>;

/** Rules by kind: the most specific one wins, and of two groups with a star the longer. */
export class RuleTable {
  readonly #exact = new Map<string, Rule>();
  readonly #families: { readonly suffix: string; readonly rule: Rule }[] = [];

  constructor(...tables: readonly Rules[]) {
    for (const table of tables) for (const [key, rule] of Object.entries(table)) this.#add(key, rule);
    this.#families.sort((a, b) => b.suffix.length - a.suffix.length);
  }

  #add(key: string, rule: Rule): void {
    if (key.startsWith('*.') && key.endsWith('/*')) this.#families.push({ suffix: key.slice(1, -2), rule });
    else if (this.#exact.has(key)) throw new Error(`two health rules for ${key}`);
    else this.#exact.set(key, rule);
  }

  find(group: string, kind: string): Rule | undefined {
    return (
      this.#exact.get(`${group}/${kind}`) ??
      this.#exact.get(`${group}/*`) ??
      this.#families.find(({ suffix }) => group.endsWith(suffix))?.rule
    );
  }

  *[Symbol.iterator](): Generator<readonly [name: string, rule: Rule]> {
    yield* this.#exact;
    for (const { suffix, rule } of this.#families) yield [`*${suffix}/*`, rule];
  }
}
