import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application } from '@fairlead/api';
import { ImagesError, parseImage, type UpdateResult } from '@fairlead/images';
import { roundLines } from './round-lines.ts';

const application: Application = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'web', namespace: 'argocd' },
  spec: { project: 'default', destination: {} },
};

const result = (report: Partial<UpdateResult['report']>): UpdateResult => ({
  entry: {
    key: 'argocd/web',
    name: 'web',
    namespace: 'argocd',
    uid: '',
    repository: '',
    application,
    updater: undefined,
    plan: undefined,
    problem: undefined,
  },
  report: { considered: 1, skipped: 0, updated: [], problems: [], held: [], commit: undefined, ...report },
});

test('one line for each image that is not up to date, then the totals', () => {
  const change = {
    alias: 'web',
    image: parseImage('nginx:1.1'),
    old: parseImage('nginx:1.0'),
    new: parseImage('nginx:1.1'),
  };
  const problem = { image: 'db', error: new ImagesError('ImageNotFound', 'postgres: not found') };
  assert.deepEqual(
    roundLines([result({ updated: [change], commit: '0123456789abcdef', problems: [problem] }), result({})], false),
    [
      'argocd/web  web: 1.0 → 1.1 (commit 0123456789)',
      'argocd/web  db: ! postgres: not found',
      '2 applications, 1 images updated, 1 errors',
    ],
  );
});

test('a dry run prints what would be written', () => {
  assert.deepEqual(roundLines([result({ held: [{ image: 'web', reason: 'would become nginx:1.1' }] })], true), [
    'argocd/web  web: would become nginx:1.1',
    '1 applications, 1 images would be updated, 0 errors',
  ]);
});
