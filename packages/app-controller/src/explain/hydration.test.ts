import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application } from '@fairlead/api';
import { explain } from './explain.ts';

const application = (phase: 'Failed' | 'Hydrated', message: string): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'web', namespace: 'argocd' },
  spec: {
    project: 'default',
    destination: {},
    sourceHydrator: {
      drySource: { repoURL: 'https://git.example/shop', targetRevision: 'main', path: 'web' },
      syncSource: { targetBranch: 'prod', path: 'web' },
    },
  },
  status: {
    sync: { status: 'Synced' },
    health: { status: 'Healthy' },
    sourceHydrator: { currentOperation: { phase, message, drySHA: '0123456789' } },
  },
});
const chapters = (one: Application) => explain({ application: one, tree: [], now: 0 });

test('a failed hydration is explained, with what to do', () => {
  const [chapter] = chapters(application('Failed', 'Failed to hydrate: https://git.example: authentication required'));
  assert.equal(chapter?.title, 'Why the hydrated branch is not up to date');
  assert.match(chapter?.reasons[0]?.text ?? '', /authentication required/u);
  assert.match(chapter?.next[0] ?? '', /repository-write/u);
  assert.deepEqual(chapters(application('Hydrated', '')), []);
});
