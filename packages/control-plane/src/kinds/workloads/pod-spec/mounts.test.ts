import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOf } from '../../../../test/support/workload-harness.ts';

for (const [title, given, expected] of [
  [
    'a volume that is not there',
    [{ name: 'w', mountPath: '/w' }],
    ['spec.containers[0].volumeMounts[0].name: Not found: "w"'],
  ],
  ['no path', [{ name: 'v', mountPath: '' }], ['spec.containers[0].volumeMounts[0].mountPath: Required value']],
  [
    'two at one path',
    [
      { name: 'v', mountPath: '/v' },
      { name: 'v', mountPath: '/v' },
    ],
    ['spec.containers[0].volumeMounts[1].mountPath: Invalid value: "/v": must be unique'],
  ],
  [
    'a path below that climbs',
    [{ name: 'v', mountPath: '/v', subPath: '../x' }],
    ['spec.containers[0].volumeMounts.subPath: Invalid value: "../x": must not contain \'..\''],
  ],
  [
    'both subPath and subPathExpr',
    [{ name: 'v', mountPath: '/v', subPath: 'x', subPathExpr: '$(X)' }],
    [
      'spec.containers[0].volumeMounts[0].subPathExpr: Invalid value: "$(X)": subPathExpr and subPath are mutually exclusive',
    ],
  ],
  [
    'propagation that is unknown',
    [{ name: 'v', mountPath: '/v', mountPropagation: 'Up' }],
    [
      'spec.containers[0].volumeMounts.mountPropagation: Unsupported value: "Up": supported values: "Bidirectional", "HostToContainer", "None"',
    ],
  ],
  [
    'propagation to the host',
    [{ name: 'v', mountPath: '/v', mountPropagation: 'Bidirectional' }],
    [
      'spec.containers[0].volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers',
    ],
  ],
  [
    'strict reading of what is written',
    [{ name: 'v', mountPath: '/v', recursiveReadOnly: 'Enabled' }],
    ['spec.containers[0].volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true'],
  ],
] as const) {
  test(`mounting ${title}`, () =>
    assert.deepEqual(problemsOf({ container: { volumeMounts: given }, spec: { volumes: [{ name: 'v' }] } }), expected));
}

test('a device belongs to a claim, and is mounted once', () => {
  const volumes = [{ name: 'v' }, { name: 'c', persistentVolumeClaim: { claimName: 'c' } }];
  const volumeDevices = [
    { name: 'v', devicePath: '/dev/v' },
    { name: 'c', devicePath: '/dev/c' },
  ];
  const volumeMounts = [{ name: 'c', mountPath: '/c' }];
  assert.deepEqual(problemsOf({ container: { volumeDevices, volumeMounts }, spec: { volumes } }), [
    'spec.containers[0].volumeMounts[0].name: Invalid value: "c": must not already exist in volumeDevices',
    'spec.containers[0].volumeDevices[0].name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
    'spec.containers[0].volumeDevices[1].name: Invalid value: "c": must not already exist in volumeMounts',
  ]);
});
