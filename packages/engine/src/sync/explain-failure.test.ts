import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiError, type StatusReason } from '@fairlead/apimachinery';
import { explainFailure, isTransient } from './explain-failure.ts';

const cases: [code: number, reason: StatusReason, message: string, remedy: RegExp][] = [
  [
    422,
    'Invalid',
    'Deployment.apps "d" is invalid: spec.selector: Invalid value: {}: field is immutable',
    /Force=true/,
  ],
  [
    422,
    'Invalid',
    'StatefulSet.apps "s" is invalid: spec: Forbidden: updates to statefulset spec for fields other than x are forbidden',
    /Force=true/,
  ],
  [
    422,
    'Invalid',
    'Service "s" is invalid: spec.clusterIPs[0]: Invalid value: []: may not change once set',
    /Force=true/,
  ],
  [422, 'Invalid', 'RoleBinding "r" is invalid: roleRef: Invalid value: {}: cannot change roleRef', /Force=true/],
  [403, 'Forbidden', 'secrets is forbidden: User "x" cannot create resource "secrets"', /Role or ClusterRole/],
  [403, 'Forbidden', 'pods "p" is forbidden: exceeded quota: q', /ResourceQuota/],
  [
    403,
    'Forbidden',
    'configmaps "a" is forbidden: unable to create new content in namespace x because it is being terminated',
    /namespace is deleted, and sync again/,
  ],
  [404, 'NotFound', 'namespaces "x" not found', /CreateNamespace=true/],
  [422, 'Invalid', 'metadata.annotations: Too long: must have at most 262144 bytes', /ServerSideApply=true/],
  [400, 'BadRequest', 'strict decoding error: unknown field "spec.foo"', /correct the name/],
  [500, 'InternalError', '.spec.unknown: field not declared in schema', /correct the name/],
  [
    403,
    'Forbidden',
    'pods "p" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true',
    /enforce/,
  ],
  [403, 'Forbidden', 'admission webhook "a.example.com" denied the request: no latest tag', /webhook .* rejects/],
  [
    500,
    'InternalError',
    'Internal error occurred: failed calling webhook "a.example.com": dial tcp',
    /does not respond/,
  ],
  [
    422,
    'Invalid',
    "deployments.apps \"d\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: too many replicas",
    /ValidatingAdmissionPolicy of the cluster/,
  ],
  [
    403,
    'Forbidden',
    'pods "p" is forbidden: error looking up service account web/s: serviceaccount "s" not found',
    /ServiceAccount/,
  ],
  [403, 'Forbidden', 'pods "p" is forbidden: no PriorityClass with name high was found', /PriorityClass/],
  [403, 'Forbidden', 'pods "p" is forbidden: maximum cpu usage per Container is 2, but limit is 4', /LimitRange/],
  [
    403,
    'Forbidden',
    'roles.rbac.authorization.k8s.io "r" is forbidden: user "x" (groups=["g"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
    /escalate/,
  ],
  [
    422,
    'Invalid',
    'ConfigMap "a" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x"}',
    /being deleted: wait/,
  ],
  [409, 'AlreadyExists', 'object is being deleted: configmaps "a" already exists', /being deleted: wait/],
];
for (const [code, reason, message, remedy] of cases) {
  test(`a remedy for: ${message.slice(0, 60)}`, () => {
    const explained = explainFailure(apiError(code, reason, message));
    assert.ok(explained.startsWith(`${message}: `));
    assert.match(explained.slice(message.length), remedy);
  });
}

test('an error without a known remedy is reported unchanged, also if it is forbidden by something other than RBAC', () => {
  const other = 'pods "p" is forbidden: pod does not have "x" annotation';
  assert.equal(explainFailure(apiError(403, 'Forbidden', other)), other);
  assert.equal(explainFailure(apiError(409, 'AlreadyExists', 'it exists')), 'it exists');
  assert.equal(explainFailure(new Error('no route')), 'no route');
});

test('transient errors are distinguished from permanent ones', () => {
  assert.ok(isTransient(apiError(503, 'ServiceUnavailable', 'busy')));
  assert.ok(isTransient(apiError(429, 'TooManyRequests', 'busy')));
  assert.ok(isTransient(Object.assign(new Error('reset'), { retriable: true })));
  assert.ok(isTransient(new Error('request timed out')));
  assert.ok(!isTransient(apiError(422, 'Invalid', 'no')));
  assert.ok(!isTransient(new TypeError('x is undefined')));
  assert.ok(!isTransient(Object.assign(new Error('gone'), { retriable: false })));
});
