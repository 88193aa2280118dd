/** Input that is refused: content types, unknown fields, stale versions, expired tokens. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isObject, type JsonObject } from '@fairlead/apimachinery';
import { sleep, systemClock } from '@fairlead/kube';
import { type SecuredInstallation, startSecured } from './fixtures.ts';

let secured: SecuredInstallation;
before(async () => {
  secured = await startSecured();
});
after(() => secured.installation.close());

async function send(
  method: string,
  path: string,
  body?: unknown,
  token = secured.tokens.admin,
  type = 'application/json',
) {
  const answer = await fetch(`${secured.server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(type === '' ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const value: unknown = text.startsWith('{') ? JSON.parse(text) : {};
  return { status: answer.status, headers: answer.headers, text, body: isObject(value) ? value : {} };
}

test('a change with another content type than JSON is refused', async () => {
  const project = JSON.stringify({ project: { metadata: { name: 'typed' } } });
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/yaml',
    '',
  ]) {
    const { status, text } = await send(
      'POST',
      '/api/v1/projects',
      Buffer.from(project).toString(),
      undefined,
      type || 'text/plain;charset=UTF-8',
    );
    assert.deepEqual([status, text], [415, 'Invalid content type\n'], type);
  }
});

test('unknown fields are ignored, and a field of the wrong type is named', async () => {
  const created = await send('POST', '/api/v1/projects', {
    project: { metadata: { name: 'fields' }, spec: { unknown: 1 } },
    more: true,
  });
  assert.equal(created.status, 200, created.text);
  assert.ok(!created.text.includes('unknown'));
  const wrong = await send('POST', '/api/v1/projects', {
    project: { metadata: { name: 'fields' }, spec: { sourceRepos: 'x' } },
  });
  assert.equal(wrong.status, 400);
  assert.match(wrong.text, /project\.spec\.sourceRepos of type \[\]string/u);
  await send('DELETE', '/api/v1/projects/fields');
});

test('a change of an older version of a project is refused', async () => {
  const read = await send('GET', '/api/v1/projects/team');
  const change = (description: string): JsonObject => ({
    project: { ...read.body, spec: { ...(isObject(read.body['spec']) ? read.body['spec'] : {}), description } },
  });
  assert.equal((await send('PUT', '/api/v1/projects/team', change('first'))).status, 200);
  const stale = await send('PUT', '/api/v1/projects/team', change('second'));
  assert.deepEqual([stale.status, stale.body['code']], [409, 10], stale.text);
});

test('a token is refused after it has expired, and after it was deleted', async () => {
  const made = await send('POST', '/api/v1/account/other/token', { id: 'short', expiresIn: 1 });
  const token = String(made.body['token']);
  assert.equal((await send('GET', '/api/v1/projects', undefined, token)).status, 200, made.text);
  await sleep(systemClock, 1_500);
  const expired = await send('GET', '/api/v1/projects', undefined, token);
  assert.deepEqual([expired.status, expired.body['code']], [401, 16]);
  assert.match(expired.text, /token is expired/u);
  const kept = String((await send('POST', '/api/v1/account/other/token', { id: 'kept' })).body['token']);
  assert.equal((await send('GET', '/api/v1/projects', undefined, kept)).status, 200);
  assert.equal((await send('DELETE', '/api/v1/account/other/token/kept')).status, 200);
  for (let attempt = 0; (await send('GET', '/api/v1/projects', undefined, kept)).status === 200; attempt++) {
    assert.ok(attempt < 50, 'the deleted token is still accepted');
    await sleep(systemClock, 20);
  }
  assert.equal((await send('GET', '/api/v1/projects', undefined, kept)).status, 401);
});
