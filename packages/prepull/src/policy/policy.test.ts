import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PrePullImage, PrePullPolicy } from '@fairlead/api';
import type { Node, PodSpec, Workload } from '@fairlead/apimachinery';
import { decideGate, defaultGateSettings } from '../gate/gate-decision.ts';
import { nodesForPod } from '../node/nodes-for-pod.ts';
import { targetNodes } from '../node/target-nodes.ts';
import { planWorkload } from './plan-workload.ts';
import { policyCondition, policyFor, selectsWorkload } from './policy.ts';
import { readSettings } from './pull-settings.ts';

const now = Date.parse('2030-01-01T01:00:00Z');
const policy = (spec: object = {}, name = 'p'): PrePullPolicy => ({
  apiVersion: 'kwarm.io/v1alpha1',
  kind: 'PrePullPolicy',
  metadata: { name },
  spec,
});
const workload = (
  images: Record<string, string>,
  options: { labels?: Record<string, string>; seen?: object; pod?: PodSpec; kind?: string } = {},
): Workload => ({
  apiVersion: 'apps/v1',
  kind: options.kind ?? 'Deployment',
  metadata: {
    name: 'web',
    namespace: 'shop',
    uid: 'w',
    labels: options.labels ?? { 'kwarm.io/enabled': 'true' },
    ...(options.seen ? { annotations: { 'kwarm.io/last-images': JSON.stringify(options.seen) } } : {}),
  },
  spec: {
    template: {
      spec: { ...options.pod, containers: Object.entries(images).map(([name, image]) => ({ name, image })) },
    },
  },
});
const node = (
  name: string,
  options: { labels?: Record<string, string>; ageSeconds?: number; images?: string[]; spec?: Node['spec'] } = {},
): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name,
    labels: options.labels ?? {},
    creationTimestamp: new Date(now - (options.ageSeconds ?? 86_400) * 1000).toISOString(),
  },
  ...(options.spec ? { spec: options.spec } : {}),
  status: { conditions: [{ type: 'Ready', status: 'True' }], images: [{ names: options.images ?? [] }] },
});

test('a policy selects workloads by label, namespace and kind, and by the enabled label if its selector is empty', () => {
  const of = workload({ web: 'a:1' }, { labels: { tier: 'front', 'kwarm.io/enabled': 'true' } });
  const cases: [spec: object, expected: boolean][] = [
    [{}, true],
    [{ selector: { matchLabels: { tier: 'front' } } }, true],
    [{ selector: { matchLabels: { tier: 'back' } } }, false],
    [{ selector: { namespaces: ['shop'] } }, true],
    [{ selector: { namespaces: ['other'] } }, false],
    [{ workloadKinds: ['StatefulSet'] }, false],
    [{ workloadKinds: ['Deployment'] }, true],
  ];
  for (const [spec, expected] of cases) assert.equal(selectsWorkload(policy(spec), of), expected, JSON.stringify(spec));
  assert.equal(
    selectsWorkload(policy(), workload({}, { labels: {} })),
    false,
    'an empty selector does not select everything',
  );
  const off = workload({}, { labels: { tier: 'front', 'kwarm.io/enabled': 'false' } });
  assert.equal(selectsWorkload(policy({ selector: { matchLabels: { tier: 'front' } } }), off), false);
});

test('the first valid policy by name applies', () => {
  const wrong = policy({ timeout: 'never' }, 'a');
  assert.equal(policyFor(workload({}), [policy({}, 'c'), policy({}, 'b'), wrong])?.metadata.name, 'b');
});

test('the Ready condition of a policy reports what it selects', () => {
  const cases: [spec: object, watched: number, all: number, reason: string, message: RegExp][] = [
    [
      {},
      0,
      9,
      'NothingSelected',
      /no workload has the labels kwarm\.io\/enabled=true \(spec\.selector\.matchLabels is empty\)/,
    ],
    [
      { selector: { matchLabels: { a: 'b' }, namespaces: ['x'] } },
      0,
      9,
      'NothingSelected',
      /no workload in x has the labels a=b/,
    ],
    [{}, 9, 9, 'EverythingSelected', /all 9 workloads/],
    [{}, 2, 9, 'Watching', /2 of 9/],
    [{ retry: { maxAttempts: 0 } }, 2, 9, 'InvalidSpec', /spec\.retry\.maxAttempts/],
    [{ gate: { deadline: 'x' } }, 2, 9, 'InvalidSpec', /spec\.gate\.deadline/],
  ];
  for (const [spec, watched, all, reason, message] of cases) {
    const condition = policyCondition(policy(spec), watched, all);
    assert.equal(condition.reason, reason);
    assert.match(condition.message, message);
  }
});

const images = (made: readonly PrePullImage[]) => made.map(({ spec }) => spec?.image);

test('a new image gets one PrePullImage for any number of containers', () => {
  const of = workload({ web: 'a:2', side: 'a:2', old: 'b:1' }, { seen: { web: 'a:1', old: 'b:1' } });
  const plan = planWorkload(of, policy(), [], [], now);
  assert.deepEqual(images(plan.create), ['a:2']);
  assert.equal(plan.record, '{"old":"b:1","side":"a:2","web":"a:2"}');
  const settled = workload({ web: 'a:2' }, { seen: { web: 'a:2' } });
  assert.deepEqual(planWorkload(settled, policy(), [], [], now), { create: [], update: [], remove: [] });
  assert.deepEqual(planWorkload(of, undefined, [], [], now), { create: [], update: [], remove: [] });
});

test('a last-images annotation that is not JSON counts as empty', () => {
  const of = workload({ web: 'a:2' });
  of.metadata.annotations = { 'kwarm.io/last-images': 'not json' };
  assert.deepEqual(images(planWorkload(of, policy(), [], [], now).create), ['a:2']);
});

test('the PrePullImage of an image that is no longer used is removed unless it is finished', () => {
  const [old] = planWorkload(workload({ web: 'a:1' }), policy(), [], [], now).create;
  const next = workload({ web: 'a:2' }, { seen: { web: 'a:1' } });
  assert.deepEqual(images(planWorkload(next, policy(), [old!], [], now).remove), ['a:1']);
  assert.deepEqual(planWorkload(next, policy(), [{ ...old!, status: { phase: 'Completed' } }], [], now).remove, []);
});

test('a PrePullImage follows its policy, also when the policy changes', () => {
  const pod: PodSpec = { imagePullSecrets: [{ name: 'own' }], nodeSelector: { disk: 'ssd' } };
  const of = workload({ web: 'a:1' }, { pod });
  const first = policy({
    nodeSelector: { matchLabels: { pool: 'web' } },
    imagePullSecrets: { additional: [{ name: 'more' }] },
  });
  const [made] = planWorkload(of, first, [], [], now).create;
  assert.deepEqual(made?.spec?.nodes?.selector?.matchLabels, { pool: 'web', disk: 'ssd' });
  assert.deepEqual(made?.spec?.imagePullSecrets, [{ name: 'own' }, { name: 'more' }]);
  const seen = workload({ web: 'a:1' }, { pod, seen: { web: 'a:1' } });
  assert.deepEqual(planWorkload(seen, first, [made!], [], now).update, []);
  const changed = policy({ ...first.spec, imagePullSecrets: { inherit: false }, timeout: '1m' });
  const [update] = planWorkload(seen, changed, [made!], [], now).update;
  assert.equal(update?.spec?.timeout, '1m');
  assert.equal(update?.spec?.imagePullSecrets, undefined);
});

test('a node that has just joined gets the images of unchanged workloads', () => {
  const of = workload({ web: 'a:1' }, { seen: { web: 'a:1' } });
  const create = (nodes: Node[]) => images(planWorkload(of, policy(), [], nodes, now).create);
  assert.deepEqual(create([node('old')]), []);
  assert.deepEqual(create([node('new', { ageSeconds: 30 })]), ['a:1']);
  assert.deepEqual(create([node('new', { ageSeconds: 30, images: ['docker.io/library/a:1'] })]), []);
});

const required = (...matchExpressions: { key: string; operator: string; values?: string[] }[]): PodSpec => ({
  affinity: {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } },
  },
});

test('nodesForPod applies node selector, affinity and taints', () => {
  const nodes = [
    node('plain', { labels: { zone: 'a', cpus: '4' } }),
    node('large', { labels: { zone: 'b', cpus: '64' } }),
    node('gpu', {
      labels: { zone: 'b', cpus: '8' },
      spec: { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] },
    }),
    node('shut', { labels: { zone: 'a', cpus: '4' }, spec: { unschedulable: true } }),
  ];
  const cases: [pod: PodSpec, expected: string[]][] = [
    [{}, ['plain', 'large']],
    [{ nodeSelector: { zone: 'b' } }, ['large']],
    [{ tolerations: [{ operator: 'Exists' }] }, ['plain', 'large', 'gpu', 'shut']],
    [
      { nodeSelector: { zone: 'b' }, tolerations: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] },
      ['large', 'gpu'],
    ],
    [required({ key: 'cpus', operator: 'Gt', values: ['8'] }), ['large']],
    [required({ key: 'zone', operator: 'NotIn', values: ['b'] }), ['plain']],
  ];
  for (const [pod, expected] of cases)
    assert.deepEqual(
      nodesForPod(pod, nodes).map(({ metadata }) => metadata.name),
      expected,
      JSON.stringify(pod),
    );
});

test('a gate opens at its quorum or its deadline, and reports the time saved', () => {
  const gate = (completed: number, failed: number, ageSeconds: number): PrePullImage => ({
    apiVersion: 'kwarm.io/v1alpha1',
    kind: 'PrePullImage',
    metadata: { name: 'g', creationTimestamp: new Date(now - ageSeconds * 1000).toISOString() },
    spec: { image: 'web:2' },
    status: {
      summary: { total: 10, completed, failed, pending: 0, pulling: 10 - completed - failed },
      nodeStatus: Array.from({ length: completed }, (_, i) => ({
        node: `n${i}`,
        status: 'Completed',
        duration: '20s',
      })),
    },
  });
  const decision = (completed: number, failed: number, age: number) =>
    decideGate(gate(completed, failed, age), defaultGateSettings, now);
  assert.equal(decision(7, 0, 10).open, false);
  assert.match(decision(7, 0, 10).reason, /7 of 10 nodes have web:2, 8 are needed/);
  assert.deepEqual(decision(8, 0, 10), {
    open: true,
    savedSeconds: 20,
    reason: '8 of 10 nodes have web:2; a pod starts about 20s sooner there',
  });
  assert.match(
    decision(3, 7, 300).reason,
    /3 of 10 nodes have web:2, 7 could not pull it, and the deadline of 5m has passed/,
  );
  assert.equal(decision(3, 7, 300).open, true);
});

test('a selector key that Object.prototype has does not match unlabelled nodes', () => {
  const nodes = [node('bare'), node('labelled', { labels: { constructor: 'yes' } })];
  const selector = { matchExpressions: [{ key: 'constructor', operator: 'Exists' as const }] };
  const selected = targetNodes({ nodes: { selector } }, nodes);
  assert.deepEqual(
    selected.map(({ metadata }) => metadata.name),
    ['labelled'],
  );
  assert.deepEqual(
    nodesForPod(required({ key: 'constructor', operator: 'Exists' }), nodes).map(({ metadata }) => metadata.name),
    ['labelled'],
  );
});

test('an invalid field of a PrePullImage is an error that names it', () => {
  const expression = (operator: string) => ({ nodes: { selector: { matchExpressions: [{ key: 'a', operator }] } } });
  const cases: [spec: object, message: RegExp][] = [
    [expression('Near'), /^spec\.nodes\.selector\.matchExpressions\[0\]\.operator: Invalid value: "Near"/],
    [{ image: 'UPPER CASE' }, /^spec\.image: "UPPER CASE" is not a valid image reference/],
    [{ imageDigest: 'sha256:short' }, /^spec\.imageDigest: .*invalid digest/],
    [{ timeout: 'soon' }, /^spec\.timeout: "soon" is not a duration/],
    [{ timeout: '10ms' }, /^spec\.timeout: must be at least 1s/],
    [{ retry: { maxAttempts: 0 } }, /^spec\.retry\.maxAttempts: must be at least 1/],
  ];
  for (const [spec, message] of cases)
    assert.throws(() => readSettings({ spec: { image: 'nginx', ...spec } }), { message }, JSON.stringify(spec));
});

test('all spellings of a Docker Hub image are the same image', () => {
  const [first, ...others] = ['nginx', 'library/nginx', 'docker.io/nginx', 'index.docker.io/library/nginx'].map(
    (image) => readSettings({ spec: { image } }).image,
  );
  for (const other of others) assert.deepEqual(other, first);
  assert.equal(first?.repository, 'library/nginx');
});
