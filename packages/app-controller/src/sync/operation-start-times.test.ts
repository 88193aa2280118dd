import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application, ApplicationStatus } from '@fairlead/api';
import type { ReconcileEnv } from '../reconcile-env.ts';
import { OperationStartTimes } from './operation-start-times.ts';

const noon = Date.UTC(2026, 0, 1, 12);
const at = (seconds: number): string => new Date(noon + seconds * 1000).toISOString().replace('.000Z', 'Z');

function setup() {
  let now = noon + 400;
  const env = { applications: {}, clock: { now: () => now } } as unknown as ReconcileEnv;
  const startTimes = new OperationStartTimes();
  const application = (name: string, status?: Partial<ApplicationStatus>): Application =>
    ({ metadata: { namespace: 'argocd', name }, ...(status ? { status } : {}) }) as Application;
  return {
    next: (name: string, status?: Partial<ApplicationStatus>) =>
      (startTimes.next(env, application(name, status)) - noon) / 1000,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test('operations of one Application start in distinct seconds, regardless of its status', () => {
  const { next, pass } = setup();
  assert.deepEqual([next('web'), next('web'), next('web'), next('other')], [0, 1, 2, 0]);
  pass(1_000);
  assert.deepEqual([next('web'), next('other')], [3, 1]);
  pass(10_000);
  assert.deepEqual([next('web'), next('other')], [11, 11]);
});

test('an operation of another process is recognized by the previous operation and the history', () => {
  const operationState = { startedAt: at(0), phase: 'Succeeded', operation: {} } as ApplicationStatus['operationState'];
  assert.equal(setup().next('web', { operationState: operationState! }), 1);
  const history = [{ id: 0, deployStartedAt: at(2), deployedAt: at(2) }];
  assert.equal(setup().next('web', { history }), 3);
});
