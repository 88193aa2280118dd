import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { create, findings, update } from '../../../../test/support/kind-harness.ts';
import { keyPairProblem } from './key-pair.ts';

const object = (kind: string, fields: object = {}, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'x', ...metadata },
  ...fields,
});
const base64 = (text: string): string => Buffer.from(text).toString('base64');

test('a Namespace gets a label with its name, a finalizer and the phase Active', () => {
  const { object: made } = create(object('Namespace', { spec: { finalizers: ['a/b'] } }));
  assert.equal(made.metadata.labels?.['kubernetes.io/metadata.name'], 'x');
  assert.deepEqual(made.spec, { finalizers: ['a/b', 'kubernetes'] });
  assert.deepEqual(made.status, { phase: 'Active' });
  const emptied = update(made, ({ spec }) => {
    spec['finalizers'] = [];
  });
  assert.deepEqual(emptied.object.spec, made.spec);
});

test('a Namespace can be finalized only through its subresource', () => {
  const { object: made } = create(object('Namespace'));
  const change = update(made, (next) => Object.assign(next.spec, { finalizers: [] }), { subresource: 'finalize' });
  assert.deepEqual(change.object.spec, { finalizers: [] });
});

test('the phase of a Namespace follows its deletion', () => {
  const { object: made } = create(object('Namespace'));
  const change = update(made, ({ status }) => Object.assign(status, { phase: 'Terminating' }), {
    subresource: 'status',
  });
  assert.deepEqual(findings(change), ['Invalid status.Phase']);
});

test('a new Node is not ready, and its allocatable equals its capacity', () => {
  const { object: made } = create(
    object('Node', { status: { capacity: { cpu: '4' } }, spec: { podCIDR: '10.1.0.0/24' } }),
  );
  assert.deepEqual(made.spec['taints'], [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }]);
  assert.deepEqual(made.spec['podCIDRs'], ['10.1.0.0/24']);
  assert.deepEqual(made.status['allocatable'], { cpu: '4' });
});

test('podCIDR and providerID of a Node are set once', () => {
  const { object: made } = create(object('Node'));
  const first = update(made, ({ spec }) => Object.assign(spec, { podCIDR: '10.1.0.0/24', providerID: 'a' }));
  assert.deepEqual(first.errors, []);
  const second = update(first.object, ({ spec }) => Object.assign(spec, { podCIDR: '10.2.0.0/24', providerID: 'b' }));
  assert.deepEqual(findings(second), ['Forbidden spec.podCIDRs', 'Forbidden spec.providerID']);
});

test('taints are unique by key and effect, reported at the legacy path', () => {
  const taint = { key: 'a', effect: 'NoSchedule' };
  const made = create(object('Node', { spec: { taints: [taint, { ...taint, value: 'v' }, { key: 'b' }] } }));
  assert.deepEqual(findings(made), ['Duplicate metadata.taints[1]', 'Required metadata.taints[2].effect']);
});

test('stringData of a Secret is stored as data and takes precedence over it', () => {
  const { object: made } = create(
    object('Secret', { data: { a: base64('old'), b: 'eA==' }, stringData: { a: 'new' } }),
  );
  assert.deepEqual(made['data'], { a: base64('new'), b: 'eA==' });
  assert.equal(made['stringData'], undefined);
  assert.equal(made['type'], 'Opaque');
});

for (const [type, data, expected] of [
  ['kubernetes.io/tls', {}, ['Required data[tls.crt]', 'Required data[tls.key]']],
  ['kubernetes.io/basic-auth', {}, ['Required data[username]', 'Required data[password]']],
  ['kubernetes.io/basic-auth', { password: '' }, []],
  ['kubernetes.io/ssh-auth', { 'ssh-privatekey': '' }, ['Required data[ssh-privatekey]']],
  ['kubernetes.io/dockerconfigjson', { '.dockerconfigjson': base64('[]') }, ['Invalid data[.dockerconfigjson]']],
  ['kubernetes.io/dockercfg', { '.dockercfg': base64('{}') }, []],
  ['example.com/own', {}, []],
] as const) {
  test(`a Secret of type ${type} with ${Object.keys(data).join() || 'nothing'}: ${expected.join(', ') || 'valid'}`, () => {
    assert.deepEqual(findings(create(object('Secret', { type, data }))), expected);
  });
}

test('a service account token names its account', () => {
  const type = 'kubernetes.io/service-account-token';
  assert.deepEqual(findings(create(object('Secret', { type }))), [
    'Required metadata.annotations[kubernetes.io/service-account.name]',
  ]);
});

test('immutable means that neither data nor the immutable field changes', () => {
  for (const kind of ['Secret', 'ConfigMap']) {
    const { object: made } = create(object(kind, { data: { a: 'YQ==' }, immutable: true }));
    const changed = update(made, (next) => Object.assign(next, { data: { a: 'Yg==' }, immutable: false }));
    assert.deepEqual(findings(changed), ['Forbidden immutable', 'Forbidden data'], kind);
    assert.deepEqual(update(made, ({ metadata }) => Object.assign(metadata, { labels: { a: 'b' } })).errors, [], kind);
  }
});

test('a key is in data or in binaryData, and the total is below 1 MiB', () => {
  const made = create(object('ConfigMap', { data: { a: 'x', '..': 'y' }, binaryData: { a: 'eA==' } }));
  assert.deepEqual(findings(made), ['Invalid data[a]', 'Invalid data[..]']);
  const large = create(object('ConfigMap', { data: { a: 'x'.repeat(1024 * 1024 + 1) } }));
  assert.deepEqual(findings(large), ['TooLong []']);
});

test('a certificate that does not match its key gives a warning', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  assert.equal(keyPairProblem('x', pem), 'tls: failed to find any PEM data in certificate input');
  assert.match(keyPairProblem(pem, pem)!, /PEM inputs may have been switched/);
});

test('Secret references of a ServiceAccount are reduced to names', () => {
  const { object: made } = create(
    object('ServiceAccount', { secrets: [{ name: 'a', namespace: 'b', kind: 'Secret' }] }),
  );
  assert.deepEqual(made['secrets'], [{ name: 'a' }]);
});

test('a LimitRange defaults limits from the maximum and requests from limits', () => {
  const limits = [{ type: 'Container', max: { cpu: '2' }, min: { memory: '1Gi' }, defaultRequest: { cpu: '1' } }];
  const { object: made, errors } = create(object('LimitRange', { spec: { limits } }));
  assert.deepEqual(errors, []);
  assert.deepEqual(made.spec['limits'], [
    {
      type: 'Container',
      max: { cpu: '2' },
      min: { memory: '1Gi' },
      default: { cpu: '2' },
      defaultRequest: { memory: '1Gi', cpu: '1' },
    },
  ]);
});

test('limits are ordered and of known types', () => {
  const limits = [
    { type: 'Container', default: { cpu: '1' }, defaultRequest: { cpu: '2' } },
    { type: 'Pod', default: { cpu: '1' }, maxLimitRequestRatio: { cpu: '500m' } },
    { type: 'Other' },
    { type: 'PersistentVolumeClaim' },
  ];
  assert.deepEqual(findings(create(object('LimitRange', { spec: { limits } }))), [
    'Invalid spec.limits[0].defaultRequest[cpu]',
    'Forbidden spec.limits[1].default',
    'Invalid spec.limits[1].maxLimitRequestRatio[cpu]',
    'Invalid spec.limits[2].type',
    'Required spec.limits[3].limits',
  ]);
});

test('scopes of a ResourceQuota match its resources and do not change', () => {
  const quota = (spec: object) => create(object('ResourceQuota', { spec }));
  assert.deepEqual(findings(quota({ hard: { pods: '1', 'requests.cpu': '1' }, scopes: ['BestEffort'] })), [
    'Invalid spec.scopes',
  ]);
  const { object: made } = quota({ hard: { pods: '1' }, scopes: ['Terminating'] });
  assert.deepEqual(findings(update(made, ({ spec }) => Object.assign(spec, { scopes: [] }))), ['Invalid spec.scopes']);
});

test('a quota of requests above that of limits gives a warning', () => {
  const { warnings } = create(object('ResourceQuota', { spec: { hard: { cpu: '4', 'limits.cpu': '2' } } }));
  assert.deepEqual(warnings, ['ResourceQuota cpu (4) should be less than limits.cpu (2)']);
});

test('Endpoints that were accepted are not validated again unless they change', () => {
  const subsets = [{ addresses: [{ ip: '127.0.0.1' }], ports: [{ port: 80 }] }];
  const made = create(object('Endpoints', { subsets }));
  assert.deepEqual(findings(made), ['Invalid subsets[0].addresses[0].ip']);
  assert.deepEqual(update(made.object, ({ metadata }) => Object.assign(metadata, { labels: { a: 'b' } })).errors, []);
});

test('networks of a Node that do not parse have no family', () => {
  const node = object('Node', { spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24', 'abc'] } });
  assert.deepEqual(
    create(node).errors.map(({ reason, field }) => `${reason} ${field}`),
    ['FieldValueInvalid spec.podCIDRs[1]', 'InternalError spec.podCIDRs', 'FieldValueInvalid spec.podCIDRs'],
  );
});
