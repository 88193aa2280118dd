import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CaseResult, SuiteOptions } from '../../../scripts/conformance.ts';
import { runScenarios } from './objects/controllers.ts';
import { runDefaults } from './objects/defaults.ts';
import { runKubectlCases } from './objects/kubectl.ts';
import { runValidation } from './objects/validation.ts';
import { openWorkbench, type Workbench } from './objects/workbench.ts';

export interface Verdict {
  readonly passed: boolean;
  readonly exact: boolean;
  readonly detail?: string;
}

export interface Case {
  readonly name: string;
}

/** Runs the chosen cases of one file of the corpus, in any order. */
export type Group = (
  cases: readonly Case[],
  options: SuiteOptions,
) => AsyncIterable<{ readonly name: string; readonly verdict: Verdict }>;

const groups: Readonly<Record<string, Group>> = {
  defaults: onWorkbench(runDefaults),
  validation: onWorkbench(runValidation),
  controllers: runScenarios,
  kubectl: runKubectlCases,
};

/** What a real server makes of objects: what it fills in, what it refuses, what its controllers write. */
export async function* suite(options: SuiteOptions): AsyncGenerator<CaseResult> {
  for (const [group, run] of Object.entries(groups)) {
    const file = join(options.dir, `${group}.json`);
    if (!existsSync(file)) continue;
    const all = JSON.parse(readFileSync(file, 'utf8')) as Case[];
    const cases = all.filter(({ name }) => !options.only || `${group}/${name}`.includes(options.only));
    if (cases.length === 0) continue;
    for await (const { name, verdict } of run(cases, options)) yield { name, group, ...verdict };
  }
}

/** One case after the other on one server, each cleaned up after. */
function onWorkbench<T extends Case>(run: (bench: Workbench, test: T) => Promise<Verdict>): Group {
  return async function* (cases, { kubeconfig }) {
    const bench = await openWorkbench(kubeconfig);
    try {
      for (const test of cases) {
        yield { name: test.name, verdict: await judged(run(bench, test as T)) };
        await bench.cleanUp();
      }
    } finally {
      await bench.close();
    }
  };
}

export async function judged(verdict: Promise<Verdict>): Promise<Verdict> {
  try {
    return await verdict;
  } catch (error) {
    return { passed: false, exact: false, detail: error instanceof Error ? error.message : String(error) };
  }
}
