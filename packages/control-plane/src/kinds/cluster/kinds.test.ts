import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@fairlead/apimachinery';
import { create, findings, update } from '../../../test/support/kind-harness.ts';

const object = (apiVersion: string, kind: string, fields: object, name = 'x') => ({
  apiVersion,
  kind,
  metadata: { name },
  ...fields,
});
const networking = 'networking.k8s.io/v1';
const rbac = 'rbac.authorization.k8s.io/v1';
const backend = { service: { name: 'w', port: { number: 80 } } };
const reviewed = { sideEffects: 'None', admissionReviewVersions: ['v1'] };

/** [what, object, findings] */
const cases: [string, object, string[]][] = [
  ['an ingress without rules', object(networking, 'Ingress', { spec: {} }), ['Invalid spec']],
  [
    'an ingress whose path climbs',
    object(networking, 'Ingress', {
      spec: { rules: [{ http: { paths: [{ path: '/a/../b', pathType: 'Prefix', backend }] } }] },
    }),
    ['Invalid spec.rules[0].http.paths[0].path'],
  ],
  [
    'an ingress path without a type',
    object(networking, 'Ingress', { spec: { rules: [{ http: { paths: [{ backend, pathType: null }] } }] } }),
    ['Required spec.rules[0].http.paths[0].pathType'],
  ],
  [
    'a class with parameters in no namespace',
    object(networking, 'IngressClass', {
      spec: { controller: 'a.b/c', parameters: { kind: 'K', name: 'n', scope: 'Namespace' } },
    }),
    ['Required spec.parameters.namespace'],
  ],
  [
    'a policy with an exception outside its block',
    object(networking, 'NetworkPolicy', {
      spec: { ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] } }] }] },
    }),
    ['Invalid spec.ingress[0].from[0].ipBlock.except[0]'],
  ],
  [
    'a slice without addresses',
    object('discovery.k8s.io/v1', 'EndpointSlice', { addressType: 'IPv4', endpoints: [{ addresses: null }] }),
    ['Required endpoints[0].addresses'],
  ],
  [
    'a slice of the other family',
    object('discovery.k8s.io/v1', 'EndpointSlice', { addressType: 'IPv6', endpoints: [{ addresses: ['10.0.0.1'] }] }),
    ['Invalid endpoints[0].addresses'],
  ],
  [
    'a budget with both sides',
    object('policy/v1', 'PodDisruptionBudget', { spec: { minAvailable: 1, maxUnavailable: '101%' } }),
    ['Invalid spec', 'Invalid spec.maxUnavailable'],
  ],
  [
    'a rule for URLs in a namespace',
    object(rbac, 'Role', { rules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }] }),
    ['Invalid rules[0].nonResourceURLs'],
  ],
  [
    'a cluster-wide binding of an account without a namespace, to a role',
    object(rbac, 'ClusterRoleBinding', {
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [{ kind: 'ServiceAccount', name: 'a' }],
    }),
    ['NotSupported roleRef.kind', 'Required subjects[0].namespace'],
  ],
  ['a role with a colon in its name', object(rbac, 'Role', { rules: null }, 'system:x'), []],
  [
    'a lease of no time',
    object('coordination.k8s.io/v1', 'Lease', { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } }),
    ['Invalid spec.leaseDurationSeconds', 'Invalid spec.leaseTransitions'],
  ],
  [
    'an autoscaler with a metric of another type',
    object('autoscaling/v2', 'HorizontalPodAutoscaler', {
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'w' },
        maxReplicas: 2,
        metrics: [{ type: 'Pods', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 1 } } }],
      },
    }),
    ['Required spec.metrics[0].pods'],
  ],
  [
    'an autoscaler of the old version speaks of the fields of the new',
    object('autoscaling/v1', 'HorizontalPodAutoscaler', {
      spec: { scaleTargetRef: { kind: 'X', name: 'w' }, maxReplicas: 1, targetCPUUtilizationPercentage: 0 },
    }),
    ['Invalid spec.scaleTargetRef.apiVersion', 'Invalid spec.metrics[0].resource.target.averageUtilization'],
  ],
  [
    'a class above all others',
    object('scheduling.k8s.io/v1', 'PriorityClass', { value: 1_000_000_001 }),
    ['Forbidden value'],
  ],
  ['a runtime class without a handler', object('node.k8s.io/v1', 'RuntimeClass', {}), ['Required handler']],
  [
    'a webhook over plain HTTP',
    object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', {
      webhooks: [{ name: 'a.b.c', clientConfig: { url: 'http://h/p' }, ...reviewed }],
    }),
    ['Invalid webhooks[0].clientConfig.url'],
  ],
  [
    'a webhook without sideEffects',
    object('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', {
      webhooks: [{ name: 'a.b.c', clientConfig: { service: { name: 's', namespace: 'n' } }, sideEffects: null }],
    }),
    ['Required webhooks[0].sideEffects', 'Required webhooks[0].admissionReviewVersions'],
  ],
  [
    'a flow without subjects',
    object('flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', {
      spec: { priorityLevelConfiguration: { name: 'l' }, rules: [{ subjects: null }] },
    }),
    ['Required spec.rules[0].subjects', 'Required spec.rules[0]'],
  ],
  [
    'an old event about another namespace',
    object('v1', 'Event', { involvedObject: { namespace: 'other' } }),
    ['Invalid involvedObject.namespace'],
  ],
  [
    'an aggregated API under a wrong name',
    object('apiregistration.k8s.io/v1', 'APIService', {
      spec: { group: 'a.b', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
    }),
    ['Invalid metadata.name'],
  ],
  [
    'a certificate without usages',
    object('certificates.k8s.io/v1', 'CertificateSigningRequest', {
      spec: { signerName: 'a/b', usages: ['any', 'any'] },
    }),
    ['Invalid spec.request', 'Duplicate spec.usages[1]', 'Invalid spec.signerName'],
  ],
];
for (const [what, given, expected] of cases) {
  test(`${what}: ${expected.join(', ') || 'valid'}`, () => {
    assert.deepEqual(
      findings(create(given)).filter((finding) => finding !== 'Forbidden metadata.namespace'),
      expected,
    );
  });
}

test('an Ingress gets the default class unless it specifies one by field or annotation', () => {
  const ingressClass = {
    metadata: { name: 'std', annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
  };
  const stored = { 'networking.k8s.io/ingressclasses': [ingressClass] };
  const ingress = object(networking, 'Ingress', { spec: { defaultBackend: backend } });
  assert.equal(create(ingress, { stored }).object.spec['ingressClassName'], 'std');
  const annotated = { ...ingress, metadata: { name: 'x', annotations: { 'kubernetes.io/ingress.class': 'own' } } };
  const result = create(annotated, { stored });
  assert.equal(result.object.spec['ingressClassName'], undefined);
  assert.equal(result.warnings.length, 1);
});

test('a NetworkPolicy with egress rules has both policy types', () => {
  const policy = (spec: object) => create(object(networking, 'NetworkPolicy', { spec })).object.spec['policyTypes'];
  assert.deepEqual(policy({ podSelector: {} }), ['Ingress']);
  assert.deepEqual(policy({ podSelector: {}, egress: [{}] }), ['Ingress', 'Egress']);
});

test('a HorizontalPodAutoscaler scales by CPU and with policies by default', () => {
  const spec = {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'D', name: 'w' },
    maxReplicas: 2,
    behavior: { scaleDown: { selectPolicy: 'Min' } },
  };
  const { object: made, errors } = create(object('autoscaling/v2', 'HorizontalPodAutoscaler', { spec }));
  assert.deepEqual(errors, []);
  assert.equal(made.spec['minReplicas'], 1);
  assert.deepEqual(made.spec['metrics'], [
    { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
  ]);
  const behavior = made.spec['behavior'] as Record<string, { selectPolicy: string; policies: unknown[] }>;
  assert.equal(behavior['scaleDown']?.selectPolicy, 'Min');
  assert.equal(behavior['scaleUp']?.policies.length, 2);
});

test('the roleRef of a binding is immutable', () => {
  const roleRef = { kind: 'Role', name: 'a' };
  const { object: made } = create(object(rbac, 'RoleBinding', { roleRef, subjects: [{ kind: 'User', name: 'u' }] }));
  const moved = update(made, (next) => Object.assign(next, { roleRef: { ...(next['roleRef'] as object), name: 'b' } }));
  assert.equal(
    moved.errors[0]?.message,
    'Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"b"}: cannot change roleRef',
  );
});

test('there is one default PriorityClass', () => {
  const other = { metadata: { name: 'first' }, value: 1, globalDefault: true };
  const second = object('scheduling.k8s.io/v1', 'PriorityClass', { value: 2, globalDefault: true });
  assert.throws(
    () => create(second, { stored: { 'scheduling.k8s.io/priorityclasses': [other] } }),
    (error) =>
      error instanceof ApiError && error.code === 403 && /first is already marked as default/.test(error.message),
  );
});

test('a new event requires its new fields, and only its series changes', () => {
  const event = {
    regarding: { namespace: 'default' },
    eventTime: '2026-01-01T00:00:00.000000Z',
    type: 'Normal',
    reason: 'r',
    action: 'a',
    reportingController: 'a.b/c',
    reportingInstance: 'i',
  };
  const { object: made } = create(object('events.k8s.io/v1', 'Event', event));
  const series = { count: 2, lastObservedTime: '2026-01-01T00:00:00.000000Z' };
  assert.deepEqual(update(made, (next) => Object.assign(next, { series })).errors, []);
  const refused = (run: () => unknown, text: RegExp) =>
    assert.throws(run, (error) => error instanceof ApiError && text.test(error.message));
  refused(
    () => update(made, (next) => Object.assign(next, { note: 'n' })),
    /^Event "x" is invalid: message: .*immutable/,
  );
  refused(
    () => create(object('events.k8s.io/v1', 'Event', { ...event, deprecatedCount: 1 })),
    /count: .*needs to be unset/,
  );
});

test('labels of an EndpointSlice count as its content', () => {
  const { object: made } = create(
    object('discovery.k8s.io/v1', 'EndpointSlice', { addressType: 'IPv4', endpoints: null }),
  );
  assert.deepEqual(update(made, ({ metadata }) => Object.assign(metadata, { labels: { a: 'b' } })).errors, []);
});

test('the server sets the requester of a CertificateSigningRequest, and approval has its own subresource', () => {
  const pem = '-----BEGIN CERTIFICATE REQUEST-----\nx\n-----END CERTIFICATE REQUEST-----\n';
  const spec = {
    request: Buffer.from(pem).toString('base64'),
    signerName: 'a.b/c',
    usages: ['client auth'],
    username: 'me',
  };
  const { object: made } = create(object('certificates.k8s.io/v1', 'CertificateSigningRequest', { spec }));
  assert.equal(made.spec['username'], 'tester');
  const approve = (subresource: string) =>
    update(made, (next) => Object.assign(next, { status: { conditions: [{ type: 'Approved', status: 'True' }] } }), {
      subresource,
    });
  assert.deepEqual(findings(approve('status')), ['Forbidden status.conditions']);
  assert.equal(approve('approval').object.status['conditions'] !== undefined, true);
});
