import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodePullStatus, PrePullImage } from '@fairlead/api';
import { type ContainerStatus, formatTime, type Node, type Pod, parseImageReference } from '@fairlead/apimachinery';
import { imageStatus } from '../image/image-status.ts';
import { uniqueName } from '../names.ts';
import { canonicalNames, isPresent } from '../node/node-images.ts';
import { readSettings } from '../policy/pull-settings.ts';
import { planPulls } from './plan-pulls.ts';
import { type Job, pullJob } from './pull-job.ts';
import { ActivePulls } from './pull-limits.ts';
import { type PullOutcome, pullOutcome } from './pull-outcome.ts';
import { WaitingPulls } from './waiting-pulls.ts';

const digest = `sha256:${'a'.repeat(64)}`;
test('an image is present by digest, or by a tag other than latest', () => {
  const present = canonicalNames([`docker.io/library/nginx@${digest}`, 'docker.io/library/nginx:1', '<none>@<none>']);
  for (const [image, expected] of [
    ['nginx:1', true],
    ['docker.io/library/nginx:1', true],
    ['nginx:2', false],
    ['nginx', false],
    [`nginx@${digest}`, true],
    [`nginx@sha256:${'b'.repeat(64)}`, false],
    [`nginx:1@${digest}`, true],
    ['other/nginx:1', false],
  ] as const)
    assert.equal(isPresent(present, parseImageReference(image)), expected, image);
});

test('uniqueName gives distinct DNS labels for long and similar names', () => {
  const long = 'x'.repeat(250);
  const made = new Set([
    uniqueName(long, 'a'),
    uniqueName(long, 'b'),
    uniqueName(`${long}y`, 'a', 'c'),
    uniqueName('', 'a'),
  ]);
  assert.equal(made.size, 4);
  for (const name of made) assert.match(name, /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/);
  assert.notEqual(uniqueName('n', 'a', 'bc'), uniqueName('n', 'ab', 'c'));
});

const job: Job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j', namespace: 'n' }, spec: {} };
const pod = (container: Partial<ContainerStatus>, status: object = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  status: { phase: 'Pending', containerStatuses: [{ name: 'pull', ...container }], ...status },
});
const waiting = (reason: string, message?: string) => ({
  state: { waiting: { reason, ...(message ? { message } : {}) } },
});
const ended = (type: string, reason?: string): Job => ({
  ...job,
  status: { conditions: [{ type, status: 'True', ...(reason ? { reason } : {}) }] },
});

const outcomes: readonly [what: string, job: Job, pods: Pod[], outcome: PullOutcome][] = [
  ['no pod yet', job, [], { kind: 'pulling' }],
  ['being created', job, [pod(waiting('ContainerCreating'))], { kind: 'pulling' }],
  ['pulled and started', job, [pod({ imageID: 'x', state: { running: {} } })], { kind: 'pulled' }],
  [
    'no such command',
    job,
    [pod({ state: { terminated: { reason: 'StartError', exitCode: 128 } } })],
    { kind: 'pulled' },
  ],
  ['pulled, cannot run', job, [pod(waiting('CreateContainerError', 'no command'))], { kind: 'pulled' }],
  ['crashed', job, [pod(waiting('CrashLoopBackOff'))], { kind: 'pulled' }],
  [
    'a foreign exit code',
    ended('Failed', 'BackoffLimitExceeded'),
    [pod({ imageID: 'x', state: { terminated: { exitCode: 3 } } })],
    { kind: 'pulled' },
  ],
  ['not found', job, [pod(waiting('ErrImagePull', 'a: not found'))], { kind: 'failed', message: 'a: not found' }],
  [
    'backing off',
    job,
    [pod(waiting('ImagePullBackOff', 'Back-off pulling image "a": ErrImagePull: a: not found'))],
    { kind: 'failed', message: 'a: not found' },
  ],
  [
    'an old kubelet backs off',
    job,
    [pod(waiting('ImagePullBackOff', 'Back-off pulling image "a"'))],
    { kind: 'failed', message: 'Back-off pulling image "a"' },
  ],
  ['no image name', job, [pod(waiting('InvalidImageName'))], { kind: 'failed', message: 'InvalidImageName' }],
  [
    'too slow',
    ended('Failed', 'DeadlineExceeded'),
    [],
    { kind: 'failed', message: 'timed out: the pull took longer than spec.timeout' },
  ],
  ['done and its pod gone', ended('Complete'), [], { kind: 'pulled' }],
];

test('a pull succeeded if the kubelet has the image, for any exit code of the container', () => {
  for (const [what, of, pods, outcome] of outcomes) assert.deepEqual(pullOutcome(of, pods), outcome, what);
  const full = pod(
    {},
    { containerStatuses: [], conditions: [{ type: 'PodScheduled', status: 'False', message: 'Insufficient cpu' }] },
  );
  assert.deepEqual(pullOutcome(job, [full]), { kind: 'pulling', hint: 'Insufficient cpu' });
  assert.deepEqual(pullOutcome(ended('Failed', 'DeadlineExceeded'), [full]), {
    kind: 'failed',
    message: 'timed out: Insufficient cpu',
  });
});

const now = Date.parse('2030-01-01T00:10:00Z');
const at = (secondsAgo: number) => formatTime(now - secondsAgo * 1000);
const image = (nodeStatus: NodePullStatus[] = [], spec: object = {}): PrePullImage => ({
  apiVersion: 'kwarm.io/v1alpha1',
  kind: 'PrePullImage',
  metadata: { name: 'i', namespace: 'n', uid: 'u', generation: 1 },
  spec: { image: 'a:1', ...spec },
  status: { nodeStatus },
});
const node = (name: string, ready = true, images: string[] = []): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }], images: [{ names: images }] },
});
const plan = (of: PrePullImage, nodes: Node[], jobs: { job: Job; outcome: PullOutcome }[] = []) =>
  planPulls(of, readSettings(of), { nodes, jobs, now });
const jobOn = (of: PrePullImage, name: string, attempt: number): Job => {
  const made = pullJob(of, readSettings(of), { node: name, attempt });
  return { ...made, metadata: { ...made.metadata, creationTimestamp: at(5) } };
};

test('nodes without the image wait, nodes with it are completed, nodes that are not Ready report it', () => {
  const { nodeStatus, start } = plan(image(), [node('a'), node('b', true, ['a:1']), node('c', false)]);
  assert.deepEqual(start, [{ node: 'a', attempt: 0 }]);
  assert.deepEqual(
    nodeStatus.map(({ status, error }) => [status, error]),
    [
      ['Pending', undefined],
      ['Completed', undefined],
      ['Pending', 'the node is not Ready'],
    ],
  );
});

test('a failed pull is retried after its back-off until maxAttempts', () => {
  const of = image();
  const first = plan(of, [node('a')], [{ job: jobOn(of, 'a', 0), outcome: { kind: 'failed', message: 'no' } }]);
  assert.equal(first.nodeStatus[0]?.status, 'Pending');
  assert.equal(first.nodeStatus[0]?.retryCount, 1);
  assert.equal(first.remove.failed.length, 1);
  const failedAgo = (seconds: number, retryCount: number): NodePullStatus => ({
    node: 'a',
    status: 'Pending',
    retryCount,
    completedAt: at(seconds),
    error: 'no',
  });
  assert.deepEqual(plan(image([failedAgo(10, 1)]), [node('a')]).start, []);
  assert.equal(plan(image([failedAgo(10, 1)]), [node('a')]).nextAt, now + 20_000);
  assert.deepEqual(plan(image([failedAgo(31, 1)]), [node('a')]).start, [{ node: 'a', attempt: 1 }]);
  const last = plan(of, [node('a')], [{ job: jobOn(of, 'a', 2), outcome: { kind: 'failed', message: 'no' } }]);
  assert.deepEqual([last.nodeStatus[0]?.status, last.nodeStatus[0]?.retryCount], ['Failed', 3]);
  assert.deepEqual(plan(image([...last.nodeStatus]), [node('a')]).start, []);
});

test('a changed spec starts over; an unchanged one keeps its results', () => {
  const done: NodePullStatus = { node: 'a', status: 'Completed', completedAt: at(60) };
  const given: NodePullStatus = { node: 'b', status: 'Failed', retryCount: 3, completedAt: at(60), error: 'no' };
  const settled = image([done, given]);
  assert.deepEqual(plan(settled, [node('a'), node('b')]).start, []);
  const changed = {
    ...settled,
    status: {
      ...settled.status,
      conditions: imageStatus({ ...settled, metadata: { ...settled.metadata, generation: 0 } }, [done, given], now)
        .conditions!,
    },
  };
  assert.deepEqual(plan(changed, [node('a'), node('b')]).start, [
    { node: 'a', attempt: 0 },
    { node: 'b', attempt: 0 },
  ]);
});

test('Jobs of deleted nodes, older specs and earlier attempts are removed', () => {
  const of = image();
  const pulling = { kind: 'pulling' } as const;
  const jobs = [
    { job: jobOn(of, 'gone', 0), outcome: pulling },
    { job: jobOn(image([], { image: 'a:0' }), 'a', 0), outcome: pulling },
    { job: jobOn(of, 'a', 1), outcome: pulling },
    { job: jobOn(of, 'a', 0), outcome: pulling },
  ];
  const { remove, nodeStatus } = plan(of, [node('a')], jobs);
  assert.equal(remove.pulled.length, 3);
  assert.equal(nodeStatus[0]?.jobName, jobs[2]?.job.metadata.name);
});

test('a pull Job meets the restricted profile and mounts no token', () => {
  const of = image([], { imagePullSecrets: [{ name: 'key' }], timeout: '90s', imageDigest: digest });
  const { metadata, spec } = jobOn(of, 'a', 0);
  const template = (spec as { template: { spec: Record<string, unknown> } }).template.spec;
  const [container] = template['containers'] as Record<string, unknown>[];
  assert.equal(metadata.namespace, 'n');
  assert.equal(spec['activeDeadlineSeconds'], 90);
  assert.equal(template['automountServiceAccountToken'], false);
  assert.deepEqual(template['tolerations'], [{ operator: 'Exists' }]);
  assert.deepEqual(template['imagePullSecrets'], [{ name: 'key' }]);
  assert.equal(container?.['image'], `a:1@${digest}`);
  assert.deepEqual(container?.['securityContext'], {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
});

test('tenants are served round-robin, then by priority, and a full node does not block other pulls', () => {
  const line = new WaitingPulls();
  const wait = (key: string, tenant: string, registry: string, nodes: string[], priority = 0) =>
    line.set({ key, tenant, registry, priority, pulls: nodes.map((name) => ({ node: name, attempt: 0 })) });
  wait('red/many', 'red', 'r1', ['a', 'b', 'c']);
  wait('red/urgent', 'red', 'r1', ['a'], 5);
  wait('blue/one', 'blue', 'r2', ['a', 'b']);
  const active = new ActivePulls({ cluster: 4, node: 2 });
  const order: string[] = [];
  for (let next = line.next(active); next; next = line.next(active)) {
    order.push(`${next.key} ${next.pull.node}`);
    active.take(order.at(-1)!, { node: next.pull.node, registry: next.registry, tenant: next.tenant });
  }
  assert.deepEqual(order, ['red/urgent a', 'blue/one a', 'red/many b', 'blue/one b']);
  active.release('red/urgent a');
  assert.equal(line.next(active)?.pull.node, 'a');
  assert.equal(line.size, 1);
});
