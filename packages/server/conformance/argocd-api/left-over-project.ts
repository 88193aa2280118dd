import { textAt } from '@fairlead/apimachinery';
import type { CliStep } from './cli-case.ts';

/** A project that an earlier case had left when the lists of projects were recorded. */
const leftOver = 'p1';

/** `leftOverProject`: cases that do not mention the project do not expect it. */
export function withoutLeftOver(steps: readonly CliStep[]): readonly CliStep[] {
  if (steps.some(({ argv = [] }) => argv.includes(leftOver))) return steps;
  return steps.map((step) => {
    const { argv = [], expect } = step;
    if (argv[1] !== 'proj' || argv[2] !== 'list' || !expect) return step;
    const { stdout, stdoutJson } = expect;
    const isOther = (line: string): boolean => line !== leftOver && !line.startsWith(`${leftOver}  `);
    return {
      ...step,
      expect: {
        ...expect,
        ...(stdout === undefined ? {} : { stdout: stdout.split('\n').filter(isOther).join('\n') }),
        ...(Array.isArray(stdoutJson)
          ? { stdoutJson: stdoutJson.filter((project) => textAt(project, 'metadata', 'name') !== leftOver) }
          : {}),
      },
    };
  });
}
