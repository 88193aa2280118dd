import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { hostOf, hostsOf } from './hosts.ts';

const node: KubeObject & { status: object } = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n1', labels: { zone: 'a', secret: 'b' } },
  status: { capacity: { cpu: '2', memory: '1Gi', pods: '10' }, nodeInfo: { osImage: 'Linux' } },
};

const pod = (uid: string, at: string, cpu: string) => ({
  uid,
  info: [
    { name: 'Node', value: at },
    { name: 'cpu', value: cpu },
    { name: 'memory', value: '1000' },
  ],
});

test('a host shows what the pods of an Application request of it, and what their neighbours do', () => {
  const pods = [pod('own', 'n1', '100'), pod('other', 'n1', '50'), pod('elsewhere', 'n2', '7'), { uid: 'pending' }];
  const hosts = hostsOf(new Set(['own']), pods, (name) => (name === 'n1' ? hostOf(node) : undefined), ['zone']);
  assert.deepEqual(hosts, [
    {
      name: 'n1',
      resourcesInfo: [
        { resourceName: 'cpu', requestedByApp: 100, requestedByNeighbors: 50, capacity: 2000 },
        { resourceName: 'memory', requestedByApp: 1000, requestedByNeighbors: 1000, capacity: 1024 ** 3 * 1000 },
      ],
      systemInfo: { osImage: 'Linux' },
      labels: { zone: 'a' },
    },
  ]);
});

test('a host that is not known is left out', () => {
  assert.deepEqual(
    hostsOf(new Set(['own']), [pod('own', 'gone', '1')], () => undefined),
    [],
  );
});
