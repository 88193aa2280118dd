import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bind, role, TestPolicy } from '../../test/support/access-policy.ts';
import { type Attributes, forbiddenError } from './attributes.ts';
import { createAuthorizer } from './authorizer.ts';

const jane = { name: 'jane', groups: ['team', 'system:authenticated'] };
const user = (name: string) => ({ kind: 'User', name });
const on = (verb: string, resource: string, rest: Partial<Attributes> = {}): Attributes =>
  ({ verb, group: '', resource, namespace: 'a', ...rest }) as Attributes;

test('a rule allows its verbs, groups, resources and names', () => {
  const cases: [rule: object, attributes: Attributes, allowed: boolean][] = [
    [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }, on('get', 'pods'), true],
    [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }, on('list', 'pods'), false],
    [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }, on('get', 'pods', { group: 'apps' }), false],
    [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, on('use', 'x', { group: 'y', subresource: 'z' }), true],
    [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }, on('get', 'pods', { subresource: 'log' }), false],
    [{ verbs: ['get'], apiGroups: [''], resources: ['pods/log'] }, on('get', 'pods', { subresource: 'log' }), true],
    [{ verbs: ['get'], apiGroups: [''], resources: ['*/log'] }, on('get', 'pods', { subresource: 'log' }), true],
    [{ verbs: ['get'], apiGroups: [''], resources: ['*/log'] }, on('get', 'pods'), false],
    [
      { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['a'] },
      on('get', 'pods', { name: 'a' }),
      true,
    ],
    [
      { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['a'] },
      on('get', 'pods', { name: 'b' }),
      false,
    ],
    [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['a'] }, on('get', 'pods'), false],
    [{ verbs: ['get'], nonResourceURLs: ['/logs/*'] }, { verb: 'get', path: '/logs/x/y' }, true],
    [{ verbs: ['get'], nonResourceURLs: ['/logs/*'] }, { verb: 'get', path: '/log' }, false],
    [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }, { verb: 'post', path: '/metrics' }, false],
    [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, { verb: 'get', path: '/metrics' }, false],
  ];
  for (const [rule, attributes, allowed] of cases) {
    const policy = role(new TestPolicy(), 'r', rule);
    bind(policy, 'b', 'ClusterRole r', user('jane'));
    assert.equal(createAuthorizer(policy)(jane, attributes).allowed, allowed, JSON.stringify([rule, attributes]));
  }
});

test('a binding applies to users, groups and service accounts, and the reason names it', () => {
  const reading = { verbs: ['get'], apiGroups: [''], resources: ['configmaps'] };
  const cases: [subject: object, who: string, groups: string[], reason: string][] = [
    [user('jane'), 'jane', [], 'RBAC: allowed by RoleBinding "b/a" of Role "r" to User "jane"'],
    [{ kind: 'Group', name: 'team' }, 'x', ['team'], 'RBAC: allowed by RoleBinding "b/a" of Role "r" to Group "team"'],
    [
      { kind: 'ServiceAccount', name: 'robot', namespace: 'b' },
      'system:serviceaccount:b:robot',
      [],
      'RBAC: allowed by RoleBinding "b/a" of Role "r" to ServiceAccount "robot/b"',
    ],
    [
      { kind: 'ServiceAccount', name: 'robot' },
      'system:serviceaccount:a:robot',
      [],
      'RBAC: allowed by RoleBinding "b/a" of Role "r" to ServiceAccount "robot/a"',
    ],
  ];
  for (const [subject, name, groups, reason] of cases) {
    const policy = bind(role(new TestPolicy(), 'a/r', reading), 'a/b', 'Role r', subject);
    const authorize = createAuthorizer(policy);
    assert.deepEqual(authorize({ name, groups }, on('get', 'configmaps')), { allowed: true, reason });
    assert.deepEqual(authorize({ name, groups }, on('get', 'configmaps', { namespace: 'other' })), {
      allowed: false,
      reason: '',
    });
    assert.equal(authorize({ name: 'other', groups: [] }, on('get', 'configmaps')).allowed, false);
  }
});

test('a ClusterRole bound in a namespace applies there only, without its non-resource URLs', () => {
  const policy = role(
    new TestPolicy(),
    'cr',
    { verbs: ['get'], apiGroups: [''], resources: ['configmaps'] },
    { verbs: ['get'], nonResourceURLs: ['/metrics'] },
  );
  bind(policy, 'a/b', 'ClusterRole cr', user('jane'));
  const authorize = createAuthorizer(policy);
  assert.equal(authorize(jane, on('get', 'configmaps')).allowed, true);
  assert.equal(authorize(jane, on('get', 'configmaps', { namespace: 'b' })).allowed, false);
  assert.equal(authorize(jane, { verb: 'get', path: '/metrics' }).allowed, false);
});

test('a removed binding removes access, a new one grants it, at once', () => {
  const policy = role(new TestPolicy(), 'a/r', { verbs: ['get'], apiGroups: [''], resources: ['pods'] });
  const authorize = createAuthorizer(policy);
  assert.equal(authorize(jane, on('get', 'pods')).allowed, false);
  bind(policy, 'a/b', 'Role r', { kind: 'Group', name: 'team' });
  assert.equal(authorize(jane, on('get', 'pods')).allowed, true);
  policy.remove('rbac.authorization.k8s.io/rolebindings', 'a', 'b');
  assert.equal(authorize(jane, on('get', 'pods')).allowed, false);
});

test('system:masters is always allowed; a binding to a missing role is reported', () => {
  const policy = bind(new TestPolicy(), 'b', 'ClusterRole gone', user('jane'));
  const authorize = createAuthorizer(policy);
  assert.deepEqual(authorize({ name: 'root', groups: ['system:masters'] }, on('use', 'nonsense')), {
    allowed: true,
    reason: '',
  });
  const decision = authorize(jane, on('get', 'pods'));
  assert.deepEqual(decision, {
    allowed: false,
    reason: 'RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found',
  });
});

test('a user that a binding names twice is matched by the first subject', () => {
  const policy = role(new TestPolicy(), 'r', { verbs: ['get'], apiGroups: [''], resources: ['pods'] });
  bind(policy, 'b', 'ClusterRole r', { kind: 'Group', name: 'team' }, user('jane'));
  const authorize = createAuthorizer(policy);
  assert.match(authorize(jane, on('get', 'pods')).reason, /to Group "team"$/);
  assert.equal(authorize.grants(jane, '').grants.length, 1);
});

test('a forbidden request gets the same message as in kube-apiserver', () => {
  const cases: [Attributes, string, object][] = [
    [
      on('list', 'configmaps'),
      'configmaps is forbidden: User "jane" cannot list resource "configmaps" in API group "" in the namespace "a"',
      { kind: 'configmaps' },
    ],
    [
      { verb: 'get', group: 'apps', resource: 'deployments', subresource: 'scale', name: 'web', namespace: 'a' },
      'deployments.apps "web" is forbidden: User "jane" cannot get resource "deployments/scale" in API group "apps" in the namespace "a"',
      { name: 'web', group: 'apps', kind: 'deployments' },
    ],
    [
      { verb: 'list', group: '', resource: 'nodes' },
      'nodes is forbidden: User "jane" cannot list resource "nodes" in API group "" at the cluster scope',
      { kind: 'nodes' },
    ],
    [{ verb: 'get', path: '/metrics' }, 'forbidden: User "jane" cannot get path "/metrics"', {}],
  ];
  for (const [attributes, message, details] of cases) {
    const { status } = forbiddenError(jane, attributes);
    assert.equal(status.message, message);
    assert.deepEqual(status.details, details);
    assert.equal(status.code, 403);
  }
  assert.match(forbiddenError(jane, on('get', 'pods'), 'RBAC: why').message, /in the namespace "a": RBAC: why$/);
});
