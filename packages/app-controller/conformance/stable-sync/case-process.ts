/** Runs cases on embedded clusters, each on a separate one. */
import { startWorkers } from '../harness/controller.ts';
import { serve } from '../harness/processes.ts';
import { casesIn, type StableCase } from './cases.ts';
import type { Outcome } from './check.ts';
import { runCase } from './run-case.ts';

/** A case by its place in a folder. */
export interface CaseRequest {
  readonly dir: string;
  readonly index: number;
}

const workers = startWorkers();
const cases = new Map<string, readonly StableCase[]>();

serve<CaseRequest, Outcome>(async ({ dir, index }) => {
  const inFolder = cases.get(dir) ?? casesIn(dir);
  cases.set(dir, inFolder);
  const found = inFolder[index];
  return found ? runCase(found, workers) : { passed: false, detail: `${dir} has no case ${index}` };
});
