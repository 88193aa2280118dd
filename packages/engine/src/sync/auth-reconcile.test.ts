import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonObject, type KubeObject, listAt, unstructured } from '@fairlead/apimachinery';
import { authReconcile, isRbac } from './auth-reconcile.ts';

const group = 'rbac.authorization.k8s.io';
const role = (rules: JsonObject[], metadata: JsonObject = {}, kind = 'ClusterRole'): KubeObject =>
  unstructured({ apiVersion: `${group}/v1`, kind, metadata: { name: 'r', ...metadata }, rules });
const binding = (
  subjects: JsonObject[],
  roleRef: JsonObject = { apiGroup: group, kind: 'Role', name: 'r' },
): KubeObject =>
  unstructured({ apiVersion: `${group}/v1`, kind: 'RoleBinding', metadata: { name: 'b' }, roleRef, subjects });
const pods = { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] };

test('only the four RBAC kinds of v1 are reconciled', () => {
  assert.ok(isRbac(role([])));
  assert.ok(isRbac(binding([])));
  assert.ok(!isRbac({ ...role([]), apiVersion: `${group}/v1beta1` }));
  assert.ok(!isRbac({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }));
});

test('the rules of a new role are listed in their order', () => {
  const urls = { nonResourceURLs: ['/metrics'], verbs: ['get'] };
  assert.deepEqual(authReconcile(role([pods, urls]), undefined), {
    operation: 'create',
    object: role([pods, urls]),
    report: [
      'reconciled. reconciliation required create',
      '\tmissing rules added:',
      '\t\t{Verbs:[get list] APIGroups:[] Resources:[pods] ResourceNames:[] NonResourceURLs:[]}',
      '\t\t{Verbs:[get] APIGroups:[] Resources:[] ResourceNames:[] NonResourceURLs:[/metrics]}',
    ].join('\n'),
  });
  assert.equal(authReconcile(role([]), undefined).report, 'reconciled. reconciliation required create');
});

test('missing permissions are added one by one, and no permission is removed', () => {
  const secrets = { apiGroups: [''], resources: ['secrets'], verbs: ['get'] };
  const { operation, object, report } = authReconcile(role([pods]), role([secrets, { ...pods, verbs: ['list'] }]));
  assert.equal(operation, 'update');
  assert.deepEqual(listAt(object, 'rules'), [
    secrets,
    { ...pods, verbs: ['list'] },
    { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
  ]);
  assert.equal(
    report,
    'reconciled. reconciliation required update\n\tmissing rules added:\n\t\t{Verbs:[get] APIGroups:[] Resources:[pods] ResourceNames:[] NonResourceURLs:[]}',
  );
});

test('permissions that a wildcard covers are not missing', () => {
  const everything = { apiGroups: ['*'], resources: ['*'], verbs: ['*'] };
  assert.deepEqual(authReconcile(role([pods]), role([everything])), {
    operation: 'none',
    object: role([everything]),
    report: 'reconciled',
  });
});

test('a missing label is added; one with another value is changed by the apply', () => {
  const desired = role([pods], { labels: { a: '1', b: '2' } });
  const added = authReconcile(desired, role([pods], { labels: { a: 'theirs' } }));
  assert.equal(added.report, 'reconciled. reconciliation required update');
  assert.deepEqual(added.object.metadata.labels, { a: 'theirs', b: '2' });
  assert.equal(authReconcile(desired, role([pods], { labels: { a: 'theirs', b: '2' } })).operation, 'none');
});

test('selectors of an aggregated role are added', () => {
  const aggregated = (...names: string[]): KubeObject =>
    unstructured({
      ...role([]),
      aggregationRule: { clusterRoleSelectors: names.map((name) => ({ matchLabels: { [name]: 'true' } })) },
    });
  const { operation, object } = authReconcile(aggregated('a', 'b'), aggregated('a', 'c'));
  assert.equal(operation, 'update');
  assert.equal(listAt(object, 'aggregationRule', 'clusterRoleSelectors').length, 3);
});

test('subjects are compared literally', () => {
  const written = { kind: 'Group', name: 'team' };
  const { operation, report } = authReconcile(binding([written]), binding([{ ...written, apiGroup: group }]));
  assert.equal(operation, 'update');
  assert.match(report, /missing subjects added:\n\t\t\{Kind:Group APIGroup: Name:team Namespace:\}$/);
});

test('a binding to another role is recreated; an absent apiGroup is another role', () => {
  for (const roleRef of [
    { apiGroup: group, kind: 'Role', name: 'other' },
    { kind: 'Role', name: 'r' },
  ]) {
    const { operation, report } = authReconcile(binding([], roleRef), binding([]));
    assert.equal(operation, 'recreate');
    assert.equal(report, 'reconciled. reconciliation required recreate');
  }
});

test('an object that opted out is not reconciled', () => {
  const live = role([], { annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false' } });
  const { operation, object, report } = authReconcile(role([pods]), live);
  assert.deepEqual([operation, object], ['none', live]);
  assert.match(report, /^reconciled\. reconciliation required update, but object opted out/);
});
