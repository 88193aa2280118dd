import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, deployment, now, pod, replicaSet, template } from '../../../../test/support/sample-objects.ts';
import type { Deployment, DeploymentStatus, Pod, ReplicaSet } from '../kinds.ts';
import { condition, conditionOf } from './conditions.ts';
import { planDeployment } from './plan-deployment.ts';

const plan = (subject: Deployment, sets: readonly ReplicaSet[], pods: readonly Pod[] = [], time = now) =>
  planDeployment({ deployment: subject, sets, podsOf: () => pods, now: time });

const sizes = (made: ReturnType<typeof plan>): Record<string, number | 'deleted'> =>
  Object.fromEntries(
    made.writes.map(({ kind, set }) => [set.metadata.name, kind === 'delete' ? 'deleted' : set.spec.replicas]),
  );

const progressing = (reason: string, status: 'True' | 'False' | 'Unknown' = 'True', time = now) =>
  condition('Progressing', status, reason, '', time);

/** The status after a finished rollout of the Deployment. */
const settled = (replicas: number, extra: DeploymentStatus = {}): DeploymentStatus => ({
  observedGeneration: 1,
  replicas,
  updatedReplicas: replicas,
  readyReplicas: replicas,
  availableReplicas: replicas,
  terminatingReplicas: 0,
  conditions: [progressing('NewReplicaSetAvailable')],
  ...extra,
});

test('the first reconcile creates a ReplicaSet of full size, with revision 1', () => {
  const made = plan(deployment(), []);
  const [write] = made.writes;
  assert.ok(write?.kind === 'create');
  const { metadata, spec } = write.set;
  const hash = metadata.labels!['pod-template-hash']!;
  assert.equal(metadata.name, `web-${hash}`);
  assert.equal(spec.replicas, 4);
  assert.equal(spec.selector.matchLabels?.['pod-template-hash'], hash);
  assert.equal(spec.template.metadata?.labels?.['pod-template-hash'], hash);
  assert.deepEqual(metadata.annotations, {
    'deployment.kubernetes.io/revision': '1',
    'deployment.kubernetes.io/desired-replicas': '4',
    'deployment.kubernetes.io/max-replicas': '5',
  });
  assert.equal(write.event?.message, `Scaled up replica set web-${hash} from 0 to 4`);
  assert.equal(made.status?.metadata.annotations?.['deployment.kubernetes.io/revision'], '1');
  assert.equal(conditionOf(made.status!.status!, 'Progressing')?.reason, 'NewReplicaSetCreated');
  assert.equal(conditionOf(made.status!.status!, 'Available')?.reason, 'MinimumReplicasUnavailable');
});

test('a hash collision gives another name', () => {
  const nameOf = (status: DeploymentStatus) => plan(deployment({}, { status }), []).writes[0]!.set.metadata.name;
  assert.notEqual(nameOf({}), nameOf({ collisionCount: 1 }));
});

const changed = (spec: Partial<Deployment['spec']> = {}, rest: Partial<Deployment> = {}): Deployment =>
  deployment({ template: template('a:2'), ...spec }, rest);

test('a rolling update first surges, then deletes old pods as far as availability permits', () => {
  const first = plan(changed(), [replicaSet(deployment(), 'old', { replicas: 4 })]);
  const created = first.writes.find(({ kind }) => kind === 'create');
  assert.equal(created?.set.spec.replicas, 1);
  assert.equal(
    first.writes.length,
    2,
    'the surge is one step, old pods are deleted in the same reconcile that creates the new ReplicaSet',
  );
});

const steps: readonly [
  why: string,
  sizes: { old: number; oldUp?: number; next: number; nextUp: number },
  Record<string, number>,
][] = [
  ['one may be unavailable, so one old pod is deleted', { old: 4, next: 1, nextUp: 0 }, { 'web-old': 3 }],
  ['there is room for one more new one', { old: 3, next: 1, nextUp: 0 }, { 'web-next': 2 }],
  ['no step is possible', { old: 3, next: 2, nextUp: 0 }, {}],
  ['a new pod is available, so an old one is deleted', { old: 3, next: 2, nextUp: 1 }, { 'web-old': 2 }],
  ['unavailable old pods are deleted first', { old: 3, oldUp: 1, next: 2, nextUp: 2 }, { 'web-old': 1 }],
  ['the last old pods are deleted', { old: 1, next: 4, nextUp: 4 }, { 'web-old': 0 }],
];

test('each step respects maxSurge and maxUnavailable', () => {
  for (const [why, { old, oldUp = old, next, nextUp }, expected] of steps) {
    const subject = changed();
    const made = plan(subject, [
      replicaSet(subject, 'old', { replicas: old, available: oldUp }),
      replicaSet(subject, 'next', { image: 'a:2', replicas: next, available: nextUp, revision: 2 }),
    ]);
    assert.deepEqual(sizes(made), expected, why);
  }
});

test('Recreate creates no new pods before every old pod has ended', () => {
  const recreate = { type: 'Recreate' };
  const subject = changed({ strategy: recreate });
  const running = replicaSet(subject, 'old', { replicas: 4 });
  assert.deepEqual(sizes(plan(subject, [running])), { 'web-old': 0 });
  const emptied = replicaSet(subject, 'old', { replicas: 0 });
  assert.deepEqual(sizes(plan(subject, [emptied], [pod({ deleted: true, ready: 0 })])), {});
  const made = plan(subject, [emptied], [pod({ phase: 'Succeeded' })]);
  assert.deepEqual(
    made.writes.map(({ kind, set }) => [kind, set.spec.replicas]),
    [['create', 4]],
  );
});

test('a paused Deployment neither rolls out nor counts the deadline', () => {
  const subject = changed({ paused: true }, { status: settled(4) });
  const made = plan(subject, [replicaSet(subject, 'old', { replicas: 4 })]);
  assert.deepEqual(sizes(made), {});
  const reported = conditionOf(made.status!.status!, 'Progressing');
  assert.deepEqual(
    [reported?.status, reported?.reason, reported?.message],
    ['Unknown', 'DeploymentPaused', 'Deployment is paused'],
  );
});

test('scaling during a rollout is distributed proportionally', () => {
  const before = changed({ replicas: 10, strategy: rolling(3, 2) });
  const after = changed({ replicas: 20, strategy: rolling(3, 2) });
  const made = plan(after, [
    replicaSet(before, 'old', { replicas: 8 }),
    replicaSet(before, 'next', { image: 'a:2', replicas: 5, available: 0, revision: 2 }),
  ]);
  assert.deepEqual(sizes(made), { 'web-old': 14, 'web-next': 9 });
});

test('scaling to zero scales all ReplicaSets to zero', () => {
  const before = changed({ replicas: 10 });
  const made = plan(changed({ replicas: 0 }), [
    replicaSet(before, 'old', { replicas: 8 }),
    replicaSet(before, 'next', { image: 'a:2', replicas: 5, revision: 2 }),
  ]);
  assert.deepEqual(sizes(made), { 'web-old': 0, 'web-next': 0 });
});

function rolling(maxSurge: number | string, maxUnavailable: number | string): Deployment['spec']['strategy'] {
  return { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } };
}

test('a rollback gives the old ReplicaSet the next revision and records the previous one', () => {
  const subject = deployment({}, { status: settled(4) });
  const made = plan(subject, [
    replicaSet(subject, 'old', { replicas: 0, revision: 1 }),
    replicaSet(subject, 'next', { image: 'a:2', replicas: 4, revision: 2 }),
  ]);
  const back = made.writes.find(({ set }) => set.metadata.name === 'web-old')!.set;
  assert.equal(back.metadata.annotations?.['deployment.kubernetes.io/revision'], '3');
  assert.equal(back.metadata.annotations?.['deployment.kubernetes.io/revision-history'], '1');
  assert.equal(made.status?.metadata.annotations?.['deployment.kubernetes.io/revision'], '3');
});

test('old ReplicaSets beyond the limit are deleted once the rollout is complete, lowest revision first', () => {
  const complete = deployment({ template: template('a:4'), revisionHistoryLimit: 1 }, { status: settled(4) });
  const idle = (name: string, image: string, revision: number) =>
    replicaSet(complete, name, { image, replicas: 0, revision });
  const sets = [idle('b', 'a:2', 2), idle('a', 'a:1', 1), idle('c', 'a:3', 3)];
  const newest = replicaSet(complete, 'd', { image: 'a:4', replicas: 4, revision: 4 });
  assert.deepEqual(sizes(plan(complete, [...sets, newest])), { 'web-a': 'deleted', 'web-b': 'deleted' });
  const unsettled = { ...complete, status: settled(4, { availableReplicas: 3 }) };
  assert.deepEqual(sizes(plan(unsettled, [...sets, newest])), {});
});

const outcomes: readonly [
  why: string,
  sizes: { replicas: number; available: number },
  DeploymentStatus,
  time: number,
  string,
][] = [
  [
    'complete',
    { replicas: 4, available: 4 },
    {},
    0,
    'NewReplicaSetAvailable: ReplicaSet "web-next" has successfully progressed.',
  ],
  [
    'more are available',
    { replicas: 4, available: 2 },
    { availableReplicas: 1 },
    0,
    'ReplicaSetUpdated: ReplicaSet "web-next" is progressing.',
  ],
  ['nothing moves', { replicas: 4, available: 2 }, same(4, 2), 0, 'NewReplicaSetCreated: '],
  [
    'for too long',
    { replicas: 4, available: 2 },
    same(4, 2),
    601,
    'ProgressDeadlineExceeded: ReplicaSet "web-next" has timed out progressing.',
  ],
];

function same(replicas: number, available: number): DeploymentStatus {
  return { replicas, updatedReplicas: replicas, readyReplicas: available, availableReplicas: available };
}

test('the Progressing condition is complete, progressing, stalled, or past its deadline', () => {
  for (const [why, size, status, seconds, expected] of outcomes) {
    const subject = deployment(
      { template: template('a:2') },
      { status: { ...status, conditions: [progressing('NewReplicaSetCreated')] } },
    );
    const newest = replicaSet(subject, 'next', { image: 'a:2', ...size });
    const made = plan(subject, [newest], [], now + seconds * 1000 + 1);
    const reported = conditionOf(made.status?.status ?? subject.status!, 'Progressing');
    assert.equal(`${reported?.reason}: ${reported?.message}`, expected, why);
  }
});

test('a stalled rollout is reconciled again after its deadline', () => {
  const subject = deployment({ progressDeadlineSeconds: 60 }, {});
  const newest = replicaSet(subject, 'one', { replicas: 4, available: 0 });
  const reported = plan(subject, [newest]).status!;
  const quiet = plan({ ...reported, status: reported.status! }, [newest], [], now + 20_000);
  assert.equal(quiet.status, undefined);
  assert.equal(quiet.requeueAfterMs, 40_005);
});

test('a failure of a ReplicaSet to create pods is reported on the Deployment', () => {
  const conditions = [
    { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'quota', lastTransitionTime: at(5) },
  ];
  const subject = deployment();
  const made = plan(subject, [
    replicaSet(subject, 'one', { replicas: 4, available: 0, status: { replicas: 0, conditions } }),
  ]);
  assert.deepEqual(conditionOf(made.status!.status!, 'ReplicaFailure'), { ...conditions[0], lastUpdateTime: at(5) });
});

test('a ReplicaSet with the same template is used as the newest, with any name and labels', () => {
  const subject = deployment();
  const found = replicaSet(subject, 'own', { replicas: 4, available: 0, annotations: {} });
  const made = plan(subject, [found]);
  assert.deepEqual(
    made.writes.map(({ set }) => set.metadata.annotations),
    [{ 'deployment.kubernetes.io/revision': '1' }],
  );
  assert.equal(conditionOf(made.status!.status!, 'Progressing')?.reason, 'ReplicaSetUpdated');
});

test('the deprecated rollback annotation restores an earlier template', () => {
  const metadata = { ...deployment().metadata, annotations: { 'deprecated.deployment.rollback.to': '1', note: 'new' } };
  const subject = changed({}, { metadata });
  const sets = [
    replicaSet(subject, 'old', { replicas: 0, revision: 1 }),
    replicaSet(subject, 'next', { image: 'a:2', replicas: 4, revision: 2 }),
  ];
  const made = plan(subject, sets);
  assert.equal(made.replace?.spec.template.spec.containers[0]?.['image'], 'a:1');
  assert.deepEqual(made.replace?.metadata.annotations, {});
  assert.deepEqual(
    made.events.map(({ message }) => message),
    ['Rolled back deployment "web" to revision 1'],
  );
  const unknown = plan(
    { ...subject, metadata: { ...metadata, annotations: { 'deprecated.deployment.rollback.to': '7' } } },
    sets,
  );
  assert.deepEqual(
    unknown.events.map(({ reason }) => reason),
    ['DeploymentRollbackRevisionNotFound'],
  );
});

test('a Deployment without annotations gets no empty map', () => {
  const subject = deployment({ paused: true });
  const { annotations: _, ...metadata } = subject.metadata;
  const made = plan({ ...subject, metadata }, []);
  assert.ok(made.status);
  assert.equal('annotations' in made.status.metadata, false);
});
