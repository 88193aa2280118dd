import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '../objects.ts';
import type { Service } from './service.ts';
import { repacked, subsetsOf, truncated } from './subsets.ts';

const service = (spec: Partial<Service['spec']> = {}): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 's', namespace: 'default' },
  spec: { clusterIP: '10.0.0.1', ports: [{ port: 80 }], ...spec },
});
const pod = (
  name: string,
  ip: string | undefined,
  more: { ready?: boolean; phase?: string; going?: boolean; ports?: object[]; hostname?: string } = {},
): Pod =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', uid: name, ...(more.going ? { deletionTimestamp: 'now' } : {}) },
    spec: {
      nodeName: 'n',
      containers: [{ name: 'c', ports: more.ports ?? [] }],
      ...(more.hostname ? { hostname: more.hostname, subdomain: 's' } : {}),
    },
    status: {
      phase: more.phase ?? 'Running',
      conditions: [{ type: 'Ready', status: more.ready === false ? 'False' : 'True' }],
      ...(ip ? { podIP: ip, podIPs: [{ ip }] } : {}),
    },
  }) as Pod;
const seen = (subsets: ReturnType<typeof subsetsOf>) =>
  subsets.map(({ addresses = [], notReadyAddresses = [], ports = [] }) => [
    addresses.map(({ ip }) => ip).join(),
    notReadyAddresses.map(({ ip }) => ip).join(),
    ports.map(({ port }) => port).join(),
  ]);

const table: readonly [string, Service, readonly Pod[], unknown][] = [
  [
    'ready and unready addresses are separate',
    service(),
    [pod('b', '1.1.1.2'), pod('a', '1.1.1.1'), pod('c', '1.1.1.3', { ready: false })],
    [['1.1.1.1,1.1.1.2', '1.1.1.3', '80']],
  ],
  [
    'pods without an address, finished or terminating pods are omitted',
    service(),
    [pod('a', undefined), pod('b', '1.1.1.2', { phase: 'Failed' }), pod('c', '1.1.1.3', { going: true })],
    [],
  ],
  [
    'publishNotReadyAddresses includes all',
    service({ publishNotReadyAddresses: true }),
    [pod('a', '1.1.1.1', { ready: false }), pod('c', '1.1.1.3', { going: true })],
    [['1.1.1.1,1.1.1.3', '', '80']],
  ],
  [
    'ports of the same pods are in one subset',
    service({
      ports: [
        { name: 'a', port: 80 },
        { name: 'b', port: 81, targetPort: 8081 },
      ],
    }),
    [pod('a', '1.1.1.1')],
    [['1.1.1.1', '', '80,8081']],
  ],
  [
    'a headless service needs no ports',
    service({ clusterIP: 'None', ports: [] }),
    [pod('a', '1.1.1.1')],
    [['1.1.1.1', '', '']],
  ],
  [
    'a named port is resolved in the pod, also by protocol',
    service({ ports: [{ port: 80, targetPort: 'web', protocol: 'TCP' }] }),
    [
      pod('a', '1.1.1.1', {
        ports: [
          { name: 'web', containerPort: 1, protocol: 'UDP' },
          { name: 'web', containerPort: 8080, protocol: 'TCP' },
        ],
      }),
      pod('b', '1.1.1.2'),
    ],
    [['1.1.1.1', '', '8080']],
  ],
  [
    'addresses of the other family are omitted',
    service({ ipFamilies: ['IPv6'] }),
    [pod('a', '1.1.1.1'), pod('b', 'fd00::1')],
    [['fd00::1', '', '80']],
  ],
];

for (const [name, desired, pods, subsets] of table) {
  test(name, () => assert.deepEqual(seen(subsetsOf(desired, pods)), subsets));
}

test('a pod in the subdomain of the Service has its hostname', () => {
  const [subset] = subsetsOf(service(), [pod('a', '1.1.1.1', { hostname: 'h' })]);
  assert.deepEqual(subset!.addresses![0], {
    ip: '1.1.1.1',
    hostname: 'h',
    nodeName: 'n',
    targetRef: { kind: 'Pod', namespace: 'default', name: 'a', uid: 'a' },
  });
});

test('an address that is ready in one subset but not in another is not ready', () => {
  const subsets = repacked([
    { addresses: [{ ip: '1.1.1.1' }], ports: [{ port: 80 }] },
    { notReadyAddresses: [{ ip: '1.1.1.1' }], ports: [{ port: 80 }] },
  ]);
  assert.deepEqual(seen(subsets), [['', '1.1.1.1', '80']]);
});

test('beyond a thousand addresses, unready ones are truncated first', () => {
  const many = (count: number, from: number) => Array.from({ length: count }, (_, at) => ({ ip: `x${from + at}` }));
  const { subsets, cut } = truncated([
    { addresses: many(900, 0), notReadyAddresses: many(300, 900), ports: [{ port: 80 }] },
  ]);
  assert.equal(cut, true);
  assert.deepEqual([subsets[0]!.addresses!.length, subsets[0]!.notReadyAddresses!.length], [900, 100]);
});
