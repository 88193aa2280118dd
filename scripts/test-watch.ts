/** `npm run test:watch -- PATTERN …`: runs the test files whose path contains a pattern, and again those that a saved file affects. */
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { readCommandLine } from './command-line.ts';
import { select } from './test-run/select.ts';
import { testFiles } from './test-run/test-files.ts';

process.chdir(new URL('..', import.meta.url).pathname);
const usage =
  'usage: npm run test:watch -- PATTERN …\nPATTERN is part of the path of a test file: packages/kube/src/lease';
const { positionals, refuse } = readCommandLine(usage, {});
if (positionals.length === 0) refuse('PATTERN is missing: which test files to watch');
const { files, unmatched } = select(testFiles(), [], positionals);
if (unmatched.length > 0) refuse(`no test file's path contains ${unmatched.join(' or ')}`);

const stream = run({ files: [...files], watch: true, concurrency: 2, timeout: 300_000, execArgv: ['--no-warnings'] });
stream.compose(spec).pipe(process.stdout);
