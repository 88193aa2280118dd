import assert from 'node:assert/strict';
import { request as httpsRequest } from 'node:https';
import { after, before, test } from 'node:test';
import type { KubeObject, ResourceType } from '@fairlead/apimachinery';
import {
  configMapType,
  leaseType,
  namespaceType,
  nodeType,
  podType,
  secretType,
  serviceAccountType,
  serviceType,
} from '@fairlead/apimachinery';
import { type RunningCluster, startCluster } from '../../../test/support/running-cluster.ts';
import {
  budgetType,
  claimType,
  endpointSliceType,
  quotaType,
  storageClassType,
  volumeType,
} from '../resource-types.ts';
import { simStorageClass } from './index.ts';
import type { Claim, Node, Pod, Volume } from './objects.ts';

let cluster: RunningCluster;
before(async () => {
  cluster = await startCluster();
  await cluster.node('one', { labels: { zone: 'a' } });
  await cluster.node('two', { labels: { zone: 'b' } });
});
after(() => cluster.stop());

const namespace = 'default';
const at = (name: string) => ({ namespace, name });
const make = (type: ResourceType, name: string, body: object = {}, metadata: object = {}): Promise<KubeObject> => {
  const apiVersion = type.group ? `${type.group}/${type.version}` : type.version;
  const place = type.namespaced ? { namespace } : {};
  return cluster.client.create(type, {
    apiVersion,
    kind: type.kind,
    metadata: { name, ...place, ...metadata },
    ...body,
  } as KubeObject);
};
const scheduled = (pod: Pod | undefined) => pod?.status?.conditions?.find(({ type }) => type === 'PodScheduled');
const gone = (object: unknown): boolean => object === undefined;
const untilEvent = async (name: string, text: RegExp): Promise<void> => {
  for (let tries = 0; tries < 400; tries += 1) {
    if ((await cluster.eventsOf(name)).some((event) => text.test(event))) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.fail(`no event of ${name} is like ${text}: ${await cluster.eventsOf(name)}`);
};
const setReady = (name: string, ip: string) =>
  cluster.client.patch(
    podType,
    at(name),
    'merge',
    {
      status: {
        phase: 'Running',
        podIP: ip,
        podIPs: [{ ip }],
        conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
      },
    },
    { subresource: 'status' },
  );

test('a pod is assigned to a node, with a condition and an event', async () => {
  await cluster.pod('plain');
  const pod = await cluster.until<Pod>(podType, at('plain'), (each) => scheduled(each)?.status === 'True');
  assert.ok(pod!.spec.nodeName);
  assert.equal(pod!.metadata.generation, 1);
  await untilEvent('plain', /^Scheduled: Successfully assigned default\/plain to (one|two)$/);
});

test('a pod that no node can run stays pending with the reason, and is scheduled after a change', async () => {
  await cluster.pod('picky', { nodeSelector: { disk: 'ssd' } });
  const waiting = await cluster.until<Pod>(podType, at('picky'), (each) => scheduled(each) !== undefined);
  assert.equal(scheduled(waiting)!.reason, 'Unschedulable');
  assert.match(
    scheduled(waiting)!.message!,
    /^0\/2 nodes are available: 2 node\(s\) didn't match Pod's node affinity\/selector\./,
  );
  await untilEvent('picky', /^FailedScheduling: 0\/2 nodes/);
  await cluster.client.patch(nodeType, { name: 'two' }, 'merge', { metadata: { labels: { disk: 'ssd' } } });
  const bound = await cluster.until<Pod>(podType, at('picky'), (each) => Boolean(each?.spec.nodeName));
  assert.equal(bound!.spec.nodeName, 'two');
});

test('a scheduling gate delays a pod until it is removed, and pods of other schedulers are ignored', async () => {
  await cluster.pod('gated', { schedulingGates: [{ name: 'example.com/gate' }] });
  await cluster.pod('foreign', { schedulerName: 'mine' });
  assert.equal(scheduled(await cluster.client.get<Pod>(podType, at('gated')))?.reason, 'SchedulingGated');
  await cluster.client.patch(podType, at('gated'), 'merge', { spec: { schedulingGates: null } });
  await cluster.until<Pod>(podType, at('gated'), (each) => Boolean(each?.spec.nodeName));
  assert.equal(scheduled(await cluster.client.get<Pod>(podType, at('foreign'))), undefined);
});

test('a pod of higher priority preempts one of lower priority', async () => {
  const priorities: ResourceType = {
    group: 'scheduling.k8s.io',
    version: 'v1',
    kind: 'PriorityClass',
    plural: 'priorityclasses',
    namespaced: false,
  };
  await make(priorities, 'high', { value: 1000 });
  const large = { containers: [{ name: 'c', image: 'a:1', resources: { requests: { cpu: '3' } } }] };
  for (const [name, node] of [
    ['low-1', 'one'],
    ['low-2', 'two'],
  ] as const)
    await cluster.pod(name, { ...large, nodeName: node });
  await cluster.pod('important', { ...large, priorityClassName: 'high' });
  const waiting = await cluster.until<Pod>(
    podType,
    at('important'),
    (each) => each?.status?.nominatedNodeName !== undefined,
  );
  const victim = waiting!.status!.nominatedNodeName === 'one' ? 'low-1' : 'low-2';
  const leaving = await cluster.until<Pod>(
    podType,
    at(victim),
    (each) => each?.metadata.deletionTimestamp !== undefined,
  );
  assert.ok(leaving!.status!.conditions!.some(({ reason }) => reason === 'PreemptionByScheduler'));
  await cluster.client.delete(podType, at(victim), { gracePeriodSeconds: 0 });
  const bound = await cluster.until<Pod>(podType, at('important'), (each) => Boolean(each?.spec.nodeName));
  assert.equal(bound!.status!.nominatedNodeName, undefined);
});

test('claims of the simulated class are provisioned, at once or on the node of their pod, and cleaned up', async () => {
  await cluster.client.create(storageClassType, simStorageClass);
  await make(storageClassType, 'late', {
    provisioner: simStorageClass.provisioner,
    volumeBindingMode: 'WaitForFirstConsumer',
  });
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  await make(claimType, 'at-once', { spec });
  await make(claimType, 'later', { spec: { ...spec, storageClassName: 'late' } });
  await cluster.until<Claim>(claimType, at('at-once'), (each) => each?.status?.phase === 'Bound');
  await untilEvent('later', /^WaitForFirstConsumer: /);
  const volumes = ['at-once', 'later'].map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } }));
  await cluster.pod('storing', { volumes });
  await cluster.until<Pod>(podType, at('storing'), (each) => Boolean(each?.spec.nodeName));
  const later = await cluster.client.get<Claim>(claimType, at('later'));
  assert.equal(later.status!.phase, 'Bound');

  await cluster.client.delete(claimType, at('later'));
  await cluster.client.get(claimType, at('later')); // It is in use.
  await cluster.client.delete(podType, at('storing'), { gracePeriodSeconds: 0 });
  await cluster.until(claimType, at('later'), gone);
  await cluster.until<Volume>(volumeType, { name: later.spec.volumeName! }, gone);
});

test('dependents of a deleted owner are deleted, and an owner in another namespace counts as absent', async () => {
  const parent = await make(configMapType, 'parent');
  const reference = (owner: KubeObject) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: owner.metadata.name,
    uid: owner.metadata.uid!,
  });
  await make(configMapType, 'child', {}, { ownerReferences: [reference(parent)] });
  await cluster.client.delete(configMapType, at('parent'));
  await cluster.until(configMapType, at('child'), gone);

  await make(namespaceType, 'elsewhere');
  const far = await cluster.client.create(configMapType, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'far', namespace: 'elsewhere' },
  });
  await make(configMapType, 'stray', {}, { ownerReferences: [reference(far)] });
  await cluster.until(configMapType, at('stray'), gone);
  await untilEvent('stray', /^OwnerRefInvalidNamespace: ownerRef \[v1\/ConfigMap, namespace: default, name: far/);
});

test('objects of kinds that were added later are counted and garbage-collected too', async () => {
  const definitions: ResourceType = {
    group: 'apiextensions.k8s.io',
    version: 'v1',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    namespaced: false,
  };
  const widgets: ResourceType = {
    group: 'example.com',
    version: 'v1',
    kind: 'Widget',
    plural: 'widgets',
    namespaced: true,
  };
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  await make(definitions, 'widgets.example.com', {
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
  for (let tries = 0; !cluster.plane.api.registry.resource('example.com', 'v1', 'widgets') && tries < 400; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const widget = await make(widgets, 'w');
  type Quota = KubeObject & { status?: { used?: Record<string, string> } };
  await make(quotaType, 'one-widget', { spec: { hard: { 'count/widgets.example.com': '1' } } });
  await cluster.until<Quota>(quotaType, at('one-widget'), (each) => each?.status?.used !== undefined);
  await assert.rejects(
    make(widgets, 'second'),
    /exceeded quota: one-widget, requested: count\/widgets\.example\.com=1/u,
  );
  const owner = {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    name: 'w',
    uid: widget.metadata.uid!,
    blockOwnerDeletion: true,
  };
  await make(configMapType, 'of-widget', {}, { ownerReferences: [owner], finalizers: ['example.com/hold'] });
  await cluster.client.delete(widgets, at('w'), { propagationPolicy: 'Foreground' });
  await cluster.until(configMapType, at('of-widget'), (each) => each?.metadata.deletionTimestamp !== undefined);
  assert.ok(await cluster.client.get(widgets, at('w')));
  await cluster.client.patch(configMapType, at('of-widget'), 'merge', { metadata: { finalizers: null } });
  await cluster.until(widgets, at('w'), gone);
});

test('every namespace has its service account and certificate, and its deletion deletes its objects', async () => {
  await make(namespaceType, 'team');
  const inTeam = (name: string) => ({ namespace: 'team', name });
  await cluster.until(serviceAccountType, inTeam('default'), (each) => each !== undefined);
  await cluster.until(configMapType, inTeam('kube-root-ca.crt'), (each) => each !== undefined);
  await cluster.client.delete(serviceAccountType, inTeam('default'));
  await cluster.until(serviceAccountType, inTeam('default'), (each) => each !== undefined);
  await cluster.client.delete(namespaceType, { name: 'team' });
  await cluster.until(namespaceType, { name: 'team' }, gone);
  assert.deepEqual((await cluster.client.list(configMapType, { namespace: 'team' })).items, []);
});

test('a Secret of type service-account-token gets a token, and is deleted with the account', async () => {
  type Secret = KubeObject & { data?: Record<string, string> };
  await make(serviceAccountType, 'robot');
  const annotations = { 'kubernetes.io/service-account.name': 'robot' };
  await make(secretType, 'robot-token', { type: 'kubernetes.io/service-account-token' }, { annotations });
  const filled = await cluster.until<Secret>(secretType, at('robot-token'), (each) => Boolean(each?.data?.['token']));
  assert.equal(Buffer.from(filled!.data!['namespace']!, 'base64').toString(), 'default');
  const headers = { authorization: `Bearer ${Buffer.from(filled!.data!['token']!, 'base64')}` };
  const user = await new Promise<string>((resolve, reject) => {
    const url = `${cluster.plane.url}/apis/authentication.k8s.io/v1/selfsubjectreviews`;
    const options = {
      method: 'POST',
      ca: cluster.plane.ca,
      headers: { ...headers, 'content-type': 'application/json' },
    };
    const request = httpsRequest(url, options, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve(text));
    });
    request.on('error', reject);
    request.end('{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}');
  });
  assert.match(user, /"username":"system:serviceaccount:default:robot"/);
  await cluster.client.delete(serviceAccountType, at('robot'));
  await cluster.until(secretType, at('robot-token'), gone);
});

test('a Service follows the pods that it selects', async () => {
  await make(serviceType, 'web', { spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } });
  await cluster.pod('web-1', { nodeName: 'one' }, { labels: { app: 'web' } });
  const endpoints = async (): Promise<string[]> => {
    const { items } = await cluster.client.list(endpointSliceType, {
      namespace,
      labelSelector: 'kubernetes.io/service-name=web',
    });
    return (items as unknown as { endpoints: { addresses: string[] }[] | null }[]).flatMap((slice) =>
      (slice.endpoints ?? []).flatMap(({ addresses }) => addresses),
    );
  };
  const settle = async (desired: string[]) => {
    for (let tries = 0; tries < 400 && String(await endpoints()) !== String(desired); tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(await endpoints(), desired);
  };
  await setReady('web-1', '10.1.0.1');
  await settle(['10.1.0.1']);
  await cluster.client.patch(podType, at('web-1'), 'merge', { metadata: { labels: { app: 'db' } } });
  await settle([]);
});

test('a PodDisruptionBudget allows disruptions of spare pods, and a ResourceQuota counts usage', async () => {
  await cluster.pod('guarded', { nodeName: 'one' }, { labels: { app: 'guarded' } });
  await setReady('guarded', '10.1.0.9');
  await make(budgetType, 'budget', { spec: { minAvailable: 0, selector: { matchLabels: { app: 'guarded' } } } });
  type Budget = KubeObject & { status?: { disruptionsAllowed?: number } };
  await cluster.until<Budget>(budgetType, at('budget'), (each) => each?.status?.disruptionsAllowed === 1);

  type Quota = KubeObject & { status?: { used?: Record<string, string> } };
  await make(quotaType, 'quota', { spec: { hard: { 'count/configmaps': '50' } } });
  const counted = await cluster.until<Quota>(quotaType, at('quota'), (each) => each?.status?.used !== undefined);
  const count = Number(counted!.status!.used!['count/configmaps']);
  await make(configMapType, 'one-more');
  await cluster.until<Quota>(
    quotaType,
    at('quota'),
    (each) => each?.status?.used?.['count/configmaps'] === String(count + 1),
  );
});

test('a taint evicts pods that do not tolerate it', async () => {
  await cluster.node('three');
  await cluster.pod('tolerant', { nodeName: 'three', tolerations: [{ key: 'maintenance', operator: 'Exists' }] });
  await cluster.pod('driven-away', { nodeName: 'three' });
  await cluster.client.patch(nodeType, { name: 'three' }, 'merge', {
    spec: { taints: [{ key: 'maintenance', effect: 'NoExecute' }] },
  });
  const leaving = await cluster.until<Pod>(
    podType,
    at('driven-away'),
    (each) => each?.metadata.deletionTimestamp !== undefined,
  );
  assert.ok(leaving!.status!.conditions!.some(({ reason }) => reason === 'DeletionByTaintManager'));
  await untilEvent('driven-away', /^TaintManagerEviction: Marking for deletion Pod default\/driven-away$/);
  assert.equal((await cluster.client.get<Pod>(podType, at('tolerant'))).metadata.deletionTimestamp, undefined);
});

test('a cordoned node is tainted, and the taint is removed when it is uncordoned', async () => {
  const taints = (node: Node | undefined) => (node?.spec?.taints ?? []).map(({ key }) => key);
  await cluster.client.patch(nodeType, { name: 'one' }, 'merge', { spec: { unschedulable: true } });
  await cluster.until<Node>(nodeType, { name: 'one' }, (each) =>
    taints(each).includes('node.kubernetes.io/unschedulable'),
  );
  await cluster.client.patch(nodeType, { name: 'one' }, 'merge', { spec: { unschedulable: null } });
  await cluster.until<Node>(nodeType, { name: 'one' }, (each) => taints(each).length === 0);
});

test('a node without heartbeats becomes unreachable, and the pods of a deleted node are collected', async () => {
  await Promise.all(['silent', 'vanishing'].map((name) => cluster.node(name)));
  await make(
    leaseType,
    'silent',
    { spec: { renewTime: '2026-01-01T00:00:00.000000Z' } },
    { namespace: 'kube-node-lease' },
  );
  await cluster.pod('left-alone', { nodeName: 'silent' });
  await setReady('left-alone', '10.1.0.20');
  await cluster.pod('left-behind', { nodeName: 'vanishing' });
  await setReady('left-behind', '10.1.0.21');
  await cluster.client.delete(nodeType, { name: 'vanishing' });
  const [silent] = await Promise.all([
    cluster.until<Node>(nodeType, { name: 'silent' }, (each) => (each?.spec?.taints ?? []).length === 2),
    cluster.until<Pod>(podType, at('left-alone'), (each) =>
      Boolean(each?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'False')),
    ),
    cluster.until(podType, at('left-behind'), gone),
  ]);
  const ready = silent!.status!.conditions!.find(({ type }) => type === 'Ready')!;
  assert.deepEqual([ready.status, ready.reason], ['Unknown', 'NodeStatusUnknown']);
  assert.deepEqual(
    silent!.spec!.taints!.map(({ key, effect }) => `${key}:${effect}`),
    ['node.kubernetes.io/unreachable:NoSchedule', 'node.kubernetes.io/unreachable:NoExecute'],
  );
  await untilEvent('silent', /^NodeNotReady: Node silent status is now: NodeNotReady$/);
});
