/**
 * `npm test`: lint, types, borders, words, every test file, then every conformance suite whose data is in the corpus (`../shared/corpus`, or the
 * folder that FAIRLEAD_CORPUS names). The last line counts: `N passed, M failed, K skipped`.
 * `npm test -- PATTERN …`: only the test files whose path contains a pattern. `conformance` and `conformance/NAME` name suites.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { exitAfterOutput } from './command-line.ts';
import { suites, unfinishedSuites } from './conformance/suite.ts';
import { countLine } from './conformance/tally.ts';
import { foldersOf, planSuites } from './test-run/corpus.ts';
import { runSuites } from './test-run/run-suites.ts';
import { select } from './test-run/select.ts';
import { testFiles } from './test-run/test-files.ts';

process.chdir(new URL('..', import.meta.url).pathname);
// Most of the time of a short test is spent on loading the same modules, so compiled code is kept between processes.
process.env['NODE_COMPILE_CACHE'] ??= resolve('node_modules/.cache/node-compile-cache');
const corpus = process.env['FAIRLEAD_CORPUS'] ?? '../shared/corpus';
const counts = { passed: 0, failed: 0, skipped: 0 };
const skipped: string[] = [];

function skip(line: string): void {
  skipped.push(line);
  counts.skipped += 1;
}

function check(title: string, command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, FORCE_COLOR: '0' } });
  if (status === 0) counts.passed += 1;
  else {
    counts.failed += 1;
    console.error(`✖ ${title}`);
  }
}

function runTests(files: readonly string[]): Promise<void> {
  const stream = run({ files: [...files], concurrency: 2, timeout: 300_000, execArgv: ['--no-warnings'] });
  stream.on('test:pass', ({ name, skip: reason, details }) => {
    if (reason !== undefined) skip(typeof reason === 'string' ? `${name}: ${reason}` : name);
    else if (details.type !== 'suite') counts.passed += 1;
  });
  stream.on('test:fail', ({ details }) => {
    if (details.type !== 'suite') counts.failed += 1;
  });
  const report = stream.compose(spec);
  report.pipe(process.stdout);
  return new Promise((resolve) => report.on('end', resolve));
}

async function runConformance(chosen: readonly string[], everything: boolean): Promise<void> {
  const folders = existsSync(corpus) ? readFolders(corpus) : undefined;
  const plan = everything
    ? planSuites(chosen, folders, corpus, unfinishedSuites)
    : planSuites(
        chosen,
        folders?.filter((name) => chosen.flatMap(foldersOf).includes(name)),
        corpus,
      );
  for (const line of plan.skipped) skip(line);
  for await (const result of runSuites(plan.run, corpus, 2)) {
    console.log(result.report);
    counts.passed += result.counts.passed;
    counts.failed += result.counts.failed;
    counts.skipped += result.counts.skipped;
    skipped.push(...result.skipped);
  }
}

const readFolders = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

const selection = select(testFiles(), [...suites.keys()], process.argv.slice(2));
if (selection.unmatched.length > 0) {
  for (const pattern of selection.unmatched) console.error(`no test file's path contains ${pattern}`);
  console.error(
    'usage: npm test -- [PATTERN …], a pattern being part of the path of a test file, or conformance[/SUITE]',
  );
  process.exit(1);
}
if (selection.checks) {
  check('lint', 'node_modules/.bin/biome', 'check', '.');
  check('types', 'node_modules/.bin/tsc', '--noEmit');
  check('types of the web application', 'node_modules/.bin/tsc', '--noEmit', '-p', 'packages/ui');
  check('borders', process.execPath, 'scripts/layers.ts');
  check('words', process.execPath, '--no-warnings', 'scripts/words.ts');
}
if (selection.files.length > 0) await runTests(selection.files);
await runConformance(selection.suites, selection.checks || selection.suites.length === suites.size);
for (const line of skipped) console.log(`skipped: ${line}`);
console.log(countLine(counts));
exitAfterOutput(counts.failed === 0 ? 0 : 1);
