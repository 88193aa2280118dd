import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Toleration } from '@fairlead/apimachinery';
import { now, type PodSample, pod, template } from '../../../../test/support/sample-objects.ts';
import type { DaemonSet, Node, Pod, PodSpec } from '../kinds.ts';
import { isAvailable } from '../pods.ts';
import { daemonPod, podsByNode, targetNode } from './daemon-pods.ts';
import { concerns, daemonSetStatus } from './daemon-set-status.ts';
import { nodeFit } from './node-fit.ts';
import { type DaemonView, planPlaces } from './plan-daemons.ts';
import { planUpdate } from './plan-update.ts';

const setOf = (spec: Partial<DaemonSet['spec']> = {}, podSpec: Partial<PodSpec> = {}): DaemonSet => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: {
    name: 'agent',
    namespace: 'shop',
    uid: 'uid-agent',
    generation: 2,
    annotations: { 'deprecated.daemonset.template.generation': '2' },
  },
  spec: {
    selector: { matchLabels: { app: 'agent' } },
    template: { ...template('a:2', { app: 'agent' }), spec: { ...template().spec, ...podSpec } },
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
    ...spec,
  },
});

const node = (name: string, taints: readonly string[] = [], labels: Record<string, string> = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels },
  spec: {
    taints: taints.map((text) => {
      const [key = '', effect = ''] = text.split(':');
      return { key, effect };
    }),
  },
});

const exists = (key: string, effect: string): Toleration => ({ key, operator: 'Exists', effect });

const fits: readonly [why: string, Partial<PodSpec>, Node, run: boolean, stay: boolean][] = [
  ['no restrictions', {}, node('a'), true, true],
  ['a NoSchedule taint prevents new pods', {}, node('a', ['x:NoSchedule']), false, true],
  ['a NoExecute taint evicts existing pods', {}, node('a', ['x:NoExecute']), false, false],
  ['preferred affinity is ignored', {}, node('a', ['x:PreferNoSchedule']), true, true],
  ['a toleration helps', { tolerations: [exists('x', 'NoExecute')] }, node('a', ['x:NoExecute']), true, true],
  ['a cordoned node', {}, node('a', ['node.kubernetes.io/unschedulable:NoSchedule']), true, true],
  ['a node that is not ready', {}, node('a', ['node.kubernetes.io/not-ready:NoExecute']), true, true],
  ['no network', {}, node('a', ['node.kubernetes.io/network-unavailable:NoSchedule']), false, true],
  [
    'no network, which is not used',
    { hostNetwork: true },
    node('a', ['node.kubernetes.io/network-unavailable:NoSchedule']),
    true,
    true,
  ],
  ['another label', { nodeSelector: { disk: 'ssd' } }, node('a', [], { disk: 'hdd' }), false, false],
  ['the label', { nodeSelector: { disk: 'ssd' } }, node('a', [], { disk: 'ssd' }), true, true],
  ['another node', { nodeName: 'b' }, node('a'), false, false],
];

test('a node is fit for a new daemon pod, an existing one, or none', () => {
  for (const [why, spec, subject, run, stay] of fits) {
    assert.deepEqual(nodeFit(setOf({}, spec), subject), { run, stay }, why);
  }
});

test('a change of a node triggers a DaemonSet only if a pod must be created or deleted, or was misscheduled', () => {
  const set = setOf();
  const misplaced: DaemonSet = {
    ...set,
    status: { currentNumberScheduled: 0, numberMisscheduled: 1, desiredNumberScheduled: 0, numberReady: 0 },
  };
  assert.equal(concerns(set, { run: true, stay: true }, false), true);
  assert.equal(concerns(set, { run: true, stay: true }, true), false);
  assert.equal(concerns(set, { run: false, stay: true }, true), false, 'a taint that came later');
  assert.equal(concerns(set, { run: false, stay: false }, true), true);
  assert.equal(concerns(misplaced, { run: true, stay: true }, true), true);
});

test('a pod is created for one node, with its revision', () => {
  const made = daemonPod(setOf({}, { tolerations: [exists('x', 'NoSchedule')] }), 'new', 'node-7');
  assert.equal(targetNode(made), 'node-7');
  assert.deepEqual(made.metadata.labels, {
    app: 'agent',
    'controller-revision-hash': 'new',
    'pod-template-generation': '2',
  });
  assert.equal(made.spec.tolerations?.length, 7);
});

type Given = PodSample & { readonly revision?: 'old' | 'new' };

function daemon(nodeName: string, { revision = 'new', ...sample }: Given = {}): Pod {
  const labels = {
    app: 'agent',
    'controller-revision-hash': revision,
    'pod-template-generation': revision === 'new' ? '2' : '1',
  };
  return pod({ node: nodeName, labels, ...sample });
}

function view(set: DaemonSet, nodes: readonly Node[], pods: readonly Pod[], wait?: number): DaemonView {
  return {
    set,
    hash: 'new',
    nodes,
    pods: podsByNode(pods),
    isAvailable: (each) => isAvailable(each, set.spec.minReadySeconds ?? 0, now),
    backoffOf: () => wait,
  };
}

const names = (pods: readonly Pod[]): string[] => pods.map(({ metadata }) => metadata.name);
const three = [node('a'), node('b'), node('c', ['x:NoExecute'])];

test('each fit node gets a pod, and pods on other nodes are deleted', () => {
  const made = planPlaces(view(setOf(), three, [daemon('c', { name: 'on-c', ready: 1 })]));
  assert.deepEqual(made.create, ['a', 'b']);
  assert.deepEqual(names(made.delete), ['on-c']);
});

test('a duplicate pod on a node, and a pod for a deleted node, are deleted', () => {
  const made = planPlaces(
    view(setOf(), three, [
      daemon('a', { name: 'second', created: 5 }),
      daemon('a', { name: 'first', created: 1 }),
      daemon('b', { name: 'only' }),
      { ...daemonPod(setOf(), 'new', 'gone'), metadata: { name: 'lost', namespace: 'shop' } },
    ]),
  );
  assert.deepEqual(made.create, []);
  assert.deepEqual(names(made.delete), ['second', 'lost']);
});

test('a failed pod is replaced with a back-off', () => {
  const failed = [daemon('a', { name: 'failed', phase: 'Failed' }), daemon('b', { name: 'well' })];
  const first = planPlaces(view(setOf(), three, failed));
  assert.deepEqual(names(first.delete), ['failed']);
  assert.equal(first.events[0]?.message, 'Found failed daemon pod shop/failed on node a, will try to kill it');
  const again = planPlaces(view(setOf(), three, failed, 4000));
  assert.deepEqual([again.delete, again.requeueAfterMs], [[], 4000]);
});

const surge = setOf({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } });
const nodes = [node('a'), node('b'), node('c')];
const old = (name: string, sample: Given = {}) =>
  daemon(name, { name: `old-${name}`, revision: 'old', ready: 1, ...sample });
const fresh = (name: string, sample: Given = {}) =>
  daemon(name, { name: `new-${name}`, ready: 1, created: 9, ...sample });

const updates: readonly [why: string, DaemonSet, Pod[], create: string[], remove: string[]][] = [
  ['one may be unavailable', setOf(), [old('a'), old('b'), old('c')], [], ['old-a']],
  ['one is missing already', setOf(), [old('b'), old('c')], [], []],
  ['a new one is not available yet', setOf(), [daemon('a'), old('b'), old('c')], [], []],
  ['it is now', setOf(), [fresh('a'), old('b'), old('c')], [], ['old-b']],
  [
    'an unavailable pod is always deleted',
    setOf(),
    [old('a'), old('b'), daemon('c', { name: 'sick', revision: 'old', phase: 'Running' })],
    [],
    ['sick'],
  ],
  ['the new beside the old', surge, [old('a'), old('b'), old('c')], ['a'], []],
  ['one surges already', surge, [old('a'), daemon('a', { created: 9 }), old('b'), old('c')], [], []],
  [
    'the new one is available, so the old one is deleted and the next surges',
    surge,
    [old('a'), fresh('a'), old('b'), old('c')],
    ['b'],
    ['old-a'],
  ],
];

test('an update replaces at most maxUnavailable pods at a time, or surges', () => {
  for (const [why, set, pods, create, remove] of updates) {
    const made = planUpdate(view(set, nodes, pods));
    assert.deepEqual([made.create, names(made.delete)], [create, remove], why);
  }
});

test('only the oldest of several pods on a node is counted, and misscheduled pods are counted', () => {
  const pods = [old('a'), daemon('a', { created: 9 }), fresh('b'), daemon('d', { ready: 1 })];
  const tainted = node('d', ['x:NoSchedule']);
  assert.deepEqual(daemonSetStatus(view(setOf(), [...nodes, tainted], pods), undefined), {
    currentNumberScheduled: 2,
    numberMisscheduled: 1,
    desiredNumberScheduled: 3,
    numberReady: 2,
    observedGeneration: 2,
    updatedNumberScheduled: 1,
    numberAvailable: 2,
    numberUnavailable: 1,
  });
});
