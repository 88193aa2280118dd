/**
 * `npm test`: lint, types, import direction, then every test file. The last line counts: `N passed, M failed, K skipped`.
 * `npm test -- PATTERN …` runs only the test files whose path contains one of the patterns, without the checks.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const root = new URL('..', import.meta.url).pathname;
process.chdir(root);
const patterns = process.argv.slice(2);

let failed = 0;
let passed = 0;
const skipped: string[] = [];

function check(title: string, command: string, ...args: string[]): void {
  const result = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, FORCE_COLOR: '0' } });
  if (result.status === 0) passed += 1;
  else {
    failed += 1;
    console.error(`✖ ${title}`);
  }
}

if (patterns.length === 0) {
  check('lint', 'node_modules/.bin/biome', 'check', '.');
  check('types', 'node_modules/.bin/tsc', '--noEmit');
  check('import direction', process.execPath, 'scripts/layers.ts');
}

const files = globSync(['packages/*/{src,test,e2e}/**/*.test.ts', 'scripts/**/*.test.ts'])
  .filter((file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)))
  .sort();

const stream = run({ files, concurrency: 2, timeout: 300_000, execArgv: ['--no-warnings'] });
stream.on('test:pass', (event) => {
  if (event.skip !== undefined)
    skipped.push(typeof event.skip === 'string' ? `${event.name}: ${event.skip}` : event.name);
  else if (event.details.type !== 'suite') passed += 1;
});
stream.on('test:fail', (event) => {
  if (event.details.type !== 'suite') failed += 1;
});
stream.compose(spec).pipe(process.stdout);
stream.on('end', () => {
  setImmediate(() => {
    for (const line of skipped) console.log(`skipped: ${line}`);
    console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`);
    process.exit(failed === 0 ? 0 : 1);
  });
});
