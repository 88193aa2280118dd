import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppProject } from '@fairlead/api';
import { impersonationProblem } from './impersonation.ts';

const project = (destinationServiceAccounts: AppProject['spec']['destinationServiceAccounts']): AppProject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'shop' },
  spec: destinationServiceAccounts ? { destinationServiceAccounts } : {},
});
const cluster = { server: 'https://prod', name: 'prod' };
const deployer = project([{ server: '*', namespace: 'we*', defaultServiceAccount: 'deployer' }]);

test('service accounts of a project are ignored unless impersonation is on', () => {
  assert.equal(impersonationProblem({ enabled: false, enforced: true }, deployer, cluster, 'web'), undefined);
});

test('with impersonation, a sync that would need a service account does not run as the controller', () => {
  const problem = (rules: AppProject, namespace: string, enforced = true) =>
    impersonationProblem({ enabled: true, enforced }, rules, cluster, namespace);
  assert.match(problem(deployer, 'web') ?? '', /service account deployer, and impersonation is not supported/);
  assert.match(problem(deployer, 'web', false) ?? '', /impersonation is not supported/);
  const none = 'no matching service account found for destination server https://prod and namespace mail';
  assert.equal(problem(deployer, 'mail'), none);
  assert.equal(problem(project(undefined), 'mail'), none);
  assert.equal(problem(deployer, 'mail', false), undefined, 'not enforced');
});
