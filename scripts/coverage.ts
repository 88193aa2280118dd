/**
 * `npm run coverage -- [PATTERN …]`: runs the tests as `npm test` does and measures which lines of `src` they reach. Prints a table by
 * package, and writes it to `coverage/summary.txt` and the details to `coverage/lcov.info`.
 */
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { dot, lcov } from 'node:test/reporters';
import { readCommandLine } from './command-line.ts';
import { type FileCoverage, summaryLines } from './coverage-report/summary.ts';
import { select } from './test-run/select.ts';
import { testFiles } from './test-run/test-files.ts';

process.chdir(new URL('..', import.meta.url).pathname);
const { positionals, refuse } = readCommandLine('usage: npm run coverage -- [PATTERN …]', {});
const { files, unmatched } = select(testFiles(), [], positionals);
if (unmatched.length > 0) refuse(`no test file's path contains ${unmatched.join(' or ')}`);
mkdirSync('coverage', { recursive: true });

let measured: FileCoverage[] = [];
let failed = 0;
const stream = run({
  files: [...files],
  concurrency: 2,
  timeout: 600_000,
  execArgv: ['--no-warnings'],
  coverage: true,
  coverageIncludeGlobs: ['packages/*/src/**/*.ts', 'scripts/**/*.ts'],
  coverageExcludeGlobs: ['**/*.test.ts'],
});
stream.on('test:fail', ({ details, file }) => {
  if (details.type === 'suite') return;
  failed += 1;
  console.error(`\n✖ ${file ?? ''}: ${details.error.message}`);
});
stream.on('test:coverage', ({ summary }) => {
  measured = summary.files.map((file) => ({ ...file, path: relative('.', file.path) }));
});
stream.compose(dot).pipe(process.stdout);
await finished(stream.compose(lcov).pipe(createWriteStream('coverage/lcov.info')));
const lines = summaryLines(measured);
writeFileSync('coverage/summary.txt', `${lines.join('\n')}\n`);
console.log(`\n${lines.join('\n')}\ndetails: coverage/lcov.info`);
if (failed > 0) console.error(`${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
