/**
 * `npm run mutants -- [PATTERN …] [--jobs N] [--timeout SECONDS] [--list]`: puts each deliberate fault of `scripts/mutants/list` into a copy of
 * the workspace and runs the tests that must catch it. PATTERN is part of the name or the file of a mutant. The command fails if a fault
 * survives, if the text of one no longer occurs in the source, if one does not compile, or if a test fails without any fault. The last line
 * is `N caught, M survived`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { largeScenarios, scenarios } from '@fairlead/sim/runner';
import { exitAfterOutput, readCommandLine } from './command-line.ts';
import { typeErrors } from './mutants/compile.ts';
import { mutants } from './mutants/list.ts';
import { problemsOf } from './mutants/problems.ts';
import { describe, type MutantResult, Workbench } from './mutants/run-mutants.ts';

const usage = 'usage: npm run mutants -- [PATTERN …] [--jobs N] [--timeout SECONDS] [--list]';
const { values, positionals, refuse } = readCommandLine(usage, {
  jobs: { type: 'string' },
  timeout: { type: 'string' },
  list: { type: 'boolean' },
});
const jobs = Number(values.jobs ?? availableParallelism());
const timeout = Number(values.timeout ?? 120);
if (!Number.isInteger(jobs) || jobs < 1) refuse('--jobs must be a whole number, at least 1');
if (!(timeout > 0)) refuse('--timeout must be a number of seconds');
const chosen = mutants.filter(
  ({ name, file }) =>
    positionals.length === 0 || positionals.some((pattern) => name.includes(pattern) || file.includes(pattern)),
);
if (chosen.length === 0) refuse(`no mutant's name or file contains ${positionals.join(' or ')}`);

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string): string | undefined =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined;

function report({ mutant, caughtBy, results, seconds }: MutantResult): void {
  const took = `${seconds.toFixed(1)} s`;
  const ends = [...results].map(([check, outcome]) => `${check} ${describe(outcome)}`);
  if (caughtBy !== undefined) console.log(`caught: ${mutant.name} (${ends.at(-1)}, ${took})`);
  else console.log(`SURVIVED: ${mutant.name} (${mutant.file}; ${ends.join(', ')}; ${took})`);
}

async function run(): Promise<boolean> {
  const problems = problemsOf(mutants, { read, scenarios: [...scenarios, ...largeScenarios].map(({ name }) => name) });
  if (problems.length === 0) problems.push(...typeErrors(chosen, root));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) return false;
  const bench = new Workbench({ root, jobs, timeoutMs: timeout * 1000 });
  try {
    const failing = await bench.failingChecks(chosen);
    for (const line of failing.values()) console.error(line);
    const usable = chosen.filter(({ caughtBy }) => !caughtBy.some((check) => failing.has(check)));
    let caught = 0;
    for await (const result of bench.results(usable)) {
      if (result.caughtBy !== undefined) caught += 1;
      report(result);
    }
    const notRun = chosen.length - usable.length;
    if (notRun > 0) console.log(`${notRun} not run, because their tests fail without a fault`);
    console.log(`${caught} caught, ${usable.length - caught} survived`);
    return caught === chosen.length;
  } finally {
    bench.remove();
  }
}

if (values.list) {
  for (const { name, file, caughtBy } of chosen) console.log(`${name} (${file}): ${caughtBy.join(', ')}`);
  exitAfterOutput(0);
} else exitAfterOutput((await run()) ? 0 : 1);
