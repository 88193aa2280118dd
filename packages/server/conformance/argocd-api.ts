/** `DIR/http/<topic>.json`: conversations with a real argocd-server; `DIR/cli/<topic>.json`: sessions of its command line. Passed: status, codes and shape are the same; exact: also the wording of errors. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { messageOf } from '@fairlead/apimachinery';
import type { CaseResult, SuiteOptions } from '../../../scripts/conformance.ts';
import { type ApiCase, resolveSetup, type Setup } from './argocd-api/api-case.ts';
import type { CliCase } from './argocd-api/cli-case.ts';
import type { Difference } from './argocd-api/compare.ts';
import { withHugeNumbers } from './argocd-api/huge-numbers.ts';
import { closeWorkers, Installation } from './argocd-api/installation.ts';
import { runCase, type StepProblem } from './argocd-api/run-case.ts';
import { runCliCase } from './argocd-api/run-cli-case.ts';

export async function* suite(options: SuiteOptions): AsyncIterable<CaseResult> {
  const { dir, only, every = 1 } = options;
  const setups: Readonly<Record<string, Setup>> = JSON.parse(readFileSync(join(dir, 'setups.json'), 'utf8'));
  let shared: { readonly key: string; readonly installation: Installation } | undefined;
  let number = 0;
  try {
    for (const file of globSync(`${dir}/http/*.json`).sort()) {
      const group = basename(file, '.json').replace(/-\d+$/u, '');
      const cases: readonly ApiCase[] = JSON.parse(withHugeNumbers(readFileSync(file, 'utf8')));
      for (const one of cases) {
        number += 1;
        if ((only && !`${group}/${one.name}`.includes(only)) || number % every !== 0) continue;
        const key = JSON.stringify([one.setup, one.serverFlags ?? []]);
        if (shared && (shared.key !== key || !one.readOnly)) {
          await shared.installation.close();
          shared = undefined;
        }
        const installation =
          shared?.installation ?? (await Installation.start(resolveSetup(one.setup, setups), one.serverFlags ?? []));
        yield await resultOf(group, one.name, () => runCase(one, installation));
        if (one.readOnly) shared = { key, installation };
        else await installation.close();
      }
    }
  } finally {
    await shared?.installation.close();
    await closeWorkers();
  }
  yield* cliCases(options, setups);
}

/** `DIR/cli/<topic>.json`: sessions of the command line; they need the program. */
async function* cliCases(
  { dir, only, argocd, every = 1 }: SuiteOptions,
  setups: Readonly<Record<string, Setup>>,
): AsyncIterable<CaseResult> {
  let number = 0;
  try {
    for (const file of globSync(`${dir}/cli/*.json`).sort()) {
      const group = basename(file, '.json').replace(/-\d+$/u, '');
      const cases: readonly CliCase[] = JSON.parse(readFileSync(file, 'utf8'));
      for (const one of cases) {
        const { name } = one;
        number += 1;
        if ((only && !`${group}/${name}`.includes(only)) || number % every !== 0) continue;
        if (argocd === undefined) {
          yield { group, name, passed: false, skipped: 'needs a real argocd: --argocd FILE' };
          continue;
        }
        const installation = await Installation.start(resolveSetup(one.setup, setups), one.serverFlags ?? []);
        yield await resultOf(group, name, () => runCliCase(one, installation, argocd));
        await installation.close();
      }
    }
  } finally {
    await closeWorkers();
  }
}

async function resultOf(group: string, name: string, run: () => Promise<readonly StepProblem[]>): Promise<CaseResult> {
  let problems: readonly StepProblem[];
  try {
    problems = await run();
  } catch (error) {
    return { group, name, passed: false, exact: false, detail: `the case cannot be run: ${messageOf(error)}` };
  }
  const passed = problems.every(({ differences }) => differences.every(({ isWording }) => isWording));
  const exact = problems.length === 0;
  return { group, name, passed, exact, ...(exact ? {} : { detail: problems.map(describe).join('\n') }) };
}

const describe = ({ step, what, differences }: StepProblem): string =>
  [`step ${step} ${what}`, ...differences.slice(0, 6).map(describeDifference)].join('\n');

function describeDifference({ path, expected, actual }: Difference): string {
  const [was, is] = fromFirstDifference(expected, actual);
  return `  ${path}\n    expected ${show(was)}\n    actual   ${show(is)}`;
}

/** Two texts of many lines from the line on that differs. */
function fromFirstDifference(expected: unknown, actual: unknown): [unknown, unknown] {
  if (typeof expected !== 'string' || typeof actual !== 'string') return [expected, actual];
  const [was, is] = [expected.split('\n'), actual.split('\n')];
  const first = was.findIndex((line, i) => line !== is[i]);
  if (first < 1) return [expected, actual];
  return [`…${was.slice(first).join('\n')}`, `…${is.slice(first).join('\n')}`];
}

const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
};
