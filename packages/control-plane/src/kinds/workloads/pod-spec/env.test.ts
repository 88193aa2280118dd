import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOf } from '../../../../test/support/workload-harness.ts';

const at = 'spec.containers[0].env[0]';
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

for (const [title, variable, expected] of [
  ['no name', { value: 'x' }, [`${at}.name: Required value`]],
  [
    'an equals sign in its name',
    { name: 'A=B' },
    [
      `${at}.name: Invalid value: "A=B": a valid environment variable name must consist only of printable ASCII characters other than '='`,
    ],
  ],
  ['any other printable name', { name: '1 & only' }, []],
  [
    'a value and a source',
    { name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    [`${at}.valueFrom: Invalid value: "": may not be specified when \`value\` is not empty`],
  ],
  [
    'a source of no kind',
    { name: 'A', valueFrom: {} },
    [
      `${at}.valueFrom: Invalid value: "": must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\`, \`secretKeyRef\` or \`fileKeyRef\``,
    ],
  ],
  [
    'two sources',
    {
      name: 'A',
      valueFrom: { configMapKeyRef: { name: 'c', key: 'k' }, secretKeyRef: { name: 's', key: 'k' } },
    },
    [`${at}.valueFrom: Invalid value: "": may not have more than one field specified at a time`],
  ],
  [
    'a key without a map',
    { name: 'A', valueFrom: { configMapKeyRef: { key: 'k' } } },
    [`${at}.valueFrom.configMapKeyRef.name: Invalid value: "": ${subdomain}`],
  ],
  [
    'a secret without a key',
    { name: 'A', valueFrom: { secretKeyRef: { name: 's' } } },
    [`${at}.valueFrom.secretKeyRef.key: Required value`],
  ],
  [
    'a field that variables cannot show',
    { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.annotations' } } },
    [
      `${at}.valueFrom.fieldRef.fieldPath: Unsupported value: "metadata.annotations": supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"`,
    ],
  ],
  ['one annotation', { name: 'A', valueFrom: { fieldRef: { fieldPath: "metadata.annotations['a/b']" } } }, []],
  [
    'an unknown field',
    { name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.colour' } } },
    [
      `${at}.valueFrom.fieldRef.fieldPath: Invalid value: "spec.colour": error converting fieldPath: field label not supported: spec.colour`,
    ],
  ],
  [
    'an unknown resource',
    { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.colour' } } },
    [
      `${at}.valueFrom.resourceFieldRef.resource: Unsupported value: "limits.colour": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"`,
    ],
  ],
  [
    'an invalid divisor',
    { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '3' } } },
    [
      `${at}.valueFrom.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor's values 1m and 1 are supported with the cpu resource`,
    ],
  ],
] as const) {
  test(`a variable with ${title}`, () => assert.deepEqual(problemsOf({ container: { env: [variable] } }), expected));
}

for (const [title, source, expected] of [
  ['a map', { configMapRef: { name: 'c' } }, []],
  ['a map with a prefix', { prefix: 'A_', configMapRef: { name: 'c' } }, []],
  ['a map without a name', { configMapRef: {} }, ['spec.containers[0].envFrom[0].configMapRef.name: Required value']],
  [
    'a secret of a bad name',
    { secretRef: { name: 'S' } },
    [`spec.containers[0].envFrom[0].secretRef.name: Invalid value: "S": ${subdomain}`],
  ],
  [
    'nothing',
    {},
    ['spec.containers[0].envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`'],
  ],
  [
    'both',
    { configMapRef: { name: 'c' }, secretRef: { name: 's' } },
    ['spec.containers[0].envFrom: Invalid value: "": may not have more than one field specified at a time'],
  ],
] as const) {
  test(`variables from ${title}`, () => assert.deepEqual(problemsOf({ container: { envFrom: [source] } }), expected));
}
