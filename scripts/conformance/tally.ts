import type { CaseResult } from './suite.ts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

interface Group {
  passed: number;
  exact: number;
  skipped: number;
  total: number;
}

/** Counts the results of a suite by group, and collects the skipped cases by reason. */
export class Tally {
  readonly #groups = new Map<string, Group>();
  readonly #skipped = new Map<string, string[]>();

  add(result: CaseResult): void {
    const group = this.#groups.get(result.group) ?? { passed: 0, exact: 0, skipped: 0, total: 0 };
    this.#groups.set(result.group, group);
    group.total += 1;
    if (result.skipped !== undefined) {
      group.skipped += 1;
      const names = this.#skipped.get(result.skipped) ?? [];
      this.#skipped.set(result.skipped, [...names, `${result.group}/${result.name}`]);
      return;
    }
    if (result.passed) group.passed += 1;
    if (result.exact) group.exact += 1;
  }

  counts(): Counts {
    const sum = (count: (group: Group) => number): number =>
      [...this.#groups.values()].reduce((total, group) => total + count(group), 0);
    const [passed, skipped] = [sum((group) => group.passed), sum((group) => group.skipped)];
    return { passed, skipped, failed: sum((group) => group.total) - passed - skipped };
  }

  /** One line for each group, one for each reason to skip cases, and the counts as the last line. */
  lines(): string[] {
    const groups = [...this.#groups].map(([name, { passed, exact, skipped, total }]) => {
      const levels = [exact > 0 ? `, ${exact} exact` : '', skipped > 0 ? `, ${skipped} skipped` : ''];
      return `${name}: ${passed} of ${total}${levels.join('')}`;
    });
    const reasons = [...this.#skipped].map(([reason, names]) => `skipped: ${names.join(', ')}: ${reason}`);
    return [...groups, ...reasons, countLine(this.counts())];
  }
}

export const countLine = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

/** The counts in the last line of an output; undefined if there are none. */
export function readCountLine(output: string): Counts | undefined {
  const match = /(?:^|\n)(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$/.exec(output);
  return match ? { passed: Number(match[1]), failed: Number(match[2]), skipped: Number(match[3] ?? 0) } : undefined;
}
