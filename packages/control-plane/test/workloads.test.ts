import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import {
  cronJobType,
  daemonSetType,
  deploymentType,
  eventType,
  jobType,
  podType,
  replicaSetType,
  statefulSetType,
} from '@fairlead/apimachinery';
import { claimType, replicationControllerType } from '../src/controllers/resource-types.ts';
import type {
  CronJob,
  DaemonSet,
  Deployment,
  Job,
  Pod,
  ReplicaSet,
  StatefulSet,
} from '../src/controllers/workloads/kinds.ts';
import { SmallCluster } from './support/small-cluster.ts';

let cluster: SmallCluster;

before(async () => {
  cluster = await SmallCluster.start();
});

after(() => cluster.close());

const template = (image = 'a:1', restartPolicy = 'Always', app = 'web') => ({
  metadata: { labels: { app } },
  spec: { restartPolicy, containers: [{ name: 'c', image }] },
});
const selector = { matchLabels: { app: 'web' } };
const withImage = (image: string) => ({ spec: { template: { spec: { containers: [{ name: 'c', image }] } } } });
const names = (objects: readonly KubeObject[]): string[] => objects.map(({ metadata }) => metadata.name).sort();

async function messages(namespace: string): Promise<string[]> {
  const events = await cluster.list<KubeObject & { reason: string; message: string }>(eventType, namespace);
  return events.map(({ reason, message }) => `${reason}: ${message}`);
}

test('a Deployment rolls out, changes and rolls back', async () => {
  const namespace = await cluster.namespace('rollout');
  const key = { namespace, name: 'web' };
  const read = () => cluster.client.get<Deployment>(deploymentType, key);
  await cluster.create(deploymentType, namespace, 'web', { replicas: 3, selector, template: template() });
  await cluster.kubelet(namespace);
  const first = await read();
  assert.equal(first.metadata.annotations?.['deployment.kubernetes.io/revision'], '1');
  assert.equal(first.status?.availableReplicas, 3);
  assert.equal(first.status?.conditions?.find(({ type }) => type === 'Progressing')?.reason, 'NewReplicaSetAvailable');

  await cluster.client.patch(deploymentType, key, 'strategic', withImage('a:2'));
  await cluster.kubelet(namespace);
  assert.equal((await read()).metadata.annotations?.['deployment.kubernetes.io/revision'], '2');
  await cluster.client.patch(deploymentType, key, 'strategic', withImage('a:1'));
  await cluster.kubelet(namespace);

  const last = await read();
  assert.equal(last.metadata.annotations?.['deployment.kubernetes.io/revision'], '3');
  assert.deepEqual(
    [last.status?.replicas, last.status?.updatedReplicas, last.status?.unavailableReplicas],
    [3, 3, undefined],
  );
  const sets = await cluster.list<ReplicaSet>(replicaSetType, namespace);
  const history = sets.map(({ metadata }) => metadata.annotations?.['deployment.kubernetes.io/revision-history']);
  assert.deepEqual(history.sort(), ['1', undefined]);
  assert.equal((await cluster.list(podType, namespace)).length, 3);
});

test('exactly the requested number of pods is created', async () => {
  const namespace = await cluster.namespace('exact');
  await cluster.create(replicaSetType, namespace, 'web', { replicas: 120, selector, template: template() });
  await cluster.rest();
  assert.equal((await cluster.list(podType, namespace)).length, 120);
  await cluster.client.patch(replicaSetType, { namespace, name: 'web' }, 'merge', { spec: { replicas: 7 } });
  await cluster.rest();
  const set = await cluster.client.get<ReplicaSet>(replicaSetType, { namespace, name: 'web' });
  assert.equal(set.status?.replicas, 7);
  assert.equal((await cluster.list(podType, namespace)).length, 7);
});

test('a ReplicationController maintains its pods too', async () => {
  const namespace = await cluster.namespace('replication');
  await cluster.create(replicationControllerType, namespace, 'rc', {
    replicas: 2,
    selector: { app: 'web' },
    template: template(),
  });
  await cluster.kubelet(namespace);
  const object = await cluster.client.get<ReplicaSet>(replicationControllerType, { namespace, name: 'rc' });
  assert.deepEqual(object.status, {
    replicas: 2,
    fullyLabeledReplicas: 2,
    readyReplicas: 2,
    availableReplicas: 2,
    observedGeneration: 1,
  });
});

test('a pod whose labels no longer match is replaced and not deleted', async () => {
  const namespace = await cluster.namespace('release');
  await cluster.create(replicaSetType, namespace, 'web', { replicas: 1, selector, template: template() });
  await cluster.kubelet(namespace);
  const [pod] = await cluster.list<Pod>(podType, namespace);
  await cluster.client.patch(podType, pod!.metadata, 'merge', { metadata: { labels: { app: 'other' } } });
  await cluster.kubelet(namespace);
  const released = await cluster.client.get<Pod>(podType, pod!.metadata);
  assert.equal(released.metadata.ownerReferences, undefined);
  assert.equal((await cluster.list(podType, namespace)).length, 2);
});

test('the reason why pods cannot be created is reported in the Deployment', async () => {
  const namespace = await cluster.namespace('refused', { 'pod-security.kubernetes.io/enforce': 'restricted' });
  await cluster.create(deploymentType, namespace, 'web', { replicas: 1, selector, template: template() });
  await cluster.rest();
  const { status } = await cluster.client.get<Deployment>(deploymentType, { namespace, name: 'web' });
  const failure = status?.conditions?.find(({ type }) => type === 'ReplicaFailure');
  assert.equal(failure?.reason, 'FailedCreate');
  assert.match(failure?.message ?? '', /violates PodSecurity "restricted:latest"/);
  assert.ok((await messages(namespace)).some((text) => text.startsWith('FailedCreate: Error creating: pods "web-')));
});

test('a rollout without progress exceeds its deadline', async () => {
  const namespace = await cluster.namespace('deadline');
  const spec = { replicas: 1, selector, template: template(), progressDeadlineSeconds: 60 };
  await cluster.create(deploymentType, namespace, 'web', spec);
  await cluster.rest(30_000);
  const reason = async () => {
    const { status } = await cluster.client.get<Deployment>(deploymentType, { namespace, name: 'web' });
    return status?.conditions?.find(({ type }) => type === 'Progressing')?.reason;
  };
  assert.equal(await reason(), 'ReplicaSetUpdated');
  await cluster.rest(35_000);
  assert.equal(await reason(), 'ProgressDeadlineExceeded');
});

test('a StatefulSet scales one by one, is updated from the highest ordinal, and deletes the claims of removed pods', async () => {
  const namespace = await cluster.namespace('stateful');
  const key = { namespace, name: 'db' };
  await cluster.create(statefulSetType, namespace, 'db', {
    replicas: 3,
    serviceName: 'db',
    selector,
    template: template(),
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
    persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Retain' },
  });
  await cluster.rest();
  assert.deepEqual(names(await cluster.list(podType, namespace)), ['db-0']);
  await cluster.kubelet(namespace);
  assert.deepEqual(names(await cluster.list(podType, namespace)), ['db-0', 'db-1', 'db-2']);
  assert.deepEqual(names(await cluster.list(claimType, namespace)), ['data-db-0', 'data-db-1', 'data-db-2']);

  await cluster.client.patch(statefulSetType, key, 'strategic', withImage('a:2'));
  await cluster.rest();
  const going = (await cluster.list<Pod>(podType, namespace)).filter(({ metadata }) => metadata.deletionTimestamp);
  assert.deepEqual(names(going), ['db-2']);
  await cluster.kubelet(namespace);
  const { status } = await cluster.client.get<StatefulSet>(statefulSetType, key);
  assert.equal(status?.updatedReplicas, 3);
  assert.equal(status?.currentRevision, status?.updateRevision);

  await cluster.client.patch(statefulSetType, key, 'merge', { spec: { replicas: 1 } });
  await cluster.kubelet(namespace);
  assert.deepEqual(names(await cluster.list(podType, namespace)), ['db-0']);
  const owners = (await cluster.list(claimType, namespace)).map(({ metadata }) => metadata.ownerReferences?.[0]?.name);
  assert.deepEqual(owners, [undefined, 'db-1', 'db-2']);
  assert.ok((await messages(namespace)).includes('SuccessfulCreate: Create Pod db-0 in StatefulSet db successful'));
});

test('a DaemonSet follows the nodes', async () => {
  const namespace = await cluster.namespace('daemons');
  await cluster.node('node-1', { role: 'edge' });
  const spec = { selector, template: { ...template(), spec: { ...template().spec, nodeSelector: { role: 'edge' } } } };
  await cluster.create(daemonSetType, namespace, 'agent', spec);
  await cluster.kubelet(namespace);
  await cluster.node('node-2', { role: 'edge' });
  await cluster.node('node-3', { role: 'other' });
  await cluster.rest();
  const { status } = await cluster.client.get<DaemonSet>(daemonSetType, { namespace, name: 'agent' });
  assert.deepEqual([status?.desiredNumberScheduled, status?.numberReady, status?.numberUnavailable], [2, 1, 1]);
  await cluster.client.patch(
    { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false },
    { name: 'node-2' },
    'merge',
    {
      metadata: { labels: { role: 'other' } },
    },
  );
  await cluster.rest();
  assert.equal((await cluster.list(podType, namespace)).length, 1);
});

const never = (spec: object = {}) => ({ template: template('a:1', 'Never', 'j'), ...spec });

test('a Job retries after a back-off, succeeds, and is deleted after its TTL', async () => {
  const namespace = await cluster.namespace('job');
  const key = { namespace, name: 'j' };
  const read = () => cluster.client.get<Job>(jobType, key);
  await cluster.create(jobType, namespace, 'j', never({ ttlSecondsAfterFinished: 60 }));
  await cluster.kubelet(namespace, () => 'Failed');
  assert.equal((await read()).status?.failed, 1);
  assert.equal((await cluster.list(podType, namespace)).length, 1, 'not yet another');
  await cluster.rest(11_000);
  await cluster.kubelet(namespace, ({ status }) => (status?.phase === 'Failed' ? 'Failed' : 'Succeeded'));
  const { status } = await read();
  assert.deepEqual([status?.succeeded, status?.failed, status?.active], [1, 1, undefined]);
  assert.deepEqual(
    status?.conditions?.map(({ type }) => type),
    ['SuccessCriteriaMet', 'Complete'],
  );
  const left = await cluster.list<Pod>(podType, namespace);
  assert.ok(left.every(({ metadata }) => metadata.finalizers === undefined));
  await cluster.rest(61_000);
  const gone = await read();
  assert.deepEqual(gone.metadata.finalizers, ['foregroundDeletion'], 'the garbage collector has the rest');
});

test('pods that finish while no controller runs are counted later', async () => {
  const namespace = await cluster.namespace('restart');
  await cluster.create(jobType, namespace, 'j', never({ parallelism: 3, completions: 3 }));
  await cluster.rest();
  await cluster.stopControllers();
  for (const pod of await cluster.list<Pod>(podType, namespace)) await cluster.setPhase(pod, 'Succeeded');
  cluster.startControllers();
  await cluster.rest();
  const { status } = await cluster.client.get<Job>(jobType, { namespace, name: 'j' });
  assert.equal(status?.succeeded, 3);
  assert.ok(status?.completionTime);
});

test('a CronJob starts a Job each time and keeps the last ones', async () => {
  const namespace = await cluster.namespace('cron');
  await cluster.create(cronJobType, namespace, 'tick', {
    schedule: '*/10 * * * *',
    successfulJobsHistoryLimit: 2,
    jobTemplate: { spec: never() },
  });
  for (let ten = 0; ten < 5; ten += 1) {
    await cluster.rest(600_000);
    await cluster.kubelet(namespace, () => 'Succeeded');
  }
  const { status } = await cluster.client.get<CronJob>(cronJobType, { namespace, name: 'tick' });
  assert.equal(status?.active, undefined);
  assert.ok(status?.lastSuccessfulTime);
  assert.equal((await cluster.list(jobType, namespace)).length, 2);
  const reported = await messages(namespace);
  assert.equal(reported.filter((text) => text.startsWith('SuccessfulCreate: Created job tick-')).length, 5);
});
