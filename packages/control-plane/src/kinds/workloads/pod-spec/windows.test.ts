import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOf } from '../../../../test/support/workload-harness.ts';

for (const [title, given, expected] of [
  ['a user', 'Administrator', []],
  ['a user of a domain', 'CORP\\robot', []],
  ['a user of a host', 'corp.example\\robot', []],
  [
    'nobody',
    '',
    ['spec.securityContext.windowsOptions.runAsUserName: Invalid value: "": runAsUserName cannot be an empty string'],
  ],
  [
    'two domains',
    'a\\b\\c',
    [
      'spec.securityContext.windowsOptions.runAsUserName: Invalid value: "a\\\\b\\\\c": runAsUserName cannot contain more than one backslash',
    ],
  ],
  [
    'a domain without a user',
    'CORP\\',
    [
      'spec.securityContext.windowsOptions.runAsUserName: Invalid value: "CORP\\\\": runAsUserName\'s User cannot be empty',
    ],
  ],
  [
    'a bad domain',
    '.a?\\robot',
    [
      'spec.securityContext.windowsOptions.runAsUserName: Invalid value: ".a?\\\\robot": runAsUserName\'s Domain doesn\'t match the NetBios nor the DNS format',
    ],
  ],
  [
    'dots',
    '...',
    [
      'spec.securityContext.windowsOptions.runAsUserName: Invalid value: "...": runAsUserName\'s User cannot contain only periods or spaces',
    ],
  ],
  [
    'a bad letter',
    'a/b',
    [
      'spec.securityContext.windowsOptions.runAsUserName: Invalid value: "a/b": runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]',
    ],
  ],
] as const) {
  test(`windows: ${title}`, () =>
    assert.deepEqual(
      problemsOf({ spec: { securityContext: { windowsOptions: { runAsUserName: given } } } }),
      expected,
    ));
}

for (const [title, given, expected] of [
  [
    'all of the pod',
    [{ hostProcess: true }, [{}, {}]],
    ['spec: Forbidden: hostProcess containers are disallowed by cluster policy'],
  ],
  [
    'one of two',
    [{}, [{ hostProcess: true }, { hostProcess: false }]],
    [
      'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
      'spec: Forbidden: hostProcess containers are disallowed by cluster policy',
    ],
  ],
  [
    'pod and container at odds',
    [{ hostProcess: true }, [{ hostProcess: false }]],
    [
      'spec.containers[0].securityContext.windowsOptions.hostProcess: Invalid value: false: pod hostProcess value must be identical if both are specified, was true',
    ],
  ],
  ['none', [{ hostProcess: false }, [{}]], []],
  [
    'an empty credential spec',
    [{ gmsaCredentialSpec: '' }, [{}]],
    [
      'spec.securityContext.windowsOptions.gmsaCredentialSpec: Invalid value: "": gmsaCredentialSpec cannot be an empty string',
    ],
  ],
] as const) {
  test(`host processes: ${title}`, () =>
    assert.deepEqual(
      problemsOf({
        spec: {
          hostNetwork: true,
          securityContext: { windowsOptions: given[0] },
          containers: given[1].map((windowsOptions, index) => ({
            name: `c${index}`,
            image: 'x',
            securityContext: { windowsOptions },
          })),
        },
      }),
      expected,
    ));
}

for (const [title, given, expected] of [
  [
    'a user of linux',
    { runAsUser: 1 },
    ['spec.containers[0].securityContext.runAsUser: Forbidden: cannot be set for a windows pod'],
  ],
  [
    'capabilities',
    { capabilities: { add: ['KILL'] } },
    ['spec.containers[0].securityContext.capabilities: Forbidden: cannot be set for a windows pod'],
  ],
  [
    'a file system to read',
    { readOnlyRootFilesystem: false },
    ['spec.containers[0].securityContext.readOnlyRootFilesystem: Forbidden: cannot be set for a windows pod'],
  ],
  ['common fields', { runAsNonRoot: true }, []],
] as const) {
  test(`a Windows container with ${title}`, () =>
    assert.deepEqual(
      problemsOf({ container: { securityContext: given }, spec: { os: { name: 'windows' } } }),
      expected,
    ));
}
