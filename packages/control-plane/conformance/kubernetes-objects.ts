import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CaseResult, SuiteOptions } from '../../../scripts/conformance.ts';
import { runDefaults } from './objects/defaults.ts';
import { runValidation } from './objects/validation.ts';
import { openWorkbench, type Workbench } from './objects/workbench.ts';

/** A part of the corpus: its cases in one file, each judged alone. */
type Part = (bench: Workbench, test: never) => Promise<Verdict>;

export interface Verdict {
  readonly passed: boolean;
  readonly exact: boolean;
  readonly detail?: string;
}

const parts: Readonly<Record<string, Part>> = {
  defaults: runDefaults,
  validation: runValidation,
};

/** What a real server makes of objects: what it fills in, what it refuses and with which words. */
export async function* suite({ dir, only, kubeconfig }: SuiteOptions): AsyncGenerator<CaseResult> {
  const bench = await openWorkbench(kubeconfig);
  try {
    for (const [group, run] of Object.entries(parts)) {
      const file = join(dir, `${group}.json`);
      if (!existsSync(file)) continue;
      for (const test of JSON.parse(readFileSync(file, 'utf8')) as { name: string }[]) {
        if (only && !`${group}/${test.name}`.includes(only)) continue;
        yield { name: test.name, group, ...(await judge(bench, run, test)) };
      }
    }
  } finally {
    await bench.close();
  }
}

async function judge(bench: Workbench, run: Part, test: { name: string }): Promise<Verdict> {
  try {
    return await run(bench, test as never);
  } catch (error) {
    return { passed: false, exact: false, detail: error instanceof Error ? error.message : String(error) };
  } finally {
    await bench.cleanUp();
  }
}
