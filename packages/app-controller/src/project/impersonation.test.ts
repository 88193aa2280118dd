import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application, AppProject } from '@fairlead/api';
import { actorOf } from './impersonation.ts';

const project = (destinationServiceAccounts: AppProject['spec']['destinationServiceAccounts']): AppProject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'shop' },
  spec: destinationServiceAccounts ? { destinationServiceAccounts } : {},
});
const application = (namespace?: string): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'shop', namespace: 'argocd' },
  spec: { project: 'shop', destination: { server: 'https://prod', ...(namespace === undefined ? {} : { namespace }) } },
});
const cluster = { server: 'https://prod', name: 'prod' };
const deployer = project([
  { server: 'https://other', namespace: '*', defaultServiceAccount: 'other' },
  { server: '*', namespace: 'we*', defaultServiceAccount: 'deployer' },
  { server: '*', namespace: 'web', defaultServiceAccount: 'second' },
]);
const enforced = { enabled: true, enforced: true };

test('service accounts of a project are ignored unless impersonation is on', () => {
  assert.deepEqual(actorOf({ enabled: false, enforced: true }, deployer, cluster, application('web')), {});
  assert.deepEqual(actorOf(undefined, deployer, cluster, application('web')), {});
});

test('the first entry that matches server and namespace of the destination gives the service account', () => {
  const user = (rules: AppProject, namespace?: string) =>
    actorOf(enforced, rules, cluster, application(namespace)).user;
  assert.equal(user(deployer, 'web'), 'system:serviceaccount:web:deployer');
  const account = (name: string) => project([{ server: '*', namespace: '*', defaultServiceAccount: name }]);
  assert.equal(user(account('ops:deployer'), 'web'), 'system:serviceaccount:ops:deployer');
  assert.equal(user(account('deployer')), 'system:serviceaccount:argocd:deployer', 'without a destination namespace');
});

test('a destination without a service account is refused, unless that is not enforced', () => {
  const none = 'no matching service account found for destination server https://prod and namespace mail';
  assert.deepEqual(actorOf(enforced, deployer, cluster, application('mail')), { problem: none });
  assert.deepEqual(actorOf(enforced, project(undefined), cluster, application('mail')), { problem: none });
  assert.deepEqual(actorOf({ enabled: true, enforced: false }, deployer, cluster, application('mail')), {});
});

test('an invalid entry is refused even if nothing is enforced', () => {
  const problem = (entry: { server: string; defaultServiceAccount: string }) =>
    actorOf({ enabled: true, enforced: false }, project([{ namespace: '*', ...entry }]), cluster, application('web'))
      .problem ?? '';
  for (const name of ['', ' ', 'a*', 'a/b', '{a}']) {
    assert.equal(
      problem({ server: '*', defaultServiceAccount: name }),
      `failed to derive service account to impersonate: default service account contains invalid chars '${name}'`,
    );
  }
  assert.match(problem({ server: '[', defaultServiceAccount: 'a' }), /invalid glob pattern for destination server: /);
});
