import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, now, type PodSample, pod, template } from '../../../../test/support/sample-objects.ts';
import type { Claim, Pod, StatefulSet } from '../kinds.ts';
import { makeMember, revisionLabel } from './members.ts';
import { planMembers } from './plan-members.ts';
import { statefulSetStatus } from './stateful-set-status.ts';

const setOf = (spec: Partial<StatefulSet['spec']> = {}, status?: StatefulSet['status']): StatefulSet => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db', namespace: 'shop', uid: 'uid-db', generation: 1 },
  spec: {
    replicas: 3,
    serviceName: 'db',
    selector: { matchLabels: { app: 'db' } },
    template: template('a:2', { app: 'db' }),
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    ...spec,
  },
  ...(status ? { status } : {}),
});

type Given = PodSample & { readonly revision?: 'old' | 'new' };

function member(ordinal: number, { revision = 'new', ...sample }: Given): Pod {
  const name = `db-${ordinal}`;
  const labels = { app: 'db', 'statefulset.kubernetes.io/pod-name': name, [revisionLabel]: `db-${revision}` };
  return pod({ name, labels, ...sample });
}

const plan = (set: StatefulSet, pods: readonly Pod[], claims: readonly Claim[] = []): string[] =>
  planMembers({
    set,
    current: { name: 'db-old', template: template('a:1', { app: 'db' }) },
    update: { name: 'db-new', template: template('a:2', { app: 'db' }) },
    pods,
    claim: (name) => claims.find(({ metadata }) => metadata.name === name),
    now,
  }).map((action) => {
    const revision = action.kind === 'create' ? ` ${action.pod.metadata.labels?.[revisionLabel]}` : '';
    return `${action.kind} ${action.pod.metadata.name}${revision}`;
  });

const up: Given = { ready: 10 };
const oldUp: Given = { ready: 10, revision: 'old' };
const parallel = { podManagementPolicy: 'Parallel' };

const cases: readonly [why: string, Partial<StatefulSet['spec']>, readonly (Given | undefined)[], string[]][] = [
  ['the first pod is created alone', {}, [], ['create db-0 db-new']],
  ['the second waits for the first', {}, [{ phase: 'Running' }], []],
  ['the second is created after the first is ready', {}, [up], ['create db-1 db-new']],
  ['ready is not enough with minReadySeconds', { minReadySeconds: 3600 }, [{ ready: 10 }], []],
  ['all are created at once', parallel, [], ['create db-0 db-new', 'create db-1 db-new', 'create db-2 db-new']],
  ['one that failed is replaced', {}, [up, { phase: 'Failed' }], ['delete db-1']],
  ['one that is going is waited for', {}, [{ ...up, deleted: true }, up, up], []],
  ['ordinals start at the configured number', { replicas: 2, ordinals: { start: 5 } }, [], ['create db-5 db-new']],
  ['too many: the highest goes', { replicas: 1 }, [up, up, up], ['delete db-2']],
  ['too many: one that is going holds the others up', { replicas: 1 }, [up, up, { ...up, deleted: true }], []],
  ['too many, all at once', { replicas: 1, ...parallel }, [up, up, up], ['delete db-2', 'delete db-1']],
  ['too many, of which one is unwell: it goes', { replicas: 1 }, [up, up, { phase: 'Running' }], ['delete db-2']],
  [
    'too many, of which a lower one is unwell: the highest goes all the same',
    { replicas: 1 },
    [up, { phase: 'Running' }, up],
    ['delete db-2'],
  ],
  ['the highest outdated pod is deleted', {}, [oldUp, oldUp, oldUp], ['delete db-2']],
  ['an update waits for the last one', {}, [oldUp, oldUp, { phase: 'Running' }], []],
  ['and continues then', {}, [oldUp, oldUp, up], ['delete db-1']],
  ['a broken pod remains', {}, [oldUp, oldUp, { phase: 'Pending', revision: 'old' }], []],
  ['below the partition nothing is replaced', { updateStrategy: partition(2) }, [oldUp, oldUp, up], []],
  [
    'below the partition a missing pod is recreated at its old revision',
    { updateStrategy: partition(2) },
    [oldUp],
    ['create db-1 db-old'],
  ],
  [
    'above the partition it is created at the new revision',
    { updateStrategy: partition(1) },
    [oldUp],
    ['create db-1 db-new'],
  ],
  [
    'outdated pods remain until they are deleted manually',
    { updateStrategy: { type: 'OnDelete' } },
    [oldUp, oldUp, oldUp],
    [],
  ],
];

function partition(number: number): StatefulSet['spec']['updateStrategy'] {
  return { type: 'RollingUpdate', rollingUpdate: { partition: number } };
}

test('pods are processed one after the other', () => {
  for (const [why, spec, given, expected] of cases) {
    const pods = given.flatMap((sample, ordinal) => (sample ? [member(ordinal, sample)] : []));
    assert.deepEqual(plan(setOf(spec), pods), expected, why);
  }
});

test('a pod has its name, its ordinal and its claims', () => {
  const claims = [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } }];
  const made = makeMember(setOf({ volumeClaimTemplates: claims }), template('a:2', { app: 'db' }), 'db-new', 1);
  assert.equal(made.metadata.name, 'db-1');
  assert.deepEqual(made.metadata.labels, {
    app: 'db',
    'controller-revision-hash': 'db-new',
    'statefulset.kubernetes.io/pod-name': 'db-1',
    'apps.kubernetes.io/pod-index': '1',
  });
  assert.equal(made.spec.hostname, 'db-1');
  assert.equal(made.spec.subdomain, 'db');
  assert.deepEqual(made.spec.volumes, [{ name: 'data', persistentVolumeClaim: { claimName: 'data-db-1' } }]);
});

test('a pod waits until the claim of its predecessor is deleted', () => {
  const spec = {
    volumeClaimTemplates: [{ metadata: { name: 'data' } }],
    persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Retain' },
  } as const;
  const claim = (uid: string): Claim => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: 'data-db-0',
      namespace: 'shop',
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'db-0', uid, controller: true }],
    },
  });
  const set = setOf({ ...spec, volumeClaimTemplates: [...spec.volumeClaimTemplates] });
  assert.deepEqual(plan(set, [], [claim('gone')]), []);
  assert.deepEqual(plan(set, []), ['create db-0 db-new']);
});

test('when all pods are updated and ready, the update revision becomes the current one', () => {
  const revisions = { current: 'db-old', update: 'db-new', collisions: 0 };
  const status = (pods: readonly Pod[]) => statefulSetStatus(setOf(), pods, revisions, now);
  assert.deepEqual(status([member(0, oldUp), member(1, up), member(2, { phase: 'Pending' })]), {
    observedGeneration: 1,
    replicas: 3,
    readyReplicas: 2,
    currentReplicas: 1,
    updatedReplicas: 2,
    currentRevision: 'db-old',
    updateRevision: 'db-new',
    collisionCount: 0,
    availableReplicas: 2,
  });
  const done = status([member(0, up), member(1, up), member(2, up)]);
  assert.deepEqual([done.currentRevision, done.currentReplicas], ['db-new', 3]);
  assert.equal(status([member(0, up), member(1, up), member(2, { ...up, deleted: true })]).currentRevision, 'db-old');
  assert.equal(at(0), '2030-01-01T00:00:00Z');
});
