import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResourceRequest } from '../wire/live-request.ts';
import { readOnly } from './live-policy.ts';
import { answerLiveRequest, type LiveWrite } from './live-requests.ts';

const pod: ResourceRequest = {
  ...{ uuid: '1', method: 'GET', group: '', version: 'v1', resource: 'pods', namespace: 'shop', name: 'web-0' },
};
const writer = { ...readOnly, level: 'write' } as const;

test('a write by an event needs the level write, and is answered with 200', async () => {
  const writes: (LiveWrite | undefined)[] = [];
  const read = async (_: string, write?: LiveWrite) => {
    writes.push(write);
    return { status: write?.method === 'POST' ? 201 : 200, text: '{}' };
  };
  const patch = { ...pod, method: 'PATCH', body: '{"metadata":{}}' };
  assert.equal((await answerLiveRequest(patch, readOnly, read)).status, 403);
  assert.equal((await answerLiveRequest(patch, writer, read)).status, 200);
  assert.equal((await answerLiveRequest({ ...patch, body: '[]' }, writer, read)).status, 200);
  assert.equal((await answerLiveRequest({ ...pod, method: 'POST', body: '{}' }, writer, read)).status, 200);
  assert.equal((await answerLiveRequest({ ...patch, resource: 'secrets' }, writer, read)).status, 403);
  assert.equal((await answerLiveRequest({ ...pod, params: { watch: 'true' } }, writer, read)).status, 400);
  assert.deepEqual(
    writes.map((write) => write?.contentType),
    ['application/merge-patch+json', 'application/json-patch+json', 'application/json'],
  );
});
