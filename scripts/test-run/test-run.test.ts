import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { planSuites, suiteArguments } from './corpus.ts';
import { select } from './select.ts';
import { suiteResult } from './suite-result.ts';

const files = ['packages/kube/src/lease.test.ts', 'packages/render/src/helm/helm.test.ts'];
const suites = ['helm', 'health'];

test('without patterns everything runs, the checks too', () => {
  assert.deepEqual(select(files, suites, []), { checks: true, files, suites, unmatched: [] });
});

test('a pattern selects the files whose path contains it, and no suite', () => {
  const { checks, files: chosen, suites: none } = select(files, suites, ['helm']);
  assert.deepEqual(
    { checks, chosen, none },
    { checks: false, chosen: ['packages/render/src/helm/helm.test.ts'], none: [] },
  );
});

test('conformance selects all suites, conformance/NAME one of them', () => {
  assert.deepEqual(select(files, suites, ['conformance']).suites, suites);
  assert.deepEqual(select(files, suites, ['lease', 'conformance/helm']), {
    checks: false,
    files: ['packages/kube/src/lease.test.ts'],
    suites: ['helm'],
    unmatched: [],
  });
});

test('a pattern that matches nothing is reported, even next to one that matches', () => {
  assert.deepEqual(select(files, suites, ['lease', 'nosuch', 'conformance/nosuch']).unmatched, [
    'nosuch',
    'conformance/nosuch',
  ]);
});

test('npm test -- nosuch fails with a message', () => {
  const script = fileURLToPath(new URL('../test.ts', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, ['--no-warnings', script, 'nosuch'], { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /^no test file's path contains nosuch\nusage: npm test/);
});

test('without a corpus every suite is skipped by name', () => {
  assert.deepEqual(planSuites(suites, undefined, '../corpus'), {
    run: [],
    skipped: ['conformance helm: no corpus at ../corpus', 'conformance health: no corpus at ../corpus'],
  });
});

test('a suite without data and a directory without a runner are named', () => {
  assert.deepEqual(planSuites(suites, ['argocd-sync', 'helm'], '../corpus'), {
    run: ['helm'],
    skipped: ['conformance health: no data at ../corpus/health', 'conformance argocd-sync: no runner yet'],
  });
});

test('a suite that does not pass yet is named with the reason and not run', () => {
  assert.deepEqual(planSuites(suites, suites, '../corpus', new Map([['helm', 'half of it']])), {
    run: ['health'],
    skipped: ['conformance helm: half of it'],
  });
});

test('a long suite runs a part of its directory, or of the directories that it reads if all exist', () => {
  assert.deepEqual(planSuites(['stable-sync'], ['helm', 'kustomize'], '../corpus'), {
    run: ['stable-sync'],
    skipped: [],
  });
  assert.deepEqual(planSuites(['stable-sync'], ['helm'], '../corpus'), {
    run: [],
    skipped: ['conformance stable-sync: no data at ../corpus/kustomize'],
  });
  assert.deepEqual(suiteArguments('stable-sync', '../corpus').slice(0, 3), ['stable-sync', '../corpus', '--every']);
  assert.deepEqual(suiteArguments('argocd-charts', '../corpus').slice(0, 3), [
    'argocd-charts',
    '../corpus/argocd-charts',
    '--every',
  ]);
  assert.deepEqual(suiteArguments('helm', '../corpus'), ['helm', '../corpus/helm']);
  const [, folder, option] = suiteArguments('argocd-sync', '../corpus');
  assert.deepEqual([folder, option], ['../corpus/argocd-sync', '--every'], 'a slice of a suite with its own folder');
});

test('the cases of a suite are counted, and its skipped cases are named', () => {
  const output = 'a: 2 of 3, 1 skipped\nskipped: a/b: old kubectl\n2 passed, 0 failed, 1 skipped\n';
  assert.deepEqual(suiteResult('helm', output, 0, 1.26), {
    counts: { passed: 2, failed: 0, skipped: 1 },
    report: '✔ conformance helm: 2 passed, 0 failed (1.3 s)',
    skipped: ['conformance helm: a/b: old kubectl'],
  });
});

test('the failures of a suite are printed', () => {
  const { counts, report } = suiteResult('helm', '✖ a/b\n    wrong\na: 2 of 3\n2 passed, 1 failed\n', 1, 1);
  assert.deepEqual(counts, { passed: 2, failed: 1, skipped: 0 });
  assert.equal(report, '✖ conformance helm: 2 passed, 1 failed (1.0 s)\n✖ a/b\n    wrong');
});

test('a suite that crashes or finds no case is a failure', () => {
  for (const [output, code] of [
    ['TypeError: x\n', 1],
    ['0 passed, 0 failed\n', 1],
    ['', null],
  ] as const)
    assert.equal(suiteResult('helm', output, code, 1).counts.failed, 1);
});
