import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { largeScenarios, scenarios } from '@fairlead/sim/runner';
import { rounds } from './compile.ts';
import { mutants } from './list.ts';
import { type Mutant, mutate } from './mutant.ts';
import { problemsOf } from './problems.ts';
import { runCheck } from './run-check.ts';
import { describe, isCaught, timeoutAfter, Workbench } from './run-mutants.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string | undefined =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined;

test('every mutant applies to the current source, and names tests and scenarios that exist', () => {
  const names = [...scenarios, ...largeScenarios].map(({ name }) => name);
  assert.deepEqual(problemsOf(mutants, { read, scenarios: names }), []);
  assert.ok(mutants.length >= 60, `${mutants.length} mutants`);
});

test('every package with product code has mutants', () => {
  const packages = new Set(mutants.map(({ file }) => file.split('/')[1]));
  for (const name of ['apimachinery', 'kube', 'api', 'control-plane', 'render', 'source', 'engine'])
    assert.ok(packages.has(name), name);
  for (const name of ['app-controller', 'service', 'agent', 'images', 'prepull', 'server', 'cli'])
    assert.ok(packages.has(name), name);
});

const sample: Mutant = { name: 'n', file: 'a.ts', replace: 'a > b', by: 'a >= b', caughtBy: ['a.test.ts'] };

test('a mutant whose text is missing, occurs twice, does not parse or names no test is a problem', () => {
  const problemIn = (source: string, mutant = sample) =>
    problemsOf([mutant], { read: (file) => (file === 'a.ts' ? source : ''), scenarios: ['one'] });
  assert.deepEqual(problemIn('x = a > b;\n'), []);
  assert.match(problemIn('x = a < b;\n')[0] ?? '', /occurs 0 times, not once/);
  assert.match(problemIn('a > b; a > b;')[0] ?? '', /occurs 2 times/);
  assert.match(problemIn('a > b;', { ...sample, by: 'a > (b' })[0] ?? '', /does not parse/);
  assert.match(problemIn('a > b;', { ...sample, caughtBy: [] })[0] ?? '', /names nothing that catches it/);
  assert.match(
    problemIn('a > b;', { ...sample, caughtBy: ['sim/two'] })[0] ?? '',
    /names sim\/two, which does not exist/,
  );
  assert.match(problemsOf([sample, sample], { read: () => 'a > b', scenarios: [] })[0] ?? '', /two mutants are named/);
});

test('the replacement is inserted literally', () => {
  assert.equal(mutate('x = a > b', { ...sample, by: '$& $1' }), 'x = $& $1');
});

test('faults that exclude each other are compiled in turn', () => {
  const inFile = (by: string): Mutant => ({ ...sample, by });
  const compiled = rounds([inFile('1'), inFile('2')], () => 'a > b');
  assert.deepEqual(
    compiled.map((sources) => sources.get('a.ts')),
    ['1', '2'],
  );
});

const folder = mkdtempSync(join(tmpdir(), 'fairlead-checks-'));
after(() => rmSync(folder, { recursive: true }));

test('a check passes, fails at its first failed test, or times out and kills its processes', async () => {
  const check = async (name: string, body: string, timeoutMs = 20_000) => {
    writeFileSync(join(folder, name), `import { test } from 'node:test';\n${body}\n`);
    return describe(await runCheck(name, { folder, timeoutMs }));
  };
  assert.equal(await check('good.test.mjs', "test('a', () => {});"), 'passed');
  const stuck = "test('b', () => new Promise((resolve) => setTimeout(resolve, 60_000)));";
  assert.equal(await check('bad.test.mjs', `test('a', () => { throw new Error('no'); });\n${stuck}`), 'failed at "a"');
  assert.equal(await check('stuck.test.mjs', stuck, 2_000), 'timed out');
});

test('a time-out counts only for a mutant with `hangs`', () => {
  assert.ok(isCaught(sample, 'failed'));
  assert.ok(!isCaught(sample, 'timed out'));
  assert.ok(isCaught({ ...sample, hangs: true }, 'timed out'));
  assert.ok(!isCaught({ ...sample, hangs: true }, 'passed'));
});

test('a check that is slow without a fault has more time with one', () => {
  assert.equal(timeoutAfter(undefined, 120), 120);
  assert.equal(timeoutAfter(10, 120), 120);
  assert.equal(timeoutAfter(100, 120), 300);
});

test('a few mutants are killed, and a change that no test detects survives', async () => {
  const chosen = mutants.filter(({ name }) =>
    [
      'a key that is added while a worker has it is given to a second worker',
      'the values of a Secret are shown in a diff',
      'an allow window wins over a deny window',
    ].includes(name),
  );
  const harmless: Mutant = {
    name: 'nothing changes',
    file: 'packages/kube/src/queue/rate-limiter.ts',
    replace: 'return this.#failures.get(key) ?? 0;',
    by: 'return this.#failures.get(key) ?? -0;',
    caughtBy: ['packages/kube/src/queue/delaying-queue.test.ts'],
  };
  const bench = new Workbench({ root, jobs: 2, timeoutMs: 60_000 });
  try {
    const caught = new Map<string, boolean>();
    for await (const { mutant, caughtBy } of bench.results([...chosen, harmless]))
      caught.set(mutant.name, caughtBy !== undefined);
    assert.deepEqual([...caught.values()].filter(Boolean).length, 3);
    assert.equal(caught.get(harmless.name), false);
  } finally {
    bench.remove();
  }
});
