import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import { Agent, request } from 'node:https';
import { after, before, test } from 'node:test';
import { seededRandom } from '@fairlead/kube';
import { type ControlPlane, startControlPlane } from '../src/index.ts';

let plane: ControlPlane;
let agent: Agent;
let session: ClientHttp2Session;

before(async () => {
  plane = await startControlPlane({ token: 'fuzz' });
  agent = new Agent({ keepAlive: true, ca: plane.ca, maxSockets: 8 });
  session = connect(plane.url, { ca: plane.ca });
  assert.equal((await send('POST', '/api/v1/namespaces', json({ metadata: { name: 'fuzz' } }))).status, 201);
  assert.equal(
    (await send('POST', '/api/v1/namespaces/fuzz/configmaps', json({ metadata: { name: 'a' }, data: { k: 'v' } })))
      .status,
    201,
  );
  const widget = {
    metadata: { name: 'widgets.fuzz.example.com' },
    spec: {
      group: 'fuzz.example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', properties: { n: { type: 'integer' } } } },
            },
          },
        },
      ],
    },
  };
  assert.equal(
    (await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', json(widget))).status,
    201,
  );
});

after(async () => {
  agent.destroy();
  session.destroy();
  await plane.close();
});

interface Answered {
  readonly status: number;
  readonly text: string;
}

interface Body {
  readonly type: string;
  readonly bytes: Buffer;
}

const json = (value: unknown, type = 'application/json'): Body => ({ type, bytes: Buffer.from(JSON.stringify(value)) });
const text = (value: string, type = 'application/json'): Body => ({ type, bytes: Buffer.from(value) });

function send(method: string, path: string, body?: Body): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(plane.url);
    const call = request(
      {
        agent,
        hostname,
        port,
        method,
        path,
        timeout: 10_000,
        headers: {
          authorization: 'Bearer fuzz',
          ...(body ? { 'content-type': body.type, 'content-length': body.bytes.length } : {}),
        },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      },
    );
    call.on('timeout', () => call.destroy(new Error(`${method} ${path} hangs`)));
    call.on('error', reject);
    call.end(body?.bytes);
  });
}

async function sendHttp2(method: string, path: string, body?: Body): Promise<Answered> {
  const headers = { authorization: 'Bearer fuzz', ...(body ? { 'content-type': body.type } : {}) };
  const call = session.request({ ':method': method, ':path': path, ...headers }, { endStream: !body });
  call.setTimeout(10_000, () => call.destroy(new Error(`${method} ${path} hangs`)));
  if (body) call.end(body.bytes);
  const [head] = (await once(call, 'response')) as [IncomingHttpHeaders & { ':status': number }];
  const chunks: Buffer[] = [];
  for await (const chunk of call) chunks.push(chunk as Buffer);
  return { status: head[':status'], text: Buffer.concat(chunks).toString() };
}

/** A real server responds 500 to these; so do we, and to nothing else. */
const recorded =
  /failed to create typed patch object|strconv\.ParseUint|resourceVersion should not be set|unknown patch type|unable to find api field|expected a .*, but received a|data type is not struct/;

/** Over HTTP/1.1 and over HTTP/2. */
async function refused(method: string, path: string, body?: Body): Promise<void> {
  requireStatus(method, path, body, await send(method, path, body));
  requireStatus(method, path, body, await sendHttp2(method, path, body));
}

function requireStatus(method: string, path: string, body: Body | undefined, answered: Answered): void {
  const { status, text: answer } = answered;
  const where = `${method} ${path.slice(0, 120)} ${body?.bytes.subarray(0, 200).toString() ?? ''} → ${status} ${answer.slice(0, 300)}`;
  if (status < 300 || status === 304) return;
  assert.ok((status >= 400 && status < 500) || recorded.test(answer), where);
  if (answer === '404 page not found\n') return;
  const parsed = JSON.parse(answer) as { kind?: string; code?: number; message?: string };
  assert.equal(parsed.kind, 'Status', where);
  assert.equal(parsed.code, status, where);
  assert.ok(parsed.message, where);
}

const collections = [
  '/api/v1/namespaces/fuzz/configmaps',
  '/api/v1/namespaces/fuzz/pods',
  '/api/v1/namespaces/fuzz/services',
  '/api/v1/namespaces/fuzz/secrets',
  '/apis/apps/v1/namespaces/fuzz/deployments',
  '/apis/batch/v1/namespaces/fuzz/jobs',
  '/apis/batch/v1/namespaces/fuzz/cronjobs',
  '/apis/networking.k8s.io/v1/namespaces/fuzz/ingresses',
  '/apis/autoscaling/v2/namespaces/fuzz/horizontalpodautoscalers',
  '/apis/rbac.authorization.k8s.io/v1/namespaces/fuzz/rolebindings',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  '/apis/authorization.k8s.io/v1/subjectaccessreviews',
  '/apis/fuzz.example.com/v1/namespaces/fuzz/widgets',
];

test('bodies that are not objects are refused', async () => {
  const bodies = [
    '',
    '{',
    '}',
    '[]',
    '"x"',
    '1',
    'null',
    'true',
    '{"a":',
    '{"metadata":{"name":"a"}',
    '\u0000',
    '{"a":1}{"b":2}',
    '﻿{}',
    '{"metadata":{"name":"\\ud800"}}',
  ];
  for (const path of collections) {
    for (const body of bodies) {
      await refused('POST', path, text(body));
      await refused('POST', path, text(body, 'application/yaml'));
    }
  }
});

test('unknown or wrong content types are refused', async () => {
  for (const type of [
    'text/plain',
    'application/xml',
    '',
    'application/json; charset=utf-16',
    'application/vnd.kubernetes.protobuf',
    '\t',
    'application/cbor',
  ]) {
    await refused('POST', collections[0]!, text('{"metadata":{"name":"x"}}', type));
    await refused('PATCH', `${collections[0]}/a`, text('{}', type));
  }
});

test('deep nesting is refused, in JSON, YAML and patches', async () => {
  for (const depth of [100, 5_000, 200_000]) {
    const open = '{"a":'.repeat(depth);
    const nested = `${open}1${'}'.repeat(depth)}`;
    for (const path of collections.slice(0, 5))
      await refused('POST', path, text(`{"metadata":{"name":"deep"},"data":${nested}}`));
    await refused('POST', collections.at(-1)!, text(`{"metadata":{"name":"deep"},"spec":${nested}}`));
    await refused('PATCH', `${collections[0]}/a`, text(nested, 'application/merge-patch+json'));
    await refused('PATCH', `${collections[0]}/a`, text(nested, 'application/strategic-merge-patch+json'));
    await refused(
      'PATCH',
      `${collections[0]}/a`,
      text(`[{"op":"add","path":"/data","value":${nested}}]`, 'application/json-patch+json'),
    );
    await refused('PATCH', `${collections[0]}/a?fieldManager=f`, text(nested, 'application/apply-patch+yaml'));
  }
  await refused(
    'POST',
    collections[0]!,
    text(`a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: &d [*c,*c]\ne: &e [*d,*d]\nf: [*e,*e]\n`, 'application/yaml'),
  );
});

test('huge bodies are refused', async () => {
  const huge = `{"metadata":{"name":"huge"},"data":{"k":"${'x'.repeat(3_200_000)}"}}`;
  for (const path of collections.slice(0, 3)) await refused('POST', path, text(huge));
  await refused('PATCH', `${collections[0]}/a`, text(huge, 'application/merge-patch+json'));
  await refused('DELETE', `${collections[0]}/none`, text(huge));
});

test('invalid paths and queries are refused', async () => {
  const paths = [
    '/',
    '//',
    '/api',
    '/api/',
    '/api//',
    '/api/v1/',
    '/api/v2',
    '/apis/',
    '/apis/nope',
    '/apis/apps',
    '/apis/apps/v9/deployments',
    '/api/v1/%',
    '/api/v1/%2e%2e/%2e%2e',
    '/api/v1/namespaces/%00/configmaps',
    '/api/v1/namespaces/fuzz/configmaps/%F0%9F%92%A9',
    '/api/v1/namespaces/fuzz/configmaps/a/b/c/d/e',
    '/api/v1/namespaces//configmaps',
    '/api/v1/namespaces/fuzz/configmaps?limit=-9999999999999999999',
    '/api/v1/namespaces/fuzz/configmaps?continue=%00%ff',
    '/api/v1/namespaces/fuzz/configmaps?continue=eyJ2IjoxfQ',
    '/api/v1/namespaces/fuzz/configmaps?labelSelector=(((',
    '/api/v1/namespaces/fuzz/configmaps?fieldSelector==',
    '/api/v1/namespaces/fuzz/configmaps?resourceVersionMatch=Never',
    '/api/v1/namespaces/fuzz/pods/x/exec',
    '/api/v1/namespaces/fuzz/pods/x/log?tailLines=zz',
    '/openapi/v3/apis/nope',
    '/openapi/v9',
    '/metrics/x',
    '/version/x',
    `/api/v1/namespaces/${'n'.repeat(3000)}/configmaps`,
    '/api/v1/__proto__',
    '/apis/constructor/v1/toString',
    '/api/v1/namespaces/fuzz/configmaps/__proto__',
  ];
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
      if (method === 'HEAD') {
        const { status } = await send(method, path);
        assert.ok(status < 500 || status === 501, `${method} ${path} → ${status}`);
      } else if (!path.endsWith('/exec'))
        await refused(method, path, method === 'GET' || method === 'OPTIONS' ? undefined : text('{}'));
    }
  }
});

test('bad patches are refused', async () => {
  const target = `${collections[0]}/patched`;
  const made = await send('POST', collections[0]!, json({ metadata: { name: 'patched' }, data: { k: 'v' } }));
  assert.equal(made.status, 201);
  const operations: unknown[] = [
    [{ op: 'fly', path: '/x' }],
    [{ op: 'add' }],
    [{ op: 'add', path: 'x', value: 1 }],
    [{ op: 'remove', path: '/nope/nope' }],
    [{ op: 'copy', from: '/data' }],
    [{ op: 'move', from: '/', path: '/data/x' }],
    [{ op: 'add', path: '/data/k/0', value: 1 }],
    [{ op: 'replace', path: '', value: [] }],
    [{ op: 'replace', path: '/metadata', value: null }],
    [{ op: 'test', path: '/data/k', value: { deep: [] } }],
    [1],
    [null],
    [[]],
    {},
    'x',
    Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/kind', value: 'ConfigMap' })),
    [{ op: 'add', path: '/__proto__/polluted', value: 1 }],
    [{ op: 'add', path: '/metadata/labels', value: 'x' }],
    [{ op: 'add', path: '/data/~2', value: 'x' }],
  ];
  for (const body of operations) await refused('PATCH', target, json(body, 'application/json-patch+json'));
  const merges: unknown[] = [
    [],
    1,
    null,
    'x',
    { data: [] },
    { data: { k: {} } },
    { metadata: null },
    { metadata: { name: 'b' } },
    { kind: 'Pod' },
    { metadata: { labels: [1] } },
    { __proto__: { x: 1 } },
  ];
  for (const body of merges) {
    await refused('PATCH', target, json(body, 'application/merge-patch+json'));
    await refused('PATCH', target, json(body, 'application/strategic-merge-patch+json'));
    await refused('PATCH', `${target}?fieldManager=f&force=true`, json(body, 'application/apply-patch+yaml'));
  }
  const strategic: unknown[] = [
    { $patch: 'explode' },
    { data: { $patch: 1 } },
    { metadata: { '$setElementOrder/finalizers': 1 } },
    { '$deleteFromPrimitiveList/x': {} },
    { $retainKeys: 'x' },
  ];
  for (const body of strategic) await refused('PATCH', target, json(body, 'application/strategic-merge-patch+json'));
  assert.equal(({} as { polluted?: number }).polluted, undefined);
});

test('bad protobuf is refused', async () => {
  const random = seededRandom(7);
  const magic = Buffer.from('k8s\0');
  for (let round = 0; round < 300; round += 1) {
    const noise = Buffer.from(Array.from({ length: Math.floor(random() * 200) }, () => Math.floor(random() * 256)));
    const bytes = round % 3 === 0 ? noise : Buffer.concat([magic, noise]);
    await refused('POST', collections[round % collections.length]!, {
      type: 'application/vnd.kubernetes.protobuf',
      bytes,
    });
  }
});

/** A value of any type, from a seed. */
function anything(random: () => number, depth: number): unknown {
  const kind = Math.floor(random() * (depth > 3 ? 6 : 8));
  const odd = [
    '',
    'x',
    '-1',
    '1e400',
    '../..',
    '\u0000',
    '🚢',
    'a'.repeat(300),
    '10.0.0.1',
    '2026-01-01T00:00:00Z',
    '100m',
    '__proto__',
  ];
  switch (kind) {
    case 0:
      return null;
    case 1:
      return random() < 0.5;
    case 2:
      return Math.floor((random() - 0.5) * 1e6);
    case 3:
      return (random() - 0.5) * 1e300;
    case 4:
    case 5:
      return odd[Math.floor(random() * odd.length)];
    case 6:
      return Array.from({ length: Math.floor(random() * 4) }, () => anything(random, depth + 1));
    default:
      return Object.fromEntries(
        Array.from({ length: Math.floor(random() * 4) }, () => [
          fields[Math.floor(random() * fields.length)]!,
          anything(random, depth + 1),
        ]),
      );
  }
}

const fields = [
  'name',
  'spec',
  'metadata',
  'labels',
  'annotations',
  'containers',
  'image',
  'ports',
  'containerPort',
  'selector',
  'matchLabels',
  'template',
  'data',
  'type',
  'env',
  'value',
  'valueFrom',
  'volumes',
  'resources',
  'limits',
  'cpu',
  'rules',
  'host',
  'http',
  'paths',
  'schedule',
  'jobTemplate',
  'ownerReferences',
  'finalizers',
  'managedFields',
  'versions',
  'schema',
  'openAPIV3Schema',
  'properties',
  'subjects',
  'roleRef',
  'status',
  'replicas',
  'affinity',
  'probes',
  'livenessProbe',
  'httpGet',
  'port',
  'securityContext',
  'tolerations',
  'metrics',
  'behavior',
  '__proto__',
  'constructor',
];

test('wrong types at any path are refused', async () => {
  const random = seededRandom(42);
  for (let round = 0; round < 1500; round += 1) {
    const path = collections[round % collections.length]!;
    const body = {
      metadata: { name: `r${round}` },
      spec: anything(random, 0),
      data: anything(random, 2),
      rules: anything(random, 2),
      status: anything(random, 1),
    } as Record<string, unknown>;
    if (round % 5 === 0) body['metadata'] = anything(random, 1);
    await refused('POST', path, json(body));
    if (round % 3 === 0) await refused('PATCH', `${collections[0]}/a`, json(body, 'application/merge-patch+json'));
    if (round % 7 === 0) await refused('PUT', `${collections[0]}/a`, json(body));
  }
});

test('the server is healthy after all bad requests', async () => {
  const body = json({ metadata: { name: 'after' }, data: { still: 'here' } });
  assert.equal((await send('POST', '/api/v1/namespaces/fuzz/configmaps', body)).status, 201);
  const { status, text: answer } = await send('GET', '/api/v1/namespaces/fuzz/configmaps/after');
  assert.equal(status, 200);
  assert.deepEqual((JSON.parse(answer) as { data: object }).data, { still: 'here' });
});
