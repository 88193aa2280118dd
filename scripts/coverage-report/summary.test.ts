import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FileCoverage, summaryLines } from './summary.ts';

const file = (path: string, covered: number): FileCoverage => ({
  path,
  totalLineCount: 10,
  coveredLineCount: covered,
  totalBranchCount: 0,
  coveredBranchCount: 0,
  totalFunctionCount: 4,
  coveredFunctionCount: 1,
});

test('coverage is summed by package', () => {
  const lines = summaryLines([
    file('packages/kube/src/a.ts', 10),
    file('packages/kube/src/b.ts', 5),
    file('packages/api/src/a.ts', 0),
    file('scripts/test.ts', 10),
  ]);
  assert.deepEqual(
    lines.map((line) => line.split(/ {2,}/)),
    [
      ['package', 'files', 'lines %', 'branches %', 'functions %'],
      ['api', '1', '0.0', '-', '25.0'],
      ['kube', '2', '75.0', '-', '25.0'],
      ['scripts', '1', '100.0', '-', '25.0'],
      ['all', '4', '62.5', '-', '25.0'],
    ],
  );
});
