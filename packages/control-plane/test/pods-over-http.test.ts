import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ApiError, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import { accessOf, HttpClient, parseKubeconfig, type WatchEvent } from '@fairlead/kube';
import { type ControlPlane, startControlPlane } from '../src/index.ts';

const core = (kind: string, plural: string): ResourceType => ({
  group: '',
  version: 'v1',
  kind,
  plural,
  namespaced: true,
});
const pods = core('Pod', 'pods');
const serviceAccounts = core('ServiceAccount', 'serviceaccounts');
const deployments: ResourceType = { ...core('Deployment', 'deployments'), group: 'apps' };
const namespace = 'default';

let plane: ControlPlane;
let client: HttpClient;

const object = (apiVersion: string, kind: string, name: string, rest: object): KubeObject =>
  ({ apiVersion, kind, metadata: { name, namespace }, ...rest }) as KubeObject;
const pod = (name: string, containers: string[], node?: string): KubeObject =>
  object('v1', 'Pod', name, {
    spec: { ...(node ? { nodeName: node } : {}), containers: containers.map((each) => ({ name: each, image: 'a:1' })) },
  });
const logOf = (name: string, query = ''): Promise<string> =>
  client.read(`/api/v1/namespaces/${namespace}/pods/${name}/log${query}`).then(({ text }) => text);
const refusal =
  (code: number, message: string) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.status.code, error.status.message], [code, message]);
    return true;
  };

before(async () => {
  plane = await startControlPlane({ podLog: (_, name, query) => `${name} ${query.get('tailLines') ?? 'all'}\n` });
  const access = await accessOf(parseKubeconfig(plane.kubeconfig(), '/kubeconfig'), { env: {} });
  client = new HttpClient(access.client);
  await client.create(serviceAccounts, object('v1', 'ServiceAccount', 'default', {}));
  await client.create(pods, pod('waiting', ['c']));
  await client.create(pods, pod('two', ['a', 'b'], 'node-1'));
  await client.create(pods, pod('runs', ['c'], 'node-1'));
  const containerStatuses = [{ name: 'c', state: { running: {} }, ready: true, restartCount: 0 }];
  const running = { status: { phase: 'Running', containerStatuses } };
  await client.patch(pods, { namespace, name: 'runs' }, 'merge', running, { subresource: 'status' });
});

after(async () => {
  await client.close();
  await plane.close();
});

test('the log of a container comes from its node, and is empty for a pod without a node', async () => {
  assert.equal(await logOf('runs', '?tailLines=3'), 'runs 3\n');
  assert.equal(await logOf('waiting'), '');
});

test('a request for an unavailable log fails with the reason', async () => {
  const rows: readonly [name: string, query: string, code: number, message: string][] = [
    ['two', '', 400, 'a container name must be specified for pod two, choose one of: [a b]'],
    ['two', '?container=x', 400, 'container x is not valid for pod two'],
    ['two', '?container=b', 400, 'container "b" in pod "two" is not available'],
    ['runs', '?previous=true', 400, 'previous terminated container "c" in pod "runs" not found'],
    [
      'runs',
      '?tailLines=-1',
      422,
      'PodLogOptions "runs" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
    ],
  ];
  for (const [name, query, code, message] of rows) await assert.rejects(logOf(name, query), refusal(code, message));
});

test('exec in a simulated pod is refused, and other errors are reported first', async () => {
  const exec = (name: string) => client.read(`/api/v1/namespaces/${namespace}/pods/${name}/exec?command=ls`);
  await assert.rejects(exec('waiting'), refusal(400, 'pod waiting does not have a host assigned'));
  await assert.rejects(
    exec('runs'),
    (error: unknown) => error instanceof ApiError && error.status.code === 501 && /pods\/exec/.test(error.message),
  );
});

test('a pod deleted with grace period 0 is reported as deleting, then deleted', async () => {
  const made = await client.create(pods, pod('short', ['c'], 'node-1'));
  const seen: WatchEvent[] = [];
  const stop = new AbortController();
  const watching = (async () => {
    const { resourceVersion } = made.metadata;
    for await (const event of client.watch(pods, {
      namespace,
      resourceVersion: resourceVersion!,
      signal: stop.signal,
    })) {
      seen.push(event);
      if (event.type === 'DELETED') stop.abort();
    }
  })();
  await client.delete(pods, made.metadata, { gracePeriodSeconds: 0 });
  await watching;
  assert.deepEqual(
    seen.map(({ type, object: { metadata } }) => [
      type,
      (metadata as KubeObject['metadata']).deletionGracePeriodSeconds,
    ]),
    [
      ['MODIFIED', 0],
      ['DELETED', 0],
    ],
  );
});

test('a scale has its own table columns', async () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'a:1' }] } };
  const spec = { replicas: 4, selector: { matchLabels: { a: 'b' } }, template };
  await client.create(deployments, object('apps/v1', 'Deployment', 'web', { spec }));
  const { text } = await client.read(`/apis/apps/v1/namespaces/${namespace}/deployments/web/scale`, {
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  });
  const table = JSON.parse(text) as { columnDefinitions: { name: string }[]; rows: { cells: unknown[] }[] };
  assert.deepEqual(
    table.columnDefinitions.map(({ name }) => name),
    ['Name', 'Desired', 'Available', 'Age'],
  );
  assert.deepEqual(table.rows[0]!.cells.slice(0, 3), ['web', 4, 0]);
});
