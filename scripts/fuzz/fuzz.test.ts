import assert from 'node:assert/strict';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fixtureFolder, keepFinding, keptInputs } from './fixtures.ts';
import { runTarget } from './run-target.ts';
import { targets } from './targets.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const sample = (name: string): URL => new URL(`./samples/${name}.ts`, import.meta.url);

test('a failed check is a finding with the smallest input, and the same seed finds it again', async () => {
  const [first, again] = [
    await runTarget(sample('throws'), { seed: 7, maxInputs: 100 }),
    await runTarget(sample('throws'), { seed: 7, maxInputs: 100 }),
  ];
  assert.deepEqual(first, again);
  assert.equal(first.findings.length, 1, 'one fault is one finding');
  assert.equal(first.findings[0]?.input, 'x');
  assert.match(first.findings[0]?.problem ?? '', /^TypeError: cannot read "x"/);
});

test('an endless input is a finding', async () => {
  const { findings } = await runTarget(sample('hangs'), { maxInputs: 100, limitMs: 1_000 });
  assert.deepEqual(findings, [{ input: 'endless', problem: 'no end within 1 s' }]);
});

test('documented errors are not findings', async () => {
  assert.deepEqual(await runTarget(sample('holds'), { maxInputs: 200 }), { inputs: 200, findings: [] });
});

test('a finding is saved as a file, and its input is checked again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-fuzz-'));
  try {
    const target = 'packages/a/test/fuzz/b.ts';
    const path = keepFinding(folder, target, { input: { text: 'x' }, problem: 'Error: no\n    at' });
    assert.match(path, /^packages\/a\/test\/fixtures\/fuzz\/b\/[0-9a-f]{12}\.json$/);
    assert.deepEqual(keptInputs(folder, target), [{ text: 'x' }]);
  } finally {
    rmSync(folder, { recursive: true });
  }
  const { findings } = await runTarget(sample('throws'), { replay: ['a', 'x', 'b'] });
  assert.deepEqual(
    findings.map(({ input }) => input),
    ['x'],
  );
});

test('every target and every fixture is listed', () => {
  const files = globSync('packages/*/test/fuzz/*.ts', { cwd: root }).sort();
  assert.deepEqual(files, [...targets.values()].sort());
  const folders = new Set([...targets.values()].map(fixtureFolder));
  for (const path of globSync('packages/*/test/fixtures/fuzz/*', { cwd: root })) assert.ok(folders.has(path), path);
  for (const [name, file] of targets) assert.ok(existsSync(join(root, file)) && basename(file, '.ts') === name, name);
});

test('docs/testing.md has a row for each target', () => {
  const page = readFileSync(join(root, 'docs/testing.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name);
  assert.deepEqual(rows, [...targets.keys()]);
});

/** A slice of `npm run fuzz -- all`: earlier findings, and the same few inputs each time. */
describe('fuzz', { concurrency: availableParallelism() }, () => {
  for (const [name, file] of targets)
    test(`${name}: earlier findings and 100 inputs`, async () => {
      const target = pathToFileURL(join(root, file));
      const replay = keptInputs(root, file);
      if (replay.length > 0) assert.deepEqual((await runTarget(target, { replay, limitMs: 30_000 })).findings, []);
      const { inputs, findings } = await runTarget(target, { seed: 1, maxInputs: 100, limitMs: 30_000 });
      assert.deepEqual(findings, []);
      assert.equal(inputs, 100);
    });
});
