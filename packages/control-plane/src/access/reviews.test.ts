import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, type JsonObject } from '@fairlead/apimachinery';
import { bind, role, TestPolicy } from '../../test/support/access-policy.ts';
import type { Draft, ReviewResource, User } from '../resource.ts';
import { createAuthenticator } from './authenticator.ts';
import { createAuthorizer } from './authorizer.ts';
import { reviewResources } from './reviews.ts';

const audiences = ['https://kubernetes.default.svc'];
const jane: User = { name: 'jane', groups: ['system:authenticated'] };

function reviews(): Map<string, ReviewResource> {
  const policy = role(new TestPolicy(), 'a/r', { verbs: ['get'], apiGroups: [''], resources: ['configmaps'] });
  bind(policy, 'a/b', 'Role r', { kind: 'User', name: 'jane' });
  const authenticate = createAuthenticator({
    tokens: new Map([['tok', { name: 'admin', uid: 'admin', groups: ['system:masters'] }]]),
    audiences,
  });
  const schemaOf = () => ({ type: 'object', fields: new Map() }) as const;
  return new Map(
    reviewResources({ authorize: createAuthorizer(policy), authenticate, schemaOf }).map((r) => [r.kind, r]),
  );
}

function ask(kind: string, body: JsonObject, namespace = ''): JsonObject {
  const context = { user: jane, clock: { now: () => 0, after: () => () => {} }, namespace };
  const review = reviews().get(kind)!;
  return review.create({ metadata: {}, ...body } as unknown as Draft, context as never) as unknown as JsonObject;
}

const configmaps = { verb: 'get', namespace: 'a', resource: 'configmaps' };
const reason = 'RBAC: allowed by RoleBinding "b/a" of Role "r" to User "jane"';

test('access reviews are evaluated for the given user, or the caller', () => {
  assert.deepEqual(ask('SubjectAccessReview', { spec: { user: 'jane', resourceAttributes: configmaps } }), {
    kind: 'SubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec: { user: 'jane', resourceAttributes: configmaps },
    status: { allowed: true, reason },
  });
  const status = (kind: string, spec: JsonObject, namespace?: string) => ask(kind, { spec }, namespace).status;
  assert.deepEqual(status('SubjectAccessReview', { user: 'bob', resourceAttributes: configmaps }), { allowed: false });
  assert.deepEqual(status('SelfSubjectAccessReview', { resourceAttributes: configmaps }), { allowed: true, reason });
  assert.deepEqual(status('SelfSubjectAccessReview', { nonResourceAttributes: { path: '/x', verb: 'get' } }), {
    allowed: false,
  });
  assert.deepEqual(status('LocalSubjectAccessReview', { user: 'jane', resourceAttributes: configmaps }, 'a'), {
    allowed: true,
    reason,
  });
});

test('an invalid review is refused', () => {
  const causes = (kind: string, body: JsonObject, namespace?: string) => {
    try {
      ask(kind, body, namespace);
    } catch (error) {
      assert.ok(error instanceof ApiError);
      return error.status.details?.causes?.map((c) => c.field);
    }
    return [];
  };
  assert.deepEqual(causes('SubjectAccessReview', { spec: { resourceAttributes: configmaps } }), ['spec.user']);
  assert.deepEqual(causes('SubjectAccessReview', { spec: { user: 'u' } }), ['spec.resourceAttributes']);
  assert.deepEqual(
    causes('SelfSubjectAccessReview', {
      spec: { resourceAttributes: configmaps, nonResourceAttributes: { path: '/' } },
    }),
    ['spec.nonResourceAttributes'],
  );
  assert.deepEqual(
    causes('SelfSubjectAccessReview', { metadata: { name: 'x' }, spec: { resourceAttributes: configmaps } }),
    ['metadata'],
  );
  assert.deepEqual(
    causes(
      'LocalSubjectAccessReview',
      { metadata: { namespace: 'b' }, spec: { user: 'u', resourceAttributes: configmaps } },
      'b',
    ),
    ['spec.resourceAttributes.namespace'],
  );
});

test('a TokenReview returns the user of the token', () => {
  assert.deepEqual(ask('TokenReview', { spec: { token: 'tok' } }).status, {
    authenticated: true,
    user: { username: 'admin', uid: 'admin', groups: ['system:masters', 'system:authenticated'] },
    audiences,
  });
  assert.deepEqual(ask('TokenReview', { spec: { token: 'wrong' } }).status, {
    user: {},
    error: 'invalid bearer token',
  });
  assert.throws(() => ask('TokenReview', { spec: {} }), /token is required for TokenReview in authentication/);
});

test('SelfSubjectReview returns the caller, SelfSubjectRulesReview its permissions in a namespace', () => {
  assert.deepEqual(ask('SelfSubjectReview', {}).status, {
    userInfo: { username: 'jane', groups: ['system:authenticated'] },
  });
  assert.deepEqual(ask('SelfSubjectRulesReview', { spec: { namespace: 'a' } }).status, {
    resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }],
    nonResourceRules: [],
    incomplete: false,
  });
  assert.throws(() => ask('SelfSubjectRulesReview', { spec: {} }), /no namespace on request/);
});

test('selectors of a review are parsed as strictly as those of a request, except for operators', () => {
  const causes = (attributes: JsonObject): string[] => {
    try {
      ask('SelfSubjectAccessReview', { spec: { resourceAttributes: { ...configmaps, ...attributes } } });
      return [];
    } catch (error) {
      assert.ok(error instanceof ApiError);
      return (error.status.details?.causes ?? []).map(({ reason, field }) => `${reason} ${field}`);
    }
  };
  const at = 'spec.resourceAttributes';
  assert.deepEqual(causes({ fieldSelector: { requirements: [{ operator: 'In' }] } }), [
    `FieldValueRequired ${at}.fieldSelector.requirements[0].key`,
    `FieldValueRequired ${at}.fieldSelector.requirements[0].values`,
  ]);
  assert.deepEqual(causes({ labelSelector: { requirements: [{ key: 'a b', operator: 'Exists', values: ['x'] }] } }), [
    `FieldValueForbidden ${at}.labelSelector.requirements[0].values`,
    `FieldValueInvalid ${at}.labelSelector.requirements[0].key`,
  ]);
  assert.deepEqual(causes({ labelSelector: { requirements: [{ key: 'a', operator: 'Near' }] } }), []);
  assert.deepEqual(causes({ fieldSelector: { requirements: [{ key: 'a b', operator: 'In', values: ['!'] }] } }), []);
});
