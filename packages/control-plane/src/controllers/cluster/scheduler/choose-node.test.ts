import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '@fairlead/kube';
import {
  requesting,
  type SampleVolumes,
  sampleCluster,
  sampleNode,
  samplePod,
} from '../../../../test/support/sample-cluster.ts';
import type { PodSpec } from '../../../kinds/workloads/pod-spec/types.ts';
import type { Claim, Node, Pod, StorageClass, Volume } from '../objects.ts';
import { type Decision, NodeChooser, nodesToFind } from './choose-node.ts';

const choose = (pod: Pod, nodes: readonly Node[], placed: readonly Pod[] = [], stored: SampleVolumes = {}): Decision =>
  new NodeChooser(seededRandom(1)).choose(pod, sampleCluster(nodes, placed, stored));

const noHelp = (count: number, all = count): string =>
  ` no new claims to deallocate, preemption: 0/${all} nodes are available: ${count} Preemption is not helpful for scheduling.`;
const noVictims = (count: number, all = count): string =>
  ` no new claims to deallocate, preemption: 0/${all} nodes are available: ${count} No preemption victims found for incoming pod.`;

const antiAffinity = (app: string, topologyKey = 'kubernetes.io/hostname'): PodSpec => ({
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: { matchLabels: { app } } }],
    },
  },
});
const affinity = (app: string): PodSpec => ({
  affinity: {
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'zone', labelSelector: { matchLabels: { app } } },
      ],
    },
  },
});
const spread = (app: string, more: object = {}): PodSpec => ({
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app } },
      ...more,
    },
  ],
});
const labelled = (app: string): Partial<Pod['metadata']> => ({ labels: { app } });
const on = (node: string, name: string, app: string, spec: PodSpec = {}): Pod =>
  samplePod(name, { ...spec, nodeName: node }, labelled(app));
const zoned = [sampleNode('a', { labels: { zone: 'x' } }), sampleNode('b', { labels: { zone: 'y' } })];
const port = (hostPort: number, hostIP?: string): PodSpec => ({
  containers: [{ name: 'c', ports: [{ containerPort: 80, hostPort, protocol: 'TCP', ...(hostIP ? { hostIP } : {}) }] }],
});

const refusals: readonly [string, Pod, readonly Node[], readonly Pod[], string][] = [
  ['there is no node', samplePod('p'), [], [], 'no nodes available to schedule pods'],
  [
    'a taint is not tolerated, and a selector matches none of the others',
    samplePod('p', { nodeSelector: { disk: 'tape' } }),
    [sampleNode('a', { taints: [{ key: 'k', effect: 'NoExecute' }] }), sampleNode('b')],
    [],
    `0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint(s).${noHelp(2)}`,
  ],
  [
    'a node is cordoned',
    samplePod('p'),
    [sampleNode('a', { unschedulable: true })],
    [],
    `0/1 nodes are available: 1 node(s) were unschedulable.${noHelp(1)}`,
  ],
  [
    'it requests more than the capacity of a node',
    samplePod('p', requesting({ cpu: '5', memory: '9Gi', 'ephemeral-storage': '200Gi', 'example.com/gpu': '1' })),
    [sampleNode('a')],
    [],
    `0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient ephemeral-storage, 1 Insufficient example.com/gpu, 1 Insufficient memory.${noHelp(1)}`,
  ],
  [
    'the resources are used by other pods',
    samplePod('p', requesting({ cpu: '2' })),
    [sampleNode('a')],
    [samplePod('q', { ...requesting({ cpu: '3' }), nodeName: 'a' })],
    `0/1 nodes are available: 1 Insufficient cpu.${noVictims(1)}`,
  ],
  [
    'a node is full of pods',
    samplePod('p'),
    [sampleNode('a', { resources: { pods: '1' } })],
    [on('a', 'q', 'q')],
    `0/1 nodes are available: 1 Too many pods.${noVictims(1)}`,
  ],
  [
    'a host port is used on every address',
    samplePod('p', port(80, '10.0.0.1')),
    [sampleNode('a')],
    [samplePod('q', { ...port(80), nodeName: 'a' })],
    `0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports.${noVictims(1)}`,
  ],
  [
    'it will not share a node',
    samplePod('p', antiAffinity('web'), labelled('web')),
    [sampleNode('a')],
    [on('a', 'q', 'web')],
    `0/1 nodes are available: 1 node(s) didn't match pod anti-affinity rules.${noVictims(1)}`,
  ],
  [
    'another will not share a zone with it',
    samplePod('p', {}, labelled('web')),
    [sampleNode('a', { labels: { zone: 'x' } }), sampleNode('b', { labels: { zone: 'x' } })],
    [on('a', 'q', 'db', antiAffinity('web', 'zone'))],
    `0/2 nodes are available: 2 node(s) didn't satisfy existing pods anti-affinity rules.${noVictims(2)}`,
  ],
  [
    'no pod matches its affinity',
    samplePod('p', affinity('db')),
    zoned,
    [],
    `0/2 nodes are available: 2 node(s) didn't match pod affinity rules.${noHelp(2)}`,
  ],
  [
    'it would violate the topology spread, and the other zone is tainted',
    samplePod('p', spread('web'), labelled('web')),
    [
      sampleNode('a', { labels: { zone: 'x' } }),
      sampleNode('b', { labels: { zone: 'y' }, taints: [{ key: 'k', effect: 'NoSchedule' }] }),
    ],
    [on('a', 'q', 'web')],
    "0/2 nodes are available: 1 node(s) didn't match pod topology spread constraints, 1 node(s) had untolerated taint(s). no new claims to deallocate, preemption: 0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling.",
  ],
  [
    'nodes have no such label to spread by',
    samplePod('p', spread('web', { topologyKey: 'rack' }), labelled('web')),
    [sampleNode('a')],
    [],
    `0/1 nodes are available: 1 node(s) didn't match pod topology spread constraints (missing required label).${noHelp(1)}`,
  ],
  [
    'it requires a node name that does not exist',
    samplePod('p', {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['c'] }] }],
          },
        },
      },
    }),
    zoned,
    [],
    `0/2 nodes are available: 2 node(s) didn't satisfy plugin(s) [NodeAffinity].${noHelp(2)}`,
  ],
  [
    'it may not preempt',
    samplePod('p', { ...requesting({ cpu: '3' }), preemptionPolicy: 'Never', priority: 5 }),
    [sampleNode('a')],
    [samplePod('q', { ...requesting({ cpu: '3' }), nodeName: 'a' })],
    '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.',
  ],
];

for (const [name, pod, nodes, placed, message] of refusals) {
  test(`a pod is not scheduled if ${name}`, () => {
    const decision = choose(pod, nodes, placed);
    assert.equal(decision.kind === 'refuse' ? decision.message : `placed on ${decision.node}`, message);
  });
}

const placements: readonly [string, Pod, readonly Node[], readonly Pod[], string][] = [
  [
    'with a toleration of the taint',
    samplePod('p', { tolerations: [{ key: 'k', operator: 'Exists' }] }),
    [sampleNode('a', { taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }] })],
    [],
    'a',
  ],
  [
    'to the emptier node',
    samplePod('p', requesting({ cpu: '1' })),
    [sampleNode('a'), sampleNode('b')],
    [samplePod('q', { ...requesting({ cpu: '2', memory: '4Gi' }), nodeName: 'a' })],
    'b',
  ],
  [
    'to the zone with fewer matching pods',
    samplePod('p', spread('web'), labelled('web')),
    zoned,
    [on('a', 'q', 'web')],
    'b',
  ],
  [
    'where a zone that it does not select is not part of its spread',
    samplePod('p', { ...spread('web'), nodeSelector: { zone: 'x' } }, labelled('web')),
    zoned,
    [on('a', 'q', 'web')],
    'a',
  ],
  ['near the pods of its affinity', samplePod('p', affinity('db')), zoned, [on('b', 'q', 'db')], 'b'],
  ['as the first pod that matches its affinity', samplePod('p', affinity('db'), labelled('db')), [zoned[0]!], [], 'a'],
  [
    'away from pods of its anti-affinity',
    samplePod('p', antiAffinity('web'), labelled('web')),
    zoned,
    [on('a', 'q', 'web')],
    'b',
  ],
  [
    'with a host port that is used on another address',
    samplePod('p', port(80, '10.0.0.1')),
    [sampleNode('a')],
    [samplePod('q', { ...port(80, '10.0.0.2'), nodeName: 'a' })],
    'a',
  ],
  [
    'to a node that it prefers, though it is fuller',
    samplePod('p', {
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 100, preference: { matchExpressions: [{ key: 'zone', operator: 'In', values: ['x'] }] } },
          ],
        },
      },
    }),
    zoned,
    [samplePod('q', { ...requesting({ cpu: '1' }), nodeName: 'a' })],
    'a',
  ],
  [
    'away from a PreferNoSchedule taint',
    samplePod('p'),
    [sampleNode('a', { taints: [{ key: 'k', effect: 'PreferNoSchedule' }] }), sampleNode('b')],
    [],
    'b',
  ],
  [
    'away from its siblings',
    samplePod(
      'p',
      {},
      {
        labels: { app: 'web' },
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: 'r', controller: true }],
      },
    ),
    [sampleNode('a', { resources: { cpu: '400', memory: '800Gi' } }), sampleNode('b')],
    [on('a', 'q', 'web')],
    'b',
  ],
  [
    'to the node that has its image already',
    samplePod('p', { containers: [{ name: 'c', image: 'big:1' }] }),
    [sampleNode('a'), sampleNode('b', { images: [{ names: ['big:1'], sizeBytes: 900 * 1024 * 1024 }] })],
    [],
    'b',
  ],
];

for (const [name, pod, nodes, placed, node] of placements) {
  test(`a pod is scheduled ${name}`, () => {
    const decision = choose(pod, nodes, placed);
    assert.deepEqual(decision, { kind: 'place', node });
  });
}

const claim = (more: object = {}, metadata: object = {}): Claim =>
  ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'd', namespace: 'default', uid: 'd', ...metadata },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...more },
  }) as Claim;
const withClaim = samplePod('p', { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'd' } }] });
const lateClass: StorageClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'late' },
  provisioner: 'kubernetes.io/no-provisioner',
  volumeBindingMode: 'WaitForFirstConsumer',
};
const localVolume = (node: string): Volume =>
  ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `on-${node}` },
    spec: {
      capacity: { storage: '2Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'late',
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }] },
          ],
        },
      },
    },
    status: { phase: 'Available' },
  }) as Volume;

test('each problem of a claim delays a pod with its own message', () => {
  const said = (stored: SampleVolumes): string => {
    const decision = choose(withClaim, zoned, [], stored);
    return decision.kind === 'refuse' ? decision.message : decision.node;
  };
  assert.equal(said({}), '0/2 nodes are available: persistentvolumeclaim "d" not found. not found');
  assert.equal(
    said({ claims: [claim()] }),
    '0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found',
  );
  assert.equal(
    said({ claims: [claim({}, { deletionTimestamp: 'now' })] }),
    '0/2 nodes are available: persistentvolumeclaim "d" is being deleted. not found',
  );
  assert.equal(
    said({ claims: [claim({ storageClassName: 'late' })], classes: [lateClass] }),
    `0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind.${noHelp(2)}`,
  );
});

test('a pod is scheduled to the node of a volume that its claim can bind', () => {
  const stored = { claims: [claim({ storageClassName: 'late' })], classes: [lateClass], volumes: [localVolume('b')] };
  assert.deepEqual(choose(withClaim, zoned, [], stored), { kind: 'place', node: 'b' });
});

test('a ReadWriteOncePod claim permits only one pod', () => {
  const bound = claim(
    { accessModes: ['ReadWriteOncePod'], volumeName: 'on-a' },
    { annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
  );
  const user = samplePod('q', { ...withClaim.spec, nodeName: 'a' });
  const decision = choose(withClaim, [zoned[0]!], [user], { claims: [bound], volumes: [localVolume('a')] });
  assert.match(
    decision.kind === 'refuse' ? decision.message : '',
    /ReadWriteOncePod access mode already in-use by another pod/,
  );
});

test('preemption selects as few victims of as low priority as possible', () => {
  const placed = [
    samplePod('low', { ...requesting({ cpu: '2' }), nodeName: 'a', priority: 1 }),
    samplePod('lower', { ...requesting({ cpu: '2' }), nodeName: 'a', priority: 0 }),
    samplePod('high', { ...requesting({ cpu: '4' }), nodeName: 'b', priority: 9 }),
  ];
  const cluster = sampleCluster(zoned, placed);
  const decision = new NodeChooser(seededRandom(1)).choose(
    samplePod('p', { ...requesting({ cpu: '2' }), priority: 5 }),
    cluster,
  );
  assert.ok(decision.kind === 'refuse' && decision.preemption);
  assert.equal(decision.message, '0/2 nodes are available: 2 Insufficient cpu.');
  assert.equal(decision.preemption.node, 'a');
  assert.deepEqual(
    decision.preemption.victims.map(({ metadata }) => metadata.name),
    ['lower'],
  );
  assert.equal(cluster.state.node('a')!.cpu, 4000);
});

test('only part of a large cluster is checked for each pod, and successive pods cover all of it', () => {
  assert.deepEqual([3, 99, 100, 250, 1_000, 5_000, 10_000].map(nodesToFind), [3, 99, 100, 120, 420, 500, 500]);
  const nodes = Array.from({ length: 300 }, (_, at) => sampleNode(`n${at}`));
  const cluster = sampleCluster(nodes);
  const chooser = new NodeChooser(seededRandom(1));
  const used = new Set<string>();
  for (let at = 0; at < 300; at += 1) {
    const pod = samplePod(`p${at}`, requesting({ cpu: '100m' }));
    const decision = chooser.choose(pod, cluster);
    assert.ok(decision.kind === 'place');
    used.add(decision.node);
    cluster.state.setPod(pod, decision.node);
  }
  assert.equal(used.size, 300);
});
