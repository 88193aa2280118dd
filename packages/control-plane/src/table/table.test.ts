import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { humanDuration } from './age.ts';
import { tables } from './index.ts';

const second = 1000;
const day = 24 * 3600 * second;

test('ages are shown in one or two units, coarser as they grow', () => {
  const spans: readonly [milliseconds: number, shown: string][] = [
    [-5 * second, '<invalid>'],
    [-1 * second, '0s'],
    [0, '0s'],
    [119 * second, '119s'],
    [120 * second, '2m'],
    [130 * second, '2m10s'],
    [600 * second, '10m'],
    [3 * 3600 * second, '3h'],
    [3 * 3600 * second + 60 * second, '3h1m'],
    [47 * 3600 * second, '47h'],
    [2 * day, '2d'],
    [2 * day + 3600 * second, '2d1h'],
    [8 * day, '8d'],
    [730 * day, '2y'],
    [731 * day, '2y1d'],
    [9 * 365 * day, '9y'],
  ];
  for (const [span, shown] of spans) assert.equal(humanDuration(span), shown);
});

const created = '2026-01-01T00:00:00Z';
const now = Date.parse(created) + 90 * second;
const cellsOf = (key: string, object: object): unknown[] =>
  tables[key]!.cells({ metadata: { name: 'x', creationTimestamp: created }, ...object } as KubeObject, now);

test('a row has a cell for every column', () => {
  for (const [key, rules] of Object.entries(tables)) {
    assert.equal(cellsOf(key, {}).length, rules.columns.length, key);
    assert.ok(
      cellsOf(key, {}).every((cell) => cell !== null),
      key,
    );
  }
});

const waiting = (reason: string) => ({ name: 'a', ready: false, restartCount: 2, state: { waiting: { reason } } });
const podStates: readonly [title: string, pod: object, ready: string, status: string, restarts: string][] = [
  ['pending', { spec: { containers: [{}] }, status: { phase: 'Pending' } }, '0/1', 'Pending', '0'],
  [
    'running',
    {
      spec: { containers: [{}] },
      status: { phase: 'Running', containerStatuses: [{ name: 'a', ready: true, state: { running: {} } }] },
    },
    '1/1',
    'Running',
    '0',
  ],
  [
    'crashing',
    { spec: { containers: [{}] }, status: { phase: 'Running', containerStatuses: [waiting('CrashLoopBackOff')] } },
    '0/1',
    'CrashLoopBackOff',
    '2',
  ],
  [
    'restarted a while ago',
    {
      spec: { containers: [{}] },
      status: {
        phase: 'Running',
        containerStatuses: [
          {
            name: 'a',
            ready: true,
            restartCount: 1,
            state: { running: {} },
            lastState: { terminated: { finishedAt: '2026-01-01T00:01:00Z' } },
          },
        ],
      },
    },
    '1/1',
    'Running',
    '1 (30s ago)',
  ],
  [
    'initialising',
    {
      spec: { containers: [{}], initContainers: [{ name: 'i' }, { name: 'j' }] },
      status: { phase: 'Pending', initContainerStatuses: [{ name: 'i', state: { running: {} } }] },
    },
    '0/1',
    'Init:0/2',
    '0',
  ],
  [
    'failed in an init container',
    {
      spec: { containers: [{}], initContainers: [{ name: 'i' }] },
      status: { phase: 'Pending', initContainerStatuses: [{ name: 'i', state: { terminated: { exitCode: 3 } } }] },
    },
    '0/1',
    'Init:ExitCode:3',
    '0',
  ],
  [
    'terminating',
    {
      metadata: { name: 'x', creationTimestamp: created, deletionTimestamp: created },
      spec: { containers: [{}] },
      status: { phase: 'Running' },
    },
    '0/1',
    'Terminating',
    '0',
  ],
];

test('a Pod shows the summary of its containers', () => {
  for (const [title, pod, ready, status, restarts] of podStates) {
    assert.deepEqual(cellsOf('v1/Pod', pod).slice(0, 5), ['x', ready, status, restarts, '90s'], title);
  }
});

test('a Service shows its ports and addresses', () => {
  const ports = [
    { port: 80, nodePort: 30080, protocol: 'TCP' },
    { port: 53, protocol: 'UDP' },
  ];
  assert.deepEqual(cellsOf('v1/Service', { spec: { type: 'LoadBalancer', clusterIPs: ['10.0.0.9'], ports } }), [
    'x',
    'LoadBalancer',
    '10.0.0.9',
    '<pending>',
    '80:30080/TCP,53/UDP',
    '90s',
    '<none>',
  ]);
});

test('a Job shows the most significant state', () => {
  const status = (conditions: object[]) => cellsOf('batch/v1/Job', { status: { conditions } })[1];
  assert.equal(status([]), 'Running');
  assert.equal(status([{ type: 'Suspended', status: 'True' }]), 'Suspended');
  assert.equal(
    status([
      { type: 'Failed', status: 'True' },
      { type: 'Complete', status: 'False' },
    ]),
    'Failed',
  );
});

test('the row of a finished Pod has a condition', () => {
  const conditions = (phase: string) =>
    tables['v1/Pod']!.conditions!({ metadata: { name: 'x' }, status: { phase } } as unknown as KubeObject);
  assert.deepEqual(conditions('Running'), []);
  assert.equal(conditions('Failed')[0]!['reason'], 'Failed');
});

const shown: readonly [key: string, object: object, cells: unknown[]][] = [
  [
    'networking.k8s.io/v1/Ingress',
    { spec: { rules: [{ host: 'a' }, { host: 'b' }, {}, { host: 'c' }, {}], tls: [{}] } },
    ['x', '<none>', 'a,b,c + 2 more...', '', '80, 443', '90s'],
  ],
  [
    'networking.k8s.io/v1/IngressClass',
    {
      metadata: {
        name: 'x',
        creationTimestamp: created,
        annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' },
      },
      spec: { controller: 'c', parameters: { kind: 'P', apiGroup: 'g', name: 'n' } },
    },
    ['x (default)', 'c', 'P.g/n', '90s'],
  ],
  [
    'autoscaling/v1/HorizontalPodAutoscaler',
    {
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 3, targetCPUUtilizationPercentage: 60 },
      status: { currentReplicas: 2 },
    },
    ['x', 'Deployment/d', 'cpu: <unknown>/60%', '<unset>', 3, 2, '90s'],
  ],
  [
    'events.k8s.io/v1/Event',
    { regarding: { kind: 'Pod', name: 'p' }, reason: 'R', note: ' said ', type: 'Normal', eventTime: created },
    ['90s', 'Normal', 'R', 'pod/p', '', '', 'said', '90s', 1, 'x'],
  ],
  [
    'certificates.k8s.io/v1/CertificateSigningRequest',
    {
      spec: { signerName: 's', username: 'u', expirationSeconds: 3600 },
      status: { conditions: [{ type: 'Approved', status: 'True' }], certificate: 'c' },
    },
    ['x', '90s', 's', 'u', '60m', 'Approved,Issued'],
  ],
  [
    'apiregistration.k8s.io/v1/APIService',
    { spec: {}, status: { conditions: [{ type: 'Available', status: 'False', reason: 'Gone' }] } },
    ['x', 'Local', 'False (Gone)', '90s'],
  ],
  [
    'networking.k8s.io/v1/IPAddress',
    { spec: { parentRef: { resource: 'services', namespace: 'n', name: 's' } } },
    ['x', 'services/n/s'],
  ],
  [
    'resource.k8s.io/v1/ResourceClaim',
    { status: { allocation: {}, reservedFor: [{}] } },
    ['x', 'allocated,reserved', '90s'],
  ],
  [
    'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding',
    { spec: { policyName: 'p', paramRef: { name: 'n' } } },
    ['x', 'p', '*/n', '90s'],
  ],
];

test('each kind has the columns of kubectl', () => {
  for (const [key, object, cells] of shown) assert.deepEqual(cellsOf(key, object), cells, key);
});

test('a HorizontalPodAutoscaler without metrics has a row', () => {
  const metrics = [{ type: 'Resource', resource: { name: 'cpu', target: { averageUtilization: 50 } } }];
  const spec = { scaleTargetRef: { kind: 'Deployment', name: 'web' }, maxReplicas: 3, metrics };
  const row = (fields: object) => cellsOf('autoscaling/v2/HorizontalPodAutoscaler', fields)[2];
  assert.equal(row({ spec, status: { currentMetrics: null } }), 'cpu: <unknown>/50%');
  assert.equal(row({ spec: { ...spec, metrics: null }, status: { currentMetrics: null } }), '<none>');
});
