import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOf } from '../../../../test/support/workload-harness.ts';

for (const [title, given, expected] of [
  [
    'a request above its limit',
    { requests: { cpu: '2' }, limits: { cpu: '1' } },
    ['spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1'],
  ],
  [
    'a negative request',
    { requests: { memory: '-1' } },
    ['spec.containers[0].resources.requests[memory]: Invalid value: "-1": must be greater than or equal to 0'],
  ],
  ['less than a thousandth of a processor', { requests: { cpu: '100u' } }, []],
  [
    'an unknown resource',
    { limits: { colour: '1' } },
    [
      'spec.containers[0].resources.limits[colour]: Invalid value: "colour": must be a standard resource type or fully qualified',
      'spec.containers[0].resources.limits[colour]: Invalid value: "colour": must be a standard resource for containers',
      'spec.containers[0].resources.requests[colour]: Invalid value: "colour": must be a standard resource type or fully qualified',
      'spec.containers[0].resources.requests[colour]: Invalid value: "colour": must be a standard resource for containers',
    ],
  ],
  [
    'half a device',
    { limits: { 'example.com/gpu': '500m' } },
    [
      'spec.containers[0].resources.limits[example.com/gpu]: Invalid value: "500m": must be an integer',
      'spec.containers[0].resources.requests[example.com/gpu]: Invalid value: "500m": must be an integer',
    ],
  ],
  [
    'more devices requested than allowed',
    { requests: { 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '2' } },
    ['spec.containers[0].resources.requests: Invalid value: "1": must be equal to example.com/gpu limit of 2'],
  ],
  [
    'devices only requested',
    { requests: { 'example.com/gpu': '1' } },
    ['spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources'],
  ],
  [
    'large pages alone',
    { limits: { 'hugepages-2Mi': '4Mi' } },
    ['spec.containers[0].resources: Forbidden: HugePages require cpu or memory'],
  ],
  ['large pages with memory', { limits: { 'hugepages-2Mi': '4Mi', memory: '1Gi' } }, []],
  [
    'a claim that the pod does not make',
    { claims: [{ name: 'gpu' }] },
    [
      'spec.containers[0].resources.claims[0]: Not found: "gpu": must be one of the names in pod.spec.resourceClaims which is empty',
    ],
  ],
] as const) {
  test(`a container with ${title}`, () => assert.deepEqual(problemsOf({ container: { resources: given } }), expected));
}

test('resources of a pod are not less than those of its containers, and have no devices', () => {
  const container = { resources: { requests: { cpu: '2' } } };
  assert.deepEqual(problemsOf({ container, spec: { resources: { requests: { cpu: '1' } } } }), [
    'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2',
  ]);
  assert.deepEqual(problemsOf({ spec: { resources: { requests: { 'example.com/gpu': '1' } } } }), [
    'spec.resources.requests[example.com/gpu]: Unsupported value: "example.com/gpu": supported values: "cpu", "hugepages-", "memory"',
    'spec.resources.limits: Required value: Limit must be set for non overcommitable resources',
  ]);
});

for (const [title, given, expected] of [
  ['no name', [{ resourceClaimName: 'a' }], ['spec.resourceClaims[0].name: Required value']],
  [
    'neither claim nor template',
    [{ name: 'a' }],
    [
      'spec.resourceClaims[0]: Invalid value: {"Name":"a","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
    ],
  ],
  [
    'both claim and template',
    [{ name: 'a', resourceClaimName: 'a', resourceClaimTemplateName: 'b' }],
    [
      'spec.resourceClaims[0]: Invalid value: {"Name":"a","ResourceClaimName":"a","ResourceClaimTemplateName":"b"}: at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
    ],
  ],
  [
    'a name used before',
    [
      { name: 'a', resourceClaimName: 'a' },
      { name: 'a', resourceClaimName: 'b' },
    ],
    ['spec.resourceClaims[1].name: Duplicate value: "a"'],
  ],
] as const) {
  test(`a resource claim with ${title}`, () =>
    assert.deepEqual(problemsOf({ spec: { resourceClaims: given } }), expected));
}
