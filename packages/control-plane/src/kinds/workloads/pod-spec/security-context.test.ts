import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOf } from '../../../../test/support/workload-harness.ts';

for (const [title, given, expected] of [
  [
    'a user below zero',
    { runAsUser: -1 },
    ['spec.securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive'],
  ],
  [
    'a group out of range',
    { fsGroup: 2147483648 },
    ['spec.securityContext.fsGroup: Invalid value: 2147483648: must be between 0 and 2147483647, inclusive'],
  ],
  [
    'a supplemental group below zero',
    { supplementalGroups: [-1] },
    ['spec.securityContext.supplementalGroups[0]: Invalid value: -1: must be between 0 and 2147483647, inclusive'],
  ],
  [
    'an unknown policy for files',
    { fsGroupChangePolicy: 'Sometimes' },
    [
      'spec.securityContext.fsGroupChangePolicy: Unsupported value: "Sometimes": supported values: "Always", "OnRootMismatch"',
    ],
  ],
  [
    'a setting of a bad name',
    { sysctls: [{ name: 'a..b', value: '1' }] },
    [
      'spec.securityContext.sysctls[0].name: Invalid value: "a..b": must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$',
    ],
  ],
  [
    'a setting twice',
    {
      sysctls: [
        { name: 'a.b', value: '1' },
        { name: 'a.b', value: '2' },
      ],
    },
    ['spec.securityContext.sysctls[1].name: Duplicate value: "a.b"'],
  ],
  [
    'a local profile that it does not name',
    { seccompProfile: { type: 'Localhost' } },
    [
      'spec.securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
    ],
  ],
  [
    'a localhost profile for another type',
    { seccompProfile: { type: 'RuntimeDefault', localhostProfile: 'x' } },
    [
      'spec.securityContext.seccompProfile.localhostProfile: Invalid value: {"Type":"RuntimeDefault","LocalhostProfile":"x"}: can only be set when seccomp type is Localhost',
    ],
  ],
  [
    'an unknown profile',
    { appArmorProfile: { type: 'Own' } },
    [
      'spec.securityContext.appArmorProfile.type: Unsupported value: "Own": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
    ],
  ],
] as const) {
  test(`a pod with ${title}`, () => assert.deepEqual(problemsOf({ spec: { securityContext: given } }), expected));
}

for (const [title, given, expected] of [
  [
    'a user below zero',
    { runAsUser: -1 },
    ['spec.containers[0].securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive'],
  ],
  [
    'an unknown proc mount',
    { procMount: 'All' },
    ['spec.containers[0].securityContext.procMount: Unsupported value: "All": supported values: "Default", "Unmasked"'],
  ],
  [
    'the unmasked proc mount of a host user',
    { procMount: 'Unmasked' },
    [
      'spec.containers[0].securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`',
    ],
  ],
  [
    'a local profile outside',
    { seccompProfile: { type: 'Localhost', localhostProfile: '../x' } },
    [
      'spec.containers[0].securityContext.seccompProfile.localhostProfile: Invalid value: "../x": must not contain \'..\'',
    ],
  ],
] as const) {
  test(`a container with ${title}`, () =>
    assert.deepEqual(problemsOf({ container: { securityContext: given } }), expected));
}

for (const [title, given, expected] of [
  [
    'an unknown system',
    { os: { name: 'plan9' } },
    ['spec.os: Unsupported value: "plan9": supported values: "linux", "windows"'],
  ],
  [
    'windows with users of linux',
    { os: { name: 'windows' }, securityContext: { runAsUser: 1 }, hostPID: true },
    [
      'spec.securityContext.runAsUser: Forbidden: cannot be set for a windows pod',
      'spec.hostPID: Forbidden: cannot be set for a windows pod',
    ],
  ],
  [
    'linux with options of windows',
    { os: { name: 'linux' }, securityContext: { windowsOptions: { runAsUserName: 'a' } } },
    ['spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod'],
  ],
  [
    'a process of the host without its network',
    { securityContext: { windowsOptions: { hostProcess: true } } },
    [
      'spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers',
      'spec: Forbidden: hostProcess containers are disallowed by cluster policy',
    ],
  ],
  [
    'shared processes of host and pod',
    { hostPID: true, shareProcessNamespace: true },
    [
      'spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled',
    ],
  ],
  [
    'its own user namespace and the PID namespace of the host',
    { hostUsers: false, hostPID: true, hostIPC: true },
    ['spec.HostPID: Forbidden: when `hostUsers` is false', 'spec.HostIPC: Forbidden: when `hostUsers` is false'],
  ],
] as const) {
  test(`a pod with ${title}`, () => assert.deepEqual(problemsOf({ spec: given }), expected));
}
