import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GitOpsDeploymentSyncRun } from '@fairlead/api';
import { decide } from './sync-runner.ts';

const run = (revisionID: string): GitOpsDeploymentSyncRun => ({
  apiVersion: 'managed-gitops.redhat.com/v1alpha1',
  kind: 'GitOpsDeploymentSyncRun',
  metadata: { name: 'run', namespace: 'blue' },
  spec: { gitopsDeploymentName: 'shop', revisionID },
});
const row = { phase: 'Running', message: '', revision: 'v1', deployment_name: 'shop', application_id: 'a' } as const;
const env = { hasTurn: true, deployment: 'manual' } as const;
const said = (...args: Parameters<typeof decide>): string[] =>
  decide(...args).conditions.map(({ type, status, reason }) => `${type} ${status} ${reason}`);

test('a sync run that was changed, on a server that does not enforce the rules of its kind, is refused', () => {
  assert.deepEqual(said(run('v2'), row, env), ['ErrorOccurred True ImmutableField']);
});

test('a started sync run reports its progress, even if its deployment is gone', () => {
  assert.deepEqual(said(run('v1'), row, { hasTurn: false, deployment: 'absent' }), ['Succeeded Unknown Running']);
  assert.deepEqual(said(run('v1'), { ...row, phase: 'Terminated' }, env), ['Succeeded False Terminated']);
  assert.deepEqual(said(run('v1'), { ...row, phase: 'Failed' }, env), ['Succeeded False Failed']);
});
