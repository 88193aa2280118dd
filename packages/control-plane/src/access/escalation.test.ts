import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@fairlead/apimachinery';
import { bind, role, TestPolicy } from '../../test/support/access-policy.ts';
import type { Draft, User } from '../resource.ts';
import { createAuthorizer } from './authorizer.ts';
import { bootstrapPolicy } from './bootstrap.ts';
import { confirmNoEscalation } from './escalation.ts';
import type { RoleObject } from './policy-rules.ts';
import { aggregateRules } from './role-aggregation.ts';

const jane: User = { name: 'jane', groups: ['system:authenticated'] };
const reading = { verbs: ['get'], apiGroups: [''], resources: ['configmaps'] };
type Target = Parameters<typeof confirmNoEscalation>[1];

function attempt(policy: TestPolicy, resource: Target, draft: object, old?: object, user = jane): ApiError | undefined {
  try {
    confirmNoEscalation(createAuthorizer(policy), resource, draft as Draft, old as Draft | undefined, {
      user,
      operation: old ? 'update' : 'create',
    });
    return undefined;
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return error;
  }
}

const newRole = (...rules: object[]) => ({ metadata: { name: 'x', namespace: 'a' }, rules });
const newBinding = (kind: string, name: string) => ({
  metadata: { name: 'x', namespace: 'a' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
});

function reader(...extra: object[]): TestPolicy {
  const policy = role(new TestPolicy(), 'a/own', reading, ...extra);
  role(
    policy,
    'cluster-admin',
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    { verbs: ['*'], nonResourceURLs: ['*'] },
  );
  return bind(policy, 'a/b', 'Role own', { kind: 'User', name: 'jane' });
}

test('a user can grant permissions that it has', () => {
  assert.equal(attempt(reader(), 'roles', newRole(reading)), undefined);
  assert.equal(attempt(reader(), 'roles', newRole({ ...reading, resourceNames: ['one'] })), undefined);
  assert.equal(attempt(reader(), 'rolebindings', newBinding('Role', 'own')), undefined);
});

test('a user cannot grant more permissions than it has, and the error lists the missing ones', () => {
  const error = attempt(
    reader(),
    'roles',
    newRole(
      reading,
      { verbs: ['get', 'list'], apiGroups: [''], resources: ['secrets'] },
      { verbs: ['get'], apiGroups: ['apps'], resources: ['b'] },
    ),
  );
  assert.equal(
    error?.message,
    'roles.rbac.authorization.k8s.io "x" is forbidden: user "jane" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n' +
      '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}\n{APIGroups:["apps"], Resources:["b"], Verbs:["get"]}',
  );
  assert.deepEqual(error?.status.details, { name: 'x', group: 'rbac.authorization.k8s.io', kind: 'roles' });
  assert.match(
    attempt(reader(), 'rolebindings', newBinding('ClusterRole', 'cluster-admin'))?.message ?? '',
    /not currently held:\n\{APIGroups:\["\*"\], Resources:\["\*"\], Verbs:\["\*"\]\}\n\{NonResourceURLs:\["\*"\], Verbs:\["\*"\]\}$/,
  );
});

test('the verbs escalate and bind, and system:masters, bypass the check', () => {
  const group = 'rbac.authorization.k8s.io';
  const secrets = newRole({ verbs: ['get'], apiGroups: [''], resources: ['secrets'] });
  assert.equal(
    attempt(reader({ verbs: ['escalate'], apiGroups: [group], resources: ['roles'] }), 'roles', secrets),
    undefined,
  );
  const binder = reader({
    verbs: ['bind'],
    apiGroups: [group],
    resources: ['clusterroles'],
    resourceNames: ['cluster-admin'],
  });
  assert.equal(attempt(binder, 'rolebindings', newBinding('ClusterRole', 'cluster-admin')), undefined);
  assert.equal(attempt(reader(), 'roles', secrets, undefined, { name: 'root', groups: ['system:masters'] }), undefined);
});

test('a binding to a role that does not exist is not found', () => {
  assert.equal(attempt(reader(), 'rolebindings', newBinding('ClusterRole', 'gone'))?.code, 404);
});

test('an update of only finalizers and owners is not checked', () => {
  const old = newRole({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] });
  assert.equal(
    attempt(reader(), 'roles', { ...old, metadata: { ...old.metadata, finalizers: ['x/y'] } }, old),
    undefined,
  );
  assert.equal(
    attempt(reader(), 'roles', { ...old, metadata: { ...old.metadata, labels: { a: 'b' } } }, old)?.code,
    403,
  );
});

test('an aggregation rule needs all permissions', () => {
  const draft = {
    metadata: { name: 'x' },
    rules: [],
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
  };
  assert.match(attempt(reader(), 'clusterroles', draft)?.message ?? '', /must have cluster-admin privileges/);
});

test('the bootstrap policy grants discovery to everyone, and to namespace admins all permissions of editors and viewers', () => {
  const policy = new TestPolicy();
  for (const { resource, object } of bootstrapPolicy()) policy.put(resource, object);
  const roles = () => [...policy.find('rbac.authorization.k8s.io/clusterroles')] as RoleObject[];
  for (const name of ['view', 'edit', 'admin']) {
    const role = roles().find((r) => r.metadata.name === name)!;
    policy.put('rbac.authorization.k8s.io/clusterroles', {
      ...role,
      rules: aggregateRules(role, roles()),
    } as RoleObject);
  }
  bind(policy, 'a/jane', 'ClusterRole admin', { kind: 'User', name: 'jane' });
  const authorize = createAuthorizer(policy);
  const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
  assert.equal(authorize(anonymous, { verb: 'get', path: '/version' }).allowed, true);
  assert.equal(authorize(anonymous, { verb: 'get', path: '/api' }).allowed, false);
  assert.equal(authorize(jane, { verb: 'get', path: '/apis/apps/v1' }).allowed, true);
  const inA = (verb: string, group: string, resource: string, namespace = 'a') =>
    authorize(jane, { verb, group, resource, namespace }).allowed;
  assert.equal(inA('create', 'rbac.authorization.k8s.io', 'rolebindings'), true);
  assert.equal(inA('delete', 'apps', 'deployments'), true);
  assert.equal(inA('list', '', 'configmaps'), true);
  assert.equal(inA('list', '', 'configmaps', 'b'), false);
  assert.equal(inA('list', '', 'nodes', ''), false);
  const garbageCollector: User = { name: 'system:serviceaccount:kube-system:generic-garbage-collector', groups: [] };
  assert.equal(authorize(garbageCollector, { verb: 'delete', group: 'x.y', resource: 'z' }).allowed, true);
});
