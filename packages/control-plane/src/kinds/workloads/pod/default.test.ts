import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, type Parts, podOf } from '../../../../test/support/workload-harness.ts';

const made = (parts: Parts = {}) => create(podOf(parts)).object;
type Fields = Record<string, unknown>;
const container = (parts: Fields) => (made({ container: parts }).spec as { containers: Fields[] }).containers[0]!;
const volume = (source: Fields) => {
  const mounted = { volumeMounts: [{ name: 'v', mountPath: '/v' }] };
  const { spec } = made({ container: mounted, spec: { volumes: [{ name: 'v', ...source }] } });
  return (spec as { volumes: Fields[] }).volumes[0];
};

test('defaults of a pod with only an image', () => {
  assert.deepEqual(made().spec, {
    containers: [
      {
        name: 'main',
        image: 'nginx',
        resources: {},
        imagePullPolicy: 'Always',
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
      },
    ],
    dnsPolicy: 'ClusterFirst',
    enableServiceLinks: true,
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
  });
});

test('the status of a new pod is reset', () => {
  const given = { ...podOf(), status: { phase: 'Running', podIP: '10.0.0.1' } };
  assert.deepEqual(create(given).object.status, { phase: 'Pending', qosClass: 'BestEffort' });
});

test('requests default to limits', () => {
  const { resources } = container({ resources: { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '1' } } });
  assert.deepEqual(resources, { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '1', memory: '1Gi' } });
});

test('the protocol defaults to TCP, and hostPort to the containerPort with hostNetwork', () => {
  const ports = [{ containerPort: 80 }, { containerPort: 53, protocol: 'UDP' }];
  const { spec } = made({ container: { ports }, spec: { hostNetwork: true } });
  assert.deepEqual((spec as { containers: Fields[] }).containers[0]!['ports'], [
    { containerPort: 80, hostPort: 80, protocol: 'TCP' },
    { containerPort: 53, hostPort: 53, protocol: 'UDP' },
  ]);
});

const timing = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
for (const [title, given, expected] of [
  ['http', { httpGet: { port: 80 } }, { httpGet: { path: '/', port: 80, scheme: 'HTTP' }, ...timing }],
  ['tcp', { tcpSocket: { port: 'db' } }, { tcpSocket: { port: 'db' }, ...timing }],
  ['grpc', { grpc: { port: 9000 } }, { grpc: { port: 9000, service: '' }, ...timing }],
  [
    'slow',
    { exec: { command: ['x'] }, periodSeconds: 60, failureThreshold: 1 },
    { exec: { command: ['x'] }, ...timing, periodSeconds: 60, failureThreshold: 1 },
  ],
] as const) {
  test(`defaults of a ${title} probe`, () =>
    assert.deepEqual(container({ readinessProbe: given })['readinessProbe'], expected));
}

test('defaults of an HTTP lifecycle hook', () => {
  const { lifecycle } = container({ lifecycle: { preStop: { httpGet: { port: 80 } } } });
  assert.deepEqual(lifecycle, { preStop: { httpGet: { path: '/', port: 80, scheme: 'HTTP' } } });
});

test('fieldRef defaults to v1, and divisor to zero', () => {
  const env = [
    { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'B', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
  ];
  assert.deepEqual(container({ env })['env'], [
    { name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
    { name: 'B', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '0' } } },
  ]);
});

for (const [source, expected] of [
  [{ secret: { secretName: 's' } }, { secret: { secretName: 's', defaultMode: 420 } }],
  [{ configMap: { name: 'c', defaultMode: 256 } }, { configMap: { name: 'c', defaultMode: 256 } }],
  [{ hostPath: { path: '/x' } }, { hostPath: { path: '/x', type: '' } }],
  [{}, { emptyDir: {} }],
  [{ image: { reference: 'a:1' } }, { image: { reference: 'a:1', pullPolicy: 'IfNotPresent' } }],
  [
    { downwardAPI: { items: [{ path: 'n', fieldRef: { fieldPath: 'metadata.name' } }] } },
    {
      downwardAPI: {
        defaultMode: 420,
        items: [{ path: 'n', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } }],
      },
    },
  ],
  [
    { projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
    { projected: { defaultMode: 420, sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 3600 } }] } },
  ],
  [
    { ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'] } } } },
    {
      ephemeral: {
        volumeClaimTemplate: {
          metadata: {},
          spec: { accessModes: ['ReadWriteOnce'], resources: {}, volumeMode: 'Filesystem' },
        },
      },
    },
  ],
] as const) {
  test(`defaults of a volume of ${Object.keys(source)[0] ?? 'no kind'}`, () =>
    assert.deepEqual(volume(source), { name: 'v', ...expected }));
}

test('serviceAccount and serviceAccountName are kept equal', () => {
  const { spec } = made({ spec: { serviceAccount: 'robot' } });
  assert.equal(spec['serviceAccountName'], 'robot');
  assert.equal(made({ spec: { serviceAccountName: 'robot' } }).spec['serviceAccount'], 'robot');
});
