import { spawn } from 'node:child_process';
import { suiteArguments } from './corpus.ts';
import { type SuiteResult, suiteResult } from './suite-result.ts';

/** No suite takes longer than this on two busy cores. */
const timeout = 15 * 60_000;

/** Runs data suites as processes, `concurrency` at a time, and reports each as it ends. */
export async function* runSuites(
  names: readonly string[],
  corpus: string,
  concurrency: number,
): AsyncGenerator<SuiteResult> {
  const waiting = [...names];
  const running = new Map<string, Promise<{ readonly name: string; readonly result: SuiteResult }>>();
  const start = (): void => {
    const name = waiting.shift();
    if (name !== undefined)
      running.set(
        name,
        runSuite(name, corpus).then((result) => ({ name, result })),
      );
  };
  for (let at = 0; at < concurrency; at += 1) start();
  while (running.size > 0) {
    const { name, result } = await Promise.race(running.values());
    running.delete(name);
    start();
    yield result;
  }
}

function runSuite(name: string, corpus: string): Promise<SuiteResult> {
  const began = performance.now();
  const args = ['--no-warnings', 'scripts/conformance.ts', ...suiteArguments(name, corpus), '--failures'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const text = code === null ? `${output}\n${errors}\nstopped after ${timeout / 1000} s` : errors + output;
      resolve(suiteResult(name, text, code, (performance.now() - began) / 1000));
    });
  });
}
