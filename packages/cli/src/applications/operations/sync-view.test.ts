import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syncView } from '@fairlead/app-controller/explain';
import { application, operationState, resource, result } from '../../../test/support/application.ts';
import { noStyle } from '../../terminal/style.ts';
import { SyncLog, syncFrame } from './sync-lines.ts';

const state = operationState({
  message: 'waiting for healthy state of apps/Deployment/web',
  syncResult: {
    revision: 'b'.repeat(40),
    resources: [
      result('Job', 'migrate', { syncPhase: 'PreSync', hookType: 'PreSync', hookPhase: 'Succeeded', message: 'done' }),
      result('ConfigMap', 'web', { message: 'configmap/web created' }),
      result('Deployment', 'web', { message: 'deployment.apps/web created' }),
    ],
  },
});
const app = application({
  status: {
    operationState: state,
    resources: [
      resource('ConfigMap', 'web'),
      resource('Deployment', 'web', { health: { status: 'Progressing', message: '1 of 2' } }),
      resource('Service', 'web', { status: 'OutOfSync', syncWave: 2 }),
      resource('Job', 'migrate', { hook: true }),
    ],
  },
});

test('shows phases, waves and objects, including those that have not started', () => {
  assert.deepEqual(syncFrame('web', syncView(app, state), noStyle, 40), [
    'web  Running to bbbbbbb',
    '  PreSync',
    '    ✔ Job demo/migrate  done',
    '  Sync',
    '    ✔ ConfigMap demo/web   configmap/web created',
    '    ◐ Deployment demo/web  Progressing: 1 of 2',
    '  Sync wave 2',
    '    · Service demo/web',
    '  waiting for healthy state of apps/Deployment/web',
  ]);
});

test('finished groups collapse if there is no room', () => {
  assert.deepEqual(syncFrame('web', syncView(app, state), noStyle, 8), [
    'web  Running to bbbbbbb',
    '  ✔ PreSync  1 objects',
    '  Sync',
    '    ✔ ConfigMap demo/web   configmap/web created',
    '    ◐ Deployment demo/web  Progressing: 1 of 2',
    '  Sync wave 2',
    '    · Service demo/web',
    '  waiting for healthy state of apps/Deployment/web',
  ]);
});

test('without a terminal each change is printed once', () => {
  const log = new SyncLog();
  assert.deepEqual(log.lines('web', syncView(app, state)), [
    'web: Running to bbbbbbb',
    'web: PreSync  Job demo/migrate  done  done',
    'web: Sync  ConfigMap demo/web  done  configmap/web created',
    'web: Sync  Deployment demo/web  running  Progressing: 1 of 2',
    'web: waiting for healthy state of apps/Deployment/web',
  ]);
  assert.deepEqual(log.lines('web', syncView(app, state)), []);
});

test('failures, skipped objects, and running hooks', () => {
  const view = syncView(
    app,
    operationState({
      finishedAt: '2030-01-01T00:00:09Z',
      phase: 'Failed',
      syncResult: {
        revision: '',
        resources: [
          result('Job', 'migrate', { syncPhase: 'PreSync', hookType: 'PreSync', hookPhase: 'Failed' }),
          result('Service', 'old', { status: 'PruneSkipped' }),
          result('ConfigMap', 'web', { status: 'SyncFailed', message: 'no' }),
          result('Job', 'smoke', { syncPhase: 'PostSync', hookType: 'PostSync', hookPhase: 'Running' }),
        ],
      },
    }),
  );
  assert.deepEqual(
    view.groups.flatMap(({ phase, rows }) => rows.map((row) => `${phase} ${row.object} ${row.state}`)),
    [
      'PreSync Job demo/migrate failed',
      'Sync Service demo/old skipped',
      'Sync ConfigMap demo/web failed',
      'PostSync Job demo/smoke running',
    ],
  );
});

test('a sync of selected objects shows only these', () => {
  const view = syncView(
    { ...app, operation: { sync: { resources: [{ group: 'apps', kind: 'Deployment', name: 'web' }] } } },
    operationState(),
  );
  assert.deepEqual(
    view.groups.flatMap(({ rows }) => rows.map(({ object }) => object)),
    ['Deployment demo/web'],
  );
});
