import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, podOf, update } from '../../../../test/support/workload-harness.ts';

const once = create(
  podOf({
    spec: { restartPolicy: 'Never', resourceClaims: [{ name: 'gpu', resourceClaimName: 'g' }] },
    container: { resources: { requests: { 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '1' } } },
  }),
).object;
const ended = {
  ...once,
  status: {
    ...once.status,
    containerStatuses: [
      {
        name: 'main',
        image: 'nginx',
        imageID: '',
        ready: false,
        restartCount: 0,
        state: { terminated: { exitCode: 1 } },
      },
    ],
  },
};
const reported = (status: object): readonly string[] =>
  update(ended, (pod) => Object.assign(pod.status, status), { subresource: 'status' }).problems;

for (const [title, given, expected] of [
  ['its phase', { phase: 'Running' }, []],
  [
    'another class of service',
    { qosClass: 'Guaranteed' },
    ['status.qosClass: Invalid value: "Guaranteed": field is immutable'],
  ],
  [
    'a container that runs again',
    {
      containerStatuses: [
        { name: 'main', image: 'nginx', imageID: '', ready: true, restartCount: 1, state: { running: {} } },
      ],
    },
    ['status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state'],
  ],
  [
    'a condition of a bad name',
    { conditions: [{ type: 'a b', status: 'True' }] },
    [
      "status.conditions[0].Type: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
  ],
  [
    'an invalid address',
    { podIP: 'x', podIPs: [{ ip: 'x' }] },
    ['status.podIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
  ],
  [
    'two addresses of one family',
    { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }] },
    [
      'status.podIPs: Invalid value: [{"IP":"10.0.0.1"},{"IP":"10.0.0.2"}]: may specify no more than one IP for each IP family',
    ],
  ],
  ['an address of each family', { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] }, []],
  [
    'a host of two addresses',
    { hostIP: '10.0.0.1', hostIPs: [{ ip: '10.0.0.2' }] },
    ['status.hostIPs[0].ip: Invalid value: "10.0.0.2": must be equal to `hostIP`'],
  ],
  [
    'a claim that it did not make',
    { resourceClaimStatuses: [{ name: 'disk' }] },
    [
      'status.resourceClaimStatuses[0].name: Invalid value: "disk": must match the name of an entry in `spec.resourceClaims`',
    ],
  ],
  [
    'a resource claim status without a claim',
    {
      extendedResourceClaimStatus: {
        requestMappings: [{ containerName: 'x', resourceName: 'r', requestName: 'a' }],
        resourceClaimName: 'c',
      },
    },
    [
      'status.extendedResourceClaimStatus.requestMappings[0].containerName: Invalid value: "x": must match the name of an entry in spec.initContainers.name or spec.containers.name',
    ],
  ],
  [
    'an extended resource claim without requests',
    { extendedResourceClaimStatus: { resourceClaimName: '' } },
    [
      'status.extendedResourceClaimStatus.requestMappings: Required value: at least one request mapping is required',
      'status.extendedResourceClaimStatus.resourceClaimName: Required value',
    ],
  ],
  [
    'the same claim of devices twice',
    {
      extendedResourceClaimStatus: {
        requestMappings: [
          { containerName: 'main', resourceName: 'example.com/gpu', requestName: 'a' },
          { containerName: 'main', resourceName: 'example.com/gpu', requestName: 'a' },
        ],
        resourceClaimName: 'c',
      },
    },
    [
      'status.extendedResourceClaimStatus.requestMappings[1].containerName: Duplicate value: "main"',
      'status.extendedResourceClaimStatus.requestMappings[1].resourceName: Duplicate value: "example.com/gpu"',
      'status.extendedResourceClaimStatus.requestMappings[1].requestName: Duplicate value: "a"',
    ],
  ],
] as const) {
  test(`a status with ${title}`, () => assert.deepEqual(reported(given), expected));
}

test('a terminated container may run again if the restart policy permits it', () => {
  const often = create(podOf()).object;
  const state = (now: object) => [
    { name: 'main', image: 'nginx', imageID: '', ready: false, restartCount: 0, state: now },
  ];
  const before = { ...often, status: { ...often.status, containerStatuses: state({ terminated: { exitCode: 1 } }) } };
  const after = update(before, ({ status }) => Object.assign(status, { containerStatuses: state({ running: {} }) }), {
    subresource: 'status',
  });
  assert.deepEqual(after.problems, []);
});

test('podIP is the first of podIPs', () => {
  const { object } = update(create(podOf()).object, ({ status }) => Object.assign(status, { podIP: '10.0.0.1' }), {
    subresource: 'status',
  });
  assert.deepEqual(object.status['podIPs'], [{ ip: '10.0.0.1' }]);
});

test('observedGeneration is kept if an update omits it', () => {
  const before = create(podOf()).object;
  Object.assign(before.status, {
    observedGeneration: 2,
    conditions: [{ type: 'Ready', status: 'True', observedGeneration: 2 }],
  });
  const conditions = [{ type: 'Ready', status: 'False' }];
  const { object } = update(before, (pod) => Object.assign(pod, { status: { phase: 'Running', conditions } }), {
    subresource: 'status',
  });
  assert.equal(object.status['observedGeneration'], 2);
  assert.equal(object.status['qosClass'], 'BestEffort');
  assert.deepEqual(
    (object.status['conditions'] as { observedGeneration: number }[]).map((each) => each.observedGeneration),
    [2],
  );
});
