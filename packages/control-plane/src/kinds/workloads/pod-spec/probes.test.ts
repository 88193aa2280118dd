import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOf } from '../../../../test/support/workload-harness.ts';

for (const [title, given, expected] of [
  ['no handler', {}, ['spec.containers[0].livenessProbe: Required value: must specify a handler type']],
  [
    'two handlers',
    { exec: { command: ['x'] }, tcpSocket: { port: 1 } },
    ['spec.containers[0].livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type'],
  ],
  ['an empty command', { exec: { command: [] } }, ['spec.containers[0].livenessProbe.exec.command: Required value']],
  [
    'no port',
    { httpGet: { path: '/' } },
    ['spec.containers[0].livenessProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive'],
  ],
  [
    'a port out of range',
    { httpGet: { port: 70000 } },
    ['spec.containers[0].livenessProbe.httpGet.port: Invalid value: 70000: must be between 1 and 65535, inclusive'],
  ],
  [
    'a port of a bad name',
    { tcpSocket: { port: 'web_1' } },
    [
      'spec.containers[0].livenessProbe.tcpSocket.port: Invalid value: "web_1": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
    ],
  ],
  [
    'an unknown scheme',
    { httpGet: { port: 80, scheme: 'FTP' } },
    ['spec.containers[0].livenessProbe.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"'],
  ],
  [
    'a header of a bad name',
    { httpGet: { port: 80, httpHeaders: [{ name: 'a b', value: 'c' }] } },
    [
      "spec.containers[0].livenessProbe.httpGet.httpHeaders: Invalid value: \"a b\": a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
    ],
  ],
  [
    'negative times',
    { exec: { command: ['x'] }, initialDelaySeconds: -1, periodSeconds: -1 },
    [
      'spec.containers[0].livenessProbe.initialDelaySeconds: Invalid value: -1: must be greater than or equal to 0',
      'spec.containers[0].livenessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0',
    ],
  ],
  [
    'more than one success',
    { exec: { command: ['x'] }, successThreshold: 2 },
    ['spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1'],
  ],
  [
    'no time to end',
    { exec: { command: ['x'] }, terminationGracePeriodSeconds: 0 },
    ['spec.containers[0].livenessProbe.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0'],
  ],
  [
    'a grpc port out of range',
    { grpc: { port: 0 } },
    ['spec.containers[0].livenessProbe.grpc.port: Invalid value: 0: must be between 1 and 65535, inclusive'],
  ],
  ['all in order', { httpGet: { path: '/', port: 'web' }, terminationGracePeriodSeconds: 5 }, []],
] as const) {
  test(`a liveness probe with ${title}`, () =>
    assert.deepEqual(problemsOf({ container: { livenessProbe: given } }), expected));
}

for (const [title, given, expected] of [
  ['readiness may need several successes', { readinessProbe: { exec: { command: ['x'] }, successThreshold: 2 } }, []],
  [
    'readiness with a grace period',
    { readinessProbe: { exec: { command: ['x'] }, terminationGracePeriodSeconds: 5 } },
    [
      'spec.containers[0].readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes',
    ],
  ],
  [
    'a start succeeds once',
    { startupProbe: { exec: { command: ['x'] }, successThreshold: 2 } },
    ['spec.containers[0].startupProbe.successThreshold: Invalid value: 2: must be 1'],
  ],
  [
    'a hook does one thing',
    { lifecycle: { preStop: {} } },
    ['spec.containers[0].lifecycle.preStop: Required value: must specify a handler type'],
  ],
  ['a hook may sleep', { lifecycle: { preStop: { sleep: { seconds: 5 } } } }, []],
  [
    'but not past the end',
    { lifecycle: { preStop: { sleep: { seconds: 31 } } } },
    [
      'spec.containers[0].lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)',
    ],
  ],
  ['a custom stop signal is not supported in this version', { lifecycle: { stopSignal: 'SIGTERM' } }, []],
] as const) {
  test(`${title}`, () => assert.deepEqual(problemsOf({ container: given }), expected));
}
