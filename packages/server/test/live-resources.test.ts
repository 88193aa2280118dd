/** What is live of an Application, over HTTP: tree, managed resources, single objects, logs, events, revisions, links. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { configMapType, isObject, type Json, listAt, podType, textAt } from '@fairlead/apimachinery';
import { sleep, systemClock } from '@fairlead/kube';
import { LiveInstallation, namespace, secrets } from './support/live-installation.ts';

const installation = new LiveInstallation();
const application = '/api/v1/applications/web';
const resource = (query: Record<string, string>): string =>
  `${application}/resource?${new URLSearchParams({ namespace, version: 'v1', ...query })}`;
const settings = { resourceName: 'settings', kind: 'ConfigMap' };
const merge = 'application/merge-patch+json';

const audit: string[] = [];
/** The lines of the audit log about a call: who, and the result. */
const recorded = (name: string): string[] =>
  audit
    .map((line) => JSON.parse(line))
    .filter((line) => line.call === name)
    .map(({ user, result }) => `${user} ${result}`);

before(() => installation.start({ auditSink: (line) => audit.push(line) }));
after(() => installation.close());

const call: LiveInstallation['call'] = (...request) => installation.call(...request);

/** The tree once the pod runs. */
async function tree(): Promise<readonly Json[]> {
  for (let attempt = 0; ; attempt++) {
    const { body } = await call('GET', `${application}/resource-tree`);
    const nodes = listAt(body, 'nodes');
    if (nodes.some((node) => textAt(node, 'kind') === 'Pod' && textAt(node, 'health', 'status') === 'Healthy'))
      return nodes;
    if (attempt > 100) assert.fail(`no healthy pod in ${JSON.stringify(nodes)}`);
    await sleep(systemClock, 100);
  }
}

test('the tree has what is managed, what that owns, and what is missing', async () => {
  const nodes = await tree();
  assert.deepEqual(
    nodes.map((node) => textAt(node, 'kind')),
    ['ConfigMap', 'ConfigMap', 'Pod', 'Secret', 'Deployment', 'ReplicaSet'],
  );
  const [missing, live] = nodes;
  assert.deepEqual(missing, {
    version: 'v1',
    kind: 'ConfigMap',
    namespace,
    name: 'missing',
    health: { status: 'Missing' },
  });
  assert.notEqual(textAt(live, 'uid'), '');
  const pod = nodes.find((node) => textAt(node, 'kind') === 'Pod');
  assert.equal(textAt(listAt(pod, 'parentRefs')[0], 'kind'), 'ReplicaSet');
  const info = Object.fromEntries(listAt(pod, 'info').map((item) => [textAt(item, 'name'), textAt(item, 'value')]));
  assert.deepEqual([info['cpu'], info['memory'], info['Containers']], ['250', String(64 * 1024 ** 2 * 1000), '1/1']);
  const { body } = await call('GET', `${application}/resource-tree`);
  const [host] = listAt(body, 'hosts');
  assert.equal(textAt(host, 'name'), info['Node']);
  const cpu = listAt(host, 'resourcesInfo').find((one) => textAt(one, 'resourceName') === 'cpu');
  assert.equal(isObject(cpu) && cpu['requestedByApp'], 250);
  assert.ok(listAt(body, 'orphanedNodes').some((node) => textAt(node, 'name') === 'unrelated'));
});

test('managed resources have target and live state, and what a sync would change', async () => {
  const { status, body } = await call('GET', `${application}/managed-resources`);
  assert.equal(status, 200);
  const items = new Map(listAt(body, 'items').map((item) => [textAt(item, 'name'), item]));
  assert.deepEqual([...items.keys()].sort(), ['missing', 'password', 'settings', 'web']);
  const changed = items.get('settings');
  assert.equal(isObject(changed) && changed['modified'], true);
  const predicted: unknown = JSON.parse(textAt(changed, 'predictedLiveState'));
  assert.equal(textAt(predicted, 'data', 'size'), 'large');
  assert.equal(textAt(JSON.parse(textAt(changed, 'normalizedLiveState')), 'data', 'size'), 'small');
  assert.equal(textAt(items.get('missing'), 'liveState'), 'null');
  assert.equal(isObject(items.get('web')) && 'modified' in Object(items.get('web')), false);
  const password = items.get('password');
  const [target, live] = ['targetState', 'liveState'].map((field) =>
    textAt(JSON.parse(textAt(password, field)), 'data', 'password'),
  );
  assert.deepEqual([target, live], ['++++++++', '++++++++++++']);
  const one = await call('GET', `${application}/managed-resources?kind=Deployment&fields=items.name`);
  assert.deepEqual(one.body, { items: [{ name: 'web' }] });
});

test('an object of the tree can be read, patched and deleted, with rights on that object only', async () => {
  audit.length = 0;
  assert.equal((await call('GET', resource(settings), { as: 'reader' })).status, 200);
  assert.deepEqual(recorded('Application.GetResource'), ['reader OK']);
  const patch = { body: '{"data":{"size":"patched"}}' };
  const denied = await call('POST', resource({ ...settings, patchType: merge }), { ...patch, as: 'reader' });
  assert.deepEqual([denied.status, denied.body['message']], [403, 'permission denied']);
  const patched = await call('POST', resource({ ...settings, patchType: merge }), { ...patch, as: 'fixer' });
  assert.equal(patched.status, 200);
  assert.equal(textAt(JSON.parse(String(patched.body['manifest'])), 'data', 'size'), 'patched');
  const other = { resourceName: 'password', kind: 'Secret', patchType: merge };
  assert.equal((await call('POST', resource(other), { body: '{}', as: 'fixer' })).status, 403);
  assert.equal((await call('DELETE', resource(other), { as: 'fixer' })).status, 403);
  const config = await installation.client.get(configMapType, { namespace, name: 'settings' });
  assert.equal((await call('DELETE', resource(settings), { as: 'fixer' })).status, 200);
  await assert.rejects(installation.client.get(configMapType, { namespace, name: 'settings' }));
  const { uid: _, resourceVersion: __, ...metadata } = config.metadata;
  await installation.client.create(configMapType, { ...config, metadata });
});

test('requests for objects that are not in the tree, or for what cannot be done, are refused with a code', async () => {
  const patch = (query: Record<string, string>, body: unknown) =>
    call('POST', resource({ ...settings, ...query }), { body });
  await tree();
  const cases: readonly (readonly [Promise<{ status: number; text: string }>, number, RegExp])[] = [
    [
      call('GET', resource({ resourceName: 'unknown', kind: 'ConfigMap' })),
      400,
      /not found as part of application web/u,
    ],
    [call('GET', resource({ resourceName: 'settings', kind: 'Secret' })), 400, /Secret {2}settings not found as part/u],
    [call('GET', resource({ resourceName: 'missing', kind: 'ConfigMap' })), 400, /not found as part/u],
    [call('GET', resource({ ...settings, version: 'v9' })), 404, /could not find the requested resource/u],
    [
      call('DELETE', resource({ resourceName: 'argocd-cm', kind: 'ConfigMap', namespace: 'argocd' })),
      400,
      /not found/u,
    ],
    [patch({ patchType: merge }, '{"data":'), 400, /error decoding patch/u],
    [patch({ patchType: merge }, '[]'), 400, /./u],
    [patch({ patchType: 'application/json-patch+json' }, '{}'), 400, /./u],
    [patch({ patchType: 'application/json-patch+json' }, '[{"op":"test","path":"/kind","value":"x"}]'), 400, /./u],
    [patch({ patchType: 'text/plain' }, '{}'), 400, /unknown format/u],
    [patch({ patchType: 'application/apply-patch+yaml' }, '{}'), 400, /unknown format/u],
    [patch({ patchType: merge }, { data: {} }), 400, /cannot unmarshal object/u],
    [call('GET', `${application}/logs?untilTime=x`), 500, /invalid untilTime/u],
    [call('GET', `${application}/events?resourceName=x&resourceUID=1`), 400, /not found as part of application web/u],
  ];
  for (const [answer, status, message] of cases) {
    const { status: actual, text } = await answer;
    assert.equal(actual, status, text);
    assert.match(text, message);
  }
});

test('logs of all pods of a workload end with an empty entry, and need a separate right', async () => {
  await tree();
  const query = 'namespace=shop&group=apps&kind=Deployment&resourceName=web&container=main';
  const { status, text } = await call('GET', `${application}/logs?${query}`);
  assert.equal(status, 200);
  const entries = text
    .trim()
    .split('\n')
    .map((line): Json => JSON.parse(line).result);
  assert.ok(entries.length > 1, text);
  assert.match(textAt(entries[0], 'podName'), /^web-/u);
  assert.match(textAt(entries[0], 'timeStampStr'), /^\d{4}-.*Z$/u);
  const last = entries.at(-1);
  assert.deepEqual([textAt(last, 'content'), isObject(last) && last['last']], ['', true]);
  const none = await call('GET', `${application}/logs?${query}&filter=no-line-has-this`);
  assert.equal(none.text.trim().split('\n').length, 1);
  const denied = await call('GET', `${application}/logs?${query}`, { as: 'reader' });
  assert.equal(denied.status, 403);
  assert.match(denied.text, /permission denied: logs, get, default\/web/u);
  assert.deepEqual(recorded('Application.PodLogs'), ['admin OK', 'admin OK', 'reader PermissionDenied']);
  const unknown = await call('GET', `${application}/pods/unknown/logs?namespace=shop`);
  assert.deepEqual([unknown.status, unknown.text], [200, '']);
});

test('events of an object of the tree are those of its cluster', async () => {
  const pod = (await tree()).find((node) => textAt(node, 'kind') === 'ReplicaSet');
  const query = new URLSearchParams({
    resourceNamespace: namespace,
    resourceName: textAt(pod, 'name'),
    resourceUID: textAt(pod, 'uid'),
  });
  const { status, body } = await call('GET', `${application}/events?${query}`);
  assert.equal(status, 200);
  assert.ok(listAt(body, 'items').every((event) => textAt(event, 'involvedObject', 'uid') === textAt(pod, 'uid')));
});

test('a commit tells its author, date, message and tags', async () => {
  const { status, body } = await call('GET', `${application}/revisions/${installation.commit}/metadata`);
  assert.equal(status, 200);
  const { date, ...rest } = body;
  assert.deepEqual(rest, { author: 'Ann <ann@example.com>', message: 'first version\n\nWith a body.', tags: ['v1'] });
  assert.match(String(date), /^\d{4}-/u);
  const branch = await call('GET', `${application}/revisions/main/metadata`);
  assert.equal(branch.body['message'], 'revision main must be resolved');
  const chart = await call('GET', `${application}/revisions/1.0.0/chartdetails`);
  assert.equal(chart.body['message'], 'no chart found for application: web');
});

test('deep links are evaluated; those that fail are left out', async () => {
  const { body } = await call('GET', `${application}/links`);
  assert.deepEqual(body, { items: [{ title: 'Logs', url: 'https://logs.example.com/WEB?cluster=in-cluster' }] });
  await tree();
  const query = new URLSearchParams({ namespace, resourceName: 'password', version: 'v1', kind: 'Secret' });
  const links = await call('GET', `${application}/resource/links?${query}`);
  assert.deepEqual(links.body, { items: [{ title: 'R', url: 'https://x.example.com/++++++++/Secret' }] });
});

test('a stream sends the tree after each change, until the client leaves', async () => {
  await tree();
  const stop = new AbortController();
  const answer = fetch(`http://127.0.0.1:${installation.server.port}/api/v1/stream/applications/web/resource-tree`, {
    headers: { authorization: `Bearer ${await installation.tokenOf('admin')}` },
    signal: stop.signal,
  });
  const touch = (): Promise<unknown> =>
    installation.client.patch(configMapType, { namespace, name: 'settings' }, 'merge', {
      metadata: { labels: { touched: String(Math.random()) } },
    });
  const touching = setInterval(() => void touch().catch(() => {}), 200);
  try {
    const reader = (await answer).body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    const [line = ''] = Buffer.from(value ?? [])
      .toString()
      .split('\n');
    assert.ok(listAt(JSON.parse(line), 'result', 'nodes').length >= 5, line);
  } finally {
    clearInterval(touching);
    stop.abort();
  }
});

test('no answer contains a value of a Secret', async () => {
  const nodes = await tree();
  const password = { resourceName: 'password', kind: 'Secret' };
  const answers = await Promise.all([
    call('GET', `${application}/resource-tree`),
    call('GET', `${application}/managed-resources`),
    call('GET', `${application}/manifests`),
    call('GET', `${application}/events`),
    ...nodes
      .filter((node) => textAt(node, 'uid') !== '')
      .map((node) =>
        call(
          'GET',
          resource({ resourceName: textAt(node, 'name'), kind: textAt(node, 'kind'), group: textAt(node, 'group') }),
        ),
      ),
    call('GET', `${application}/resource/links?${new URLSearchParams({ namespace, version: 'v1', ...password })}`),
    call('POST', resource({ ...password, patchType: merge }), { body: '{"metadata":{"labels":{"a":"b"}}}' }),
    call('POST', resource({ ...password, patchType: merge }), { body: `{"type":"${secrets.live}","data":5}` }),
    call('POST', resource({ ...password, patchType: merge }), { body: `{"data":{"x":"${secrets.live}"}}` }),
    call(
      'GET',
      `${application}/server-side-diff?${new URLSearchParams({
        targetManifests: JSON.stringify({
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name: 'password', namespace },
          stringData: { other: secrets.live },
        }),
      })}`,
    ),
  ]);
  assert.ok(answers.every(({ status }) => status < 500));
  for (const { text } of answers) {
    for (const value of Object.values(secrets)) {
      const forms = [value, Buffer.from(value).toString('base64')];
      for (const form of forms) assert.ok(!text.includes(form), `${form} in ${text.slice(0, 2000)}`);
    }
  }
});

test('a pod that is deleted leaves the tree', async () => {
  const before = (await tree()).find((node) => textAt(node, 'kind') === 'Pod');
  const name = textAt(before, 'name');
  assert.equal((await call('DELETE', resource({ resourceName: name, kind: 'Pod', force: 'true' }))).status, 200);
  for (let attempt = 0; attempt < 100; attempt++) {
    const { body } = await call('GET', `${application}/resource-tree`);
    if (listAt(body, 'nodes').every((node) => textAt(node, 'name') !== name)) return;
    await sleep(systemClock, 50);
  }
  const left = await installation.client.list(podType, { namespace });
  assert.fail(`${name} stays in the tree; live are ${left.items.map(({ metadata }) => metadata.name)}`);
});
