import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application } from '@fairlead/api';
import { awaitsComparison, dateBefore } from './refreshed-status.ts';

const compared = (reconciledAt?: string): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'shop', namespace: 'argocd' },
  spec: { project: 'default', destination: {} },
  status: reconciledAt === undefined ? {} : { reconciledAt },
});

const ended = '2026-01-01T00:00:05Z';

const table: readonly { when: string; reconciledAt?: string; date?: string }[] = [
  { when: 'in an earlier second', reconciledAt: '2026-01-01T00:00:04Z' },
  { when: 'in the second in which the operation ended', reconciledAt: ended, date: '2026-01-01T00:00:04Z' },
  {
    when: 'in a later second, while the operation ended',
    reconciledAt: '2026-01-01T00:00:06Z',
    date: '2026-01-01T00:00:04Z',
  },
  { when: 'never' },
];

for (const { when, reconciledAt, date } of table)
  test(`a comparison made ${when} is older than the end of the operation`, () => {
    const before = compared(reconciledAt);
    const dated = dateBefore(before, ended);
    assert.deepEqual(dated, date === undefined ? {} : { reconciledAt: date });
    const operationState = { operation: {}, phase: 'Succeeded' as const, startedAt: ended, finishedAt: ended };
    assert.ok(awaitsComparison({ ...before, status: { ...before.status, ...dated, operationState } }));
  });
