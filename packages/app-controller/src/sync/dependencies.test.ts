import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application } from '@fairlead/api';
import { dependenciesOf } from './dependencies.ts';

const app = (name: string, dependsOn: string, change: Partial<Application> = {}): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: {
    name,
    namespace: 'argocd',
    ...(dependsOn ? { annotations: { 'fairlead.dev/depends-on': dependsOn } } : {}),
  },
  spec: { project: 'shop', destination: {} },
  status: { sync: { status: 'Synced' }, health: { status: 'Healthy' } },
  ...change,
});
const of = (application: Application, ...others: Application[]) =>
  dependenciesOf(application, (key) =>
    [application, ...others].find(({ metadata }) => `${metadata.namespace}/${metadata.name}` === key),
  );

test('an Application waits until those that it depends on are Synced and Healthy', () => {
  assert.deepEqual(of(app('web', '')), { on: [] });
  assert.deepEqual(of(app('web', 'db'), app('db', '')), { on: ['argocd/db'] });
  const waiting = (status: Application['status'], change: Partial<Application> = {}) =>
    of(app('web', 'db, cache'), app('db', '', { ...change, ...(status ? { status } : {}) }), app('cache', '')).waiting;
  assert.equal(
    waiting({ sync: { status: 'OutOfSync' }, health: { status: 'Progressing' } }),
    'waiting for Application argocd/db, which is OutOfSync and Progressing (fairlead.dev/depends-on)',
  );
  assert.match(waiting({}) ?? '', /which is Unknown and Unknown/u);
  assert.match(waiting(undefined, { operation: { sync: {} } }) ?? '', /which is being synced/u);
  assert.equal(
    of(app('web', 'db, team/cache')).waiting,
    'waiting for Application argocd/db, which does not exist, Application team/cache, which does not exist (fairlead.dev/depends-on)',
  );
});

test('a cycle is refused, with its path', () => {
  const [a, b, c] = [app('a', 'b'), app('b', 'c'), app('c', 'a')];
  assert.equal(
    of(a, b, c).problem,
    'fairlead.dev/depends-on: the dependencies form a cycle: argocd/a → argocd/b → argocd/c → argocd/a: remove one of them',
  );
  assert.match(of(app('a', 'a')).problem ?? '', /argocd\/a → argocd\/a/u);
  assert.equal(of(app('x', 'a'), a, b, c).problem, undefined, 'not part of the cycle itself');
});

test('an Application cannot depend on one of another project', () => {
  const other = app('db', '', { spec: { project: 'other', destination: {} } });
  assert.match(of(app('web', 'db'), other).problem ?? '', /argocd\/db is not in project shop/u);
});
