import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CaseResult, SuiteOptions } from '../../../scripts/conformance.ts';
import { runScenarios } from './objects/controllers.ts';
import { runDefaults } from './objects/defaults.ts';
import { runKubectlCases } from './objects/kubectl.ts';
import { type Case, type Group, type Outcome, outcomeOf } from './objects/outcome.ts';
import { runValidation } from './objects/validation.ts';
import { openWorkbench, type Workbench } from './objects/workbench.ts';

const groups: Readonly<Record<string, Group>> = {
  defaults: onWorkbench(runDefaults),
  validation: onWorkbench(runValidation),
  controllers: runScenarios,
  kubectl: runKubectlCases,
};

/** How a real server processes objects: defaults, rejections, and writes of its controllers. */
export async function* suite(options: SuiteOptions): AsyncGenerator<CaseResult> {
  for (const [group, run] of Object.entries(groups)) {
    const file = join(options.dir, `${group}.json`);
    if (!existsSync(file)) continue;
    const all = JSON.parse(readFileSync(file, 'utf8')) as Case[];
    const cases = all.filter(({ name }) => !options.only || `${group}/${name}`.includes(options.only));
    if (cases.length === 0) continue;
    for await (const { name, outcome } of run(cases, options)) yield { name, group, ...outcome };
  }
}

/** One case after the other on one server, each cleaned up. */
function onWorkbench<T extends Case>(run: (bench: Workbench, test: T) => Promise<Outcome>): Group {
  return async function* (cases, { kubeconfig }) {
    const bench = await openWorkbench(kubeconfig);
    try {
      for (const test of cases) {
        yield { name: test.name, outcome: await outcomeOf(run(bench, test as T)) };
        await bench.cleanUp();
      }
    } finally {
      await bench.close();
    }
  };
}
