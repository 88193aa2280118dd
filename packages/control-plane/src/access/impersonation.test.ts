import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@fairlead/apimachinery';
import { bind, role, TestPolicy } from '../../test/support/access-policy.ts';
import type { User } from '../resource.ts';
import type { Attributes } from './attributes.ts';
import { createAuthorizer } from './authorizer.ts';
import { actingUser, type RequestHeaders } from './impersonation.ts';

const root: User = { name: 'root', groups: ['system:masters'] };
const listing: Attributes = { verb: 'list', group: '', resource: 'configmaps', namespace: 'a' };

const act = (headers: RequestHeaders, requestor = root, policy = new TestPolicy()): User =>
  actingUser(createAuthorizer(policy), requestor, headers, listing);

test('the headers give a user with the groups of such a user', () => {
  const cases: [RequestHeaders, User][] = [
    [{}, root],
    [{ 'impersonate-user': ['jane'] }, { name: 'jane', groups: ['system:authenticated'] }],
    [
      {
        'impersonate-user': ['jane'],
        'impersonate-group': ['g1', 'g2'],
        'impersonate-uid': ['u-1'],
        'impersonate-extra-scopes': ['read'],
      },
      { name: 'jane', uid: 'u-1', groups: ['g1', 'g2', 'system:authenticated'], extra: { scopes: ['read'] } },
    ],
    [
      { 'impersonate-user': ['system:serviceaccount:a:robot'] },
      {
        name: 'system:serviceaccount:a:robot',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:a', 'system:authenticated'],
      },
    ],
    [{ 'impersonate-user': ['system:anonymous'] }, { name: 'system:anonymous', groups: ['system:unauthenticated'] }],
    [
      { 'impersonate-user': ['jane'], 'impersonate-group': ['system:masters'] },
      { name: 'jane', groups: ['system:masters', 'system:authenticated'] },
    ],
    [
      { 'impersonate-user': ['jane'], 'impersonate-extra-example.com%2fscope': ['a', 'b'] },
      { name: 'jane', groups: ['system:authenticated'], extra: { 'example.com/scope': ['a', 'b'] } },
    ],
  ];
  for (const [headers, expected] of cases) assert.deepEqual(act(headers), expected);
});

test('groups or extras without a user name are a bad request', () => {
  for (const headers of [
    { 'impersonate-group': ['g'] },
    { 'impersonate-uid': ['u'] },
    { 'impersonate-extra-x': ['y'] },
  ])
    assert.throws(
      () => act(headers),
      (error: unknown) => error instanceof ApiError && error.code === 400,
    );
});

test('a forbidden impersonation reports the narrowest permission that would have sufficed', () => {
  const jane: User = { name: 'jane', groups: [] };
  assert.throws(
    () => act({ 'impersonate-user': ['bob'] }, jane),
    /configmaps is forbidden: User "jane" cannot impersonate-on:user-info:list resource "configmaps" in API group "" in the namespace "a"/,
  );
});

test('the verb impersonate allows exactly the users and groups that it names', () => {
  const jane: User = { name: 'jane', groups: [] };
  const policy = role(new TestPolicy(), 'r', {
    verbs: ['impersonate'],
    apiGroups: [''],
    resources: ['users'],
    resourceNames: ['bob'],
  });
  bind(policy, 'b', 'ClusterRole r', { kind: 'User', name: 'jane' });
  assert.equal(act({ 'impersonate-user': ['bob'] }, jane, policy).name, 'bob');
  assert.throws(() => act({ 'impersonate-user': ['eve'] }, jane, policy));
  assert.throws(() => act({ 'impersonate-user': ['bob'], 'impersonate-group': ['g'] }, jane, policy));
});

test('constrained impersonation needs both the user and the verb, and never gives system:masters', () => {
  const jane: User = { name: 'jane', groups: [] };
  const policy = role(
    new TestPolicy(),
    'r',
    { verbs: ['impersonate:user-info'], apiGroups: ['authentication.k8s.io'], resources: ['users', 'groups'] },
    { verbs: ['impersonate-on:user-info:list'], apiGroups: [''], resources: ['configmaps'] },
  );
  bind(policy, 'b', 'ClusterRole r', { kind: 'User', name: 'jane' });
  const authorize = createAuthorizer(policy);
  const headers = { 'impersonate-user': ['bob'] };
  assert.equal(actingUser(authorize, jane, headers, listing).name, 'bob');
  assert.throws(() => actingUser(authorize, jane, headers, { ...listing, verb: 'get' }));
  assert.throws(
    () => actingUser(authorize, jane, { ...headers, 'impersonate-group': ['system:masters'] }, listing),
    /impersonating the system:masters group is not allowed/,
  );
});
