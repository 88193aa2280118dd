import { type Counts, readCountLine } from '../conformance/tally.ts';

export interface SuiteResult {
  readonly counts: Counts;
  /** The output at the end of the suite: one line, and the failures below it. */
  readonly report: string;
  readonly skipped: readonly string[];
}

const longest = 200;

/** Reads what a run of `scripts/conformance.ts` printed. A run that ends badly without a failed case counts as one failure. */
export function suiteResult(name: string, output: string, exitCode: number | null, seconds: number): SuiteResult {
  const counted = readCountLine(output);
  const crashed = !counted || (exitCode !== 0 && counted.failed === 0);
  const { passed, failed, skipped } = counted ?? { passed: 0, failed: 0, skipped: 0 };
  const counts: Counts = { passed, failed: crashed ? failed + 1 : failed, skipped };
  const lines = output.trimEnd().split('\n');
  const title = `${counts.failed === 0 ? '✔' : '✖'} conformance ${name}: ${passed} passed, ${counts.failed} failed (${seconds.toFixed(1)} s)`;
  const details =
    counts.failed === 0 ? [] : shortened(crashed ? lines : lines.filter((line) => /^(✖| {4})/.test(line)));
  const prefix = 'skipped: ';
  return {
    counts,
    report: [title, ...details].join('\n'),
    skipped: lines
      .filter((line) => line.startsWith(prefix))
      .map((line) => `conformance ${name}: ${line.slice(prefix.length)}`),
  };
}

const shortened = (lines: readonly string[]): readonly string[] =>
  lines.length <= longest ? lines : [...lines.slice(0, longest), `… and ${lines.length - longest} more lines`];
