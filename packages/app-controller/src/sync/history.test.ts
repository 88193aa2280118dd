import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application, OperationState } from '@fairlead/api';
import { historyWith } from './history.ts';

const source = { repoURL: 'https://example.com/shop', path: 'web' };
const application = (ids: readonly number[], revisionHistoryLimit?: number): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'shop', namespace: 'argocd' },
  spec: {
    project: 'default',
    destination: {},
    ...(revisionHistoryLimit === undefined ? {} : { revisionHistoryLimit }),
  },
  status: { history: ids.map((id) => ({ id, revision: `r${id}`, deployedAt: '2026-01-01T00:00:00Z' })) },
});
const state = (sync: NonNullable<OperationState['operation']['sync']> = {}): OperationState => ({
  operation: { sync, initiatedBy: { username: 'ada' } },
  phase: 'Succeeded',
  startedAt: '2026-01-01T10:00:00Z',
  finishedAt: '2026-01-01T10:01:00Z',
  syncResult: { revision: 'abc', source },
});
const ids = (app: Application, sync?: Parameters<typeof state>[0]) =>
  historyWith(app, state(sync))?.map(({ id }) => id);

test('a successful sync is the newest entry, with everything that a rollback needs', () => {
  assert.deepEqual(historyWith(application([]), state()), [
    {
      id: 0,
      revision: 'abc',
      source,
      deployStartedAt: '2026-01-01T10:00:00Z',
      deployedAt: '2026-01-01T10:01:00Z',
      initiatedBy: { username: 'ada' },
    },
  ]);
});

test('ten entries are kept by default, and ids continue', () => {
  assert.deepEqual(ids(application([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])), [4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  assert.deepEqual(ids(application([3, 4, 5], 2)), [5, 6]);
  assert.deepEqual(ids(application([3], 0)), []);
});

test('dry runs, selective syncs and local manifests are not in the history', () => {
  assert.equal(ids(application([]), { dryRun: true }), undefined);
  assert.equal(ids(application([]), { resources: [{ kind: 'ConfigMap', name: 'a' }] }), undefined);
  assert.equal(ids(application([]), { manifests: ['{}'] }), undefined);
});

test('several sources are stored as a list', () => {
  const several = { ...state(), syncResult: { revision: '', revisions: ['x', 'y'], sources: [source, source] } };
  const [entry] = historyWith(application([]), several)!;
  assert.deepEqual([entry?.revisions, entry?.sources?.length, entry?.revision], [['x', 'y'], 2, undefined]);
});
