import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, type Parts, podOf, update } from '../../../../test/support/workload-harness.ts';

const within = (...limits: object[]): object => ({
  admission: { serviceAccount: false },
  stored: { 'core/limitranges': [{ metadata: { name: 'l', namespace: 'default' }, spec: { limits } }] },
});
const tried = (parts: Parts, limit: object) => create(podOf(parts), within(limit));
const resources = (requests: object, limits: object = {}): object => ({
  container: { resources: { requests, limits } },
});
const container = {
  type: 'Container',
  min: { cpu: '100m' },
  max: { cpu: '2', memory: '1Gi' },
  maxLimitRequestRatio: { memory: '2' },
};

test('containers without resources get the defaults of the LimitRange', () => {
  const { object } = tried(resources({ cpu: '50m' }), {
    type: 'Container',
    default: { cpu: '1', memory: '1Gi' },
    defaultRequest: { cpu: '100m', memory: '512Mi' },
  });
  assert.deepEqual((object.spec as { containers: { resources: object }[] }).containers[0]?.resources, {
    limits: { cpu: '1', memory: '1Gi' },
    requests: { cpu: '50m', memory: '512Mi' },
  });
  assert.deepEqual(object.metadata.annotations, {
    'kubernetes.io/limit-ranger':
      'LimitRanger plugin set: memory request for container main; cpu, memory limit for container main',
  });
  assert.equal(object.status['qosClass'], 'Burstable');
});

for (const [title, given, expected] of [
  ['enough and not too much', resources({ cpu: '1', memory: '512Mi' }, { cpu: '2', memory: '1Gi' }), undefined],
  [
    'too little',
    resources({ cpu: '50m', memory: '512Mi' }, { cpu: '1', memory: '1Gi' }),
    'pods "web" is forbidden: minimum cpu usage per Container is 100m, but request is 50m',
  ],
  [
    'too much',
    resources({ cpu: '1', memory: '512Mi' }, { cpu: '3', memory: '1Gi' }),
    'pods "web" is forbidden: maximum cpu usage per Container is 2, but limit is 3',
  ],
  [
    'nothing',
    {},
    'pods "web" is forbidden: [minimum cpu usage per Container is 100m.  No request is specified, maximum cpu usage per Container is 2.  No limit is specified, maximum memory usage per Container is 1Gi.  No limit is specified, memory max limit to request ratio per Container is 2, but no request is specified or request is 0]',
  ],
  [
    'too wide a range',
    resources({ cpu: '1', memory: '256Mi' }, { cpu: '1', memory: '1Gi' }),
    'pods "web" is forbidden: memory max limit to request ratio per Container is 2, but provided ratio is 4.000000',
  ],
] as const) {
  test(`a container with ${title}`, () => assert.deepEqual(tried(given, container).refusal, expected));
}

test('limits of type Pod apply to the sum of the containers', () => {
  const containers = ['a', 'b'].map((name) => ({ name, image: 'x', resources: { limits: { cpu: '600m' } } }));
  assert.equal(
    tried({ spec: { containers } }, { type: 'Pod', max: { cpu: '1' } }).refusal,
    'pods "web" is forbidden: maximum cpu usage per Pod is 1, but limit is 1200m',
  );
});

test('an update is not checked, a resize is', () => {
  const old = create(podOf(resources({ cpu: '3' }, { cpu: '3' }))).object;
  const range = within(container);
  assert.equal(
    update(old, ({ metadata }) => Object.assign(metadata, { labels: { a: 'b' } }), range).refusal,
    undefined,
  );
  assert.match(
    update(old, () => undefined, { ...range, subresource: 'resize' }).refusal ?? '',
    /maximum cpu usage per Container is 2, but limit is 3/,
  );
});
