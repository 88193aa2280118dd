/** A thread of `npm run fuzz`: checks inputs of one target until its time is over, and reports what it finds. */
import { parentPort, workerData } from 'node:worker_threads';
import fc from 'fast-check';
import { Progress } from './progress.ts';
import type { FuzzTarget } from './target.ts';

export interface ThreadData {
  /** A URL of the file that exports the target. */
  readonly target: string;
  readonly seed: number;
  readonly maxMs: number;
  readonly maxInputs: number;
  readonly buffer: SharedArrayBuffer;
  /** Inputs to check instead of generated ones. */
  readonly replay?: readonly unknown[];
}

/** An input for which the property does not hold, and why. */
export interface Finding {
  readonly input: unknown;
  readonly problem: string;
}

const inputsPerBatch = 100;
const maxShrinkMs = 10_000;

const data = workerData as ThreadData;
const progress = new Progress(data.buffer);
const { target } = (await import(data.target)) as { target: FuzzTarget };

const problemOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ''}`.slice(0, 2_000) : String(error);

const report = (finding: Finding): void => parentPort?.postMessage(finding);

/** Checks the input as it is read from a fixture: JSON has neither -0 nor objects without a prototype. */
async function check(input: unknown): Promise<void> {
  progress.begin(input);
  await target.check(JSON.parse(JSON.stringify(input)));
}

if (data.replay) {
  for (const input of data.replay)
    try {
      await check(input);
    } catch (error) {
      report({ input, problem: problemOf(error) });
    }
} else {
  const began = performance.now();
  for (let batch = 0; batch * inputsPerBatch < data.maxInputs; batch++) {
    if (performance.now() - began > data.maxMs) break;
    const result = await fc.check(fc.asyncProperty(target.inputs, check), {
      seed: data.seed + batch,
      numRuns: Math.min(inputsPerBatch, data.maxInputs),
      interruptAfterTimeLimit: maxShrinkMs,
    });
    if (result.counterexample) report({ input: result.counterexample[0], problem: problemOf(result.errorInstance) });
  }
}
