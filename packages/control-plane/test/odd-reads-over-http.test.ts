import assert from 'node:assert/strict';
import { Agent, request } from 'node:https';
import { after, before, test } from 'node:test';
import { type ControlPlane, startControlPlane } from '../src/index.ts';

let server: ControlPlane;
let agent: Agent;
before(async () => {
  server = await startControlPlane({ serviceAccountAdmission: false });
  agent = new Agent({ keepAlive: true, ca: server.ca });
  await ask('POST', configMaps, { body: configMap('a') });
});
after(async () => {
  agent.destroy();
  await server.close();
});

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, metadata: object = {}) => ({ kind: 'ConfigMap', metadata: { name, ...metadata } });

interface Asked {
  readonly body?: object;
  readonly accept?: string;
}

function ask(method: string, path: string, { body, accept }: Asked = {}): Promise<{ code: number; text: string }> {
  return new Promise((resolve, reject) => {
    const text = body ? JSON.stringify(body) : undefined;
    const headers = {
      authorization: `Bearer ${server.token}`,
      accept: accept ?? 'application/json',
      ...(text ? { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) } : {}),
    };
    const call = request(new URL(path, server.url), { agent, method, headers }, (answer) => {
      let received = '';
      answer.on('data', (chunk: Buffer) => (received += chunk.toString()));
      answer.on('end', () => resolve({ code: answer.statusCode ?? 0, text: received }));
    });
    call.on('error', reject);
    call.end(text);
  });
}

for (const [title, method, path, asked, code, text] of [
  ['an empty limit', 'GET', `${configMaps}?limit=`, {}, 400, /parsing \\"\\": invalid syntax/],
  ['a list at no revision', 'GET', `${configMaps}?resourceVersion=abc`, {}, 400, /invalid resource version/],
  ['a half wildcard', 'GET', configMaps, { accept: 'application/*' }, 406, /Not Acceptable/],
  [
    'an unsupported format of a missing object',
    'GET',
    `${configMaps}/none`,
    { accept: 'text/html' },
    406,
    /Acceptable/,
  ],
  [
    'a watch from a future revision, with initial events',
    'GET',
    `${configMaps}?watch=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&resourceVersion=999999`,
    {},
    200,
    /^{"type":"ERROR",.*"reason":"Timeout".*"code":504}}\n$/,
  ],
  ['HEAD', 'HEAD', configMaps, {}, 405, /^$/],
  ['a page', 'GET', '/ui', {}, 404, /^404 page not found\n$/],
  ['an unknown version', 'GET', '/api/v9/x', {}, 404, /"reason":"NotFound"/],
  ['a review by name', 'POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews/x', { body: {} }, 404, /Found/],
  [
    'an eviction of a missing pod',
    'POST',
    '/api/v1/namespaces/default/pods/p/eviction',
    { body: {} },
    400,
    /name in URL/,
  ],
  ['a binding without a target', 'POST', '/api/v1/namespaces/default/bindings', { body: {} }, 400, /target\.name/],
] as const) {
  test(`${title} is ${code}`, async () => {
    const answer = await ask(method, path, asked);
    assert.equal(answer.code, code);
    assert.match(answer.text, text);
  });
}

test('an object cannot be read as a list of metadata, nor a list as an object', async () => {
  const as = (kind: string) => ({ accept: `application/json;as=${kind};v=v1;g=meta.k8s.io` });
  const list = await ask('GET', configMaps, as('PartialObjectMetadata'));
  assert.deepEqual([list.code, /is a list \(\*core\.ConfigMapList\)/.test(list.text)], [406, true]);
  const one = await ask('GET', `${configMaps}/a`, as('PartialObjectMetadataList'));
  assert.deepEqual([one.code, /is not a list \(\*core\.ConfigMap\)/.test(one.text)], [406, true]);
  assert.equal((await ask('GET', configMaps, as('PartialObjectMetadataList'))).code, 200);
});

test('a watch from the current state marks the end of the initial events, for clients that accept bookmarks', async () => {
  const watch = `${configMaps}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Da`;
  const ends = async (query: string) => (await ask('GET', `${watch}${query}`)).text.includes('initial-events-end');
  assert.deepEqual(await Promise.all([ends('&allowWatchBookmarks=true'), ends('')]), [true, false]);
  assert.equal((await ask('GET', `${watch}&continue=abc`)).code, 422);
});

test('a dry run ignores the resource version, and a delete that has only started may return 202', async () => {
  const body = configMap('b', { resourceVersion: '5', finalizers: ['example.com/held'] });
  assert.equal((await ask('POST', `${configMaps}?dryRun=All`, { body })).code, 201);
  delete (body.metadata as { resourceVersion?: string }).resourceVersion;
  await ask('POST', configMaps, { body });
  assert.equal((await ask('DELETE', `${configMaps}/b`, { body: { orphanDependents: false } })).code, 202);
  assert.equal((await ask('DELETE', `${configMaps}/b`)).code, 200);
});
