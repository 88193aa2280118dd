import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application, ApplicationSet, RolloutStatus } from '@fairlead/api';
import { runRollout } from './rollout.ts';

const now = '2026-01-01T00:00:10Z';
const earlier = '2026-01-01T00:00:00Z';

const application = (name: string, status: Application['status'] = {}): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name, labels: { env: name.split('-')[0] ?? '' } },
  spec: { project: 'default', destination: {} },
  status,
});

const step = (env: string, maxUpdate?: number | string) => ({
  matchExpressions: [{ key: 'env', operator: 'In', values: [env] }],
  ...(maxUpdate === undefined ? {} : { maxUpdate }),
});

const setWith = (steps: ReturnType<typeof step>[], applicationStatus: RolloutStatus[] = []): ApplicationSet => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'ApplicationSet',
  metadata: { name: 'fleet' },
  spec: {
    generators: [],
    template: { metadata: {}, spec: { project: 'default', destination: {} } },
    strategy: { type: 'RollingSync', rollingSync: { steps } },
  },
  status: { applicationStatus },
});

const outOfSync = { sync: { status: 'OutOfSync', revision: 'r1' }, health: { status: 'Healthy' } };
const synced = { sync: { status: 'Synced', revision: 'r1' }, health: { status: 'Healthy' } };

const run = (set: ApplicationSet, current: Application[], changed: string[] = []) =>
  runRollout({ set, current, generated: current, changed: new Set(changed), now });

const states = ({ statuses }: ReturnType<typeof run>): Record<string, string> =>
  Object.fromEntries(statuses.map(({ application: name, status }) => [name, status]));

test('only Applications of the first step that is not Healthy are synced', () => {
  const apps = [application('dev-1', outOfSync), application('prod-1', outOfSync)];
  const result = run(setWith([step('dev'), step('prod')]), apps);
  assert.deepEqual(states(result), { 'dev-1': 'Pending', 'prod-1': 'Waiting' });
  assert.deepEqual([...result.toSync], ['dev-1']);
});

test('maxUpdate limits how many of a step are synced at once, and a small share is one', () => {
  const apps = ['dev-1', 'dev-2', 'dev-3'].map((name) => application(name, outOfSync));
  assert.equal(run(setWith([step('dev', 2)]), apps).toSync.size, 2);
  assert.equal(run(setWith([step('dev', '10%')]), apps).toSync.size, 1);
  assert.equal(run(setWith([step('dev', 0)]), apps).toSync.size, 0);
});

test('the next step starts when all of the step before are Healthy, and waits while one fails', () => {
  const status = (name: string, state: string): RolloutStatus => ({
    application: name,
    status: state,
    step: '1',
    message: '',
    lastTransitionTime: earlier,
    targetRevisions: ['r1'],
  });
  const steps = [step('dev'), step('prod')];
  const apps = (dev: Application['status']) => [application('dev-1', dev), application('prod-1', outOfSync)];
  const failing = run(
    setWith(steps, [status('dev-1', 'Progressing')]),
    apps({ ...synced, health: { status: 'Degraded' } }),
  );
  assert.equal(states(failing)['prod-1'], 'Waiting');
  const healthy = run(setWith(steps, [status('dev-1', 'Progressing')]), apps(synced));
  assert.deepEqual(states(healthy), { 'dev-1': 'Healthy', 'prod-1': 'Pending' });
});

test('a change of the spec sends an Application back to Waiting', () => {
  const known: RolloutStatus = {
    application: 'prod-1',
    status: 'Healthy',
    step: '2',
    message: '',
    lastTransitionTime: earlier,
    targetRevisions: ['r1'],
  };
  const apps = [application('dev-1', outOfSync), application('prod-1', outOfSync)];
  const result = run(setWith([step('dev'), step('prod')], [known]), apps, ['prod-1']);
  assert.equal(states(result)['prod-1'], 'Waiting');
});

test('steps that select nothing, or an Application twice, are reported', () => {
  const message = (steps: ReturnType<typeof step>[]): string =>
    run(setWith(steps), [application('dev-1', outOfSync)]).conditions[0]?.message ?? '';
  assert.match(message([step('dev'), step('none')]), /Steps \[2\] have no applications/u);
  assert.match(message([step('dev'), step('dev')]), /'dev-1' is selected by multiple steps: \(1-2\)/u);
  assert.match(message([step('dev', 'many')]), /Step 1 has an invalid maxUpdate value: many/u);
});
