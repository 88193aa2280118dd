import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger, systemClock } from '@fairlead/kube';
import type { HttpRequest } from '../http/http-message.ts';
import { createGcpPubsub } from './gcp-pubsub.ts';

async function sent(environment: Record<string, string>, recipient: string): Promise<HttpRequest[]> {
  const requests: HttpRequest[] = [];
  const service = createGcpPubsub({ project: 'my-project', topic: 'deploys' });
  await service.send(
    { message: 'hello', parts: { gcppubsub: { attributes: { app: 'web' } } } },
    { service: 'gcppubsub', recipient },
    {
      http: async (request) => {
        requests.push(request);
        return { status: 200, headers: {}, body: JSON.stringify({ access_token: 'token', expires_in: 60 }) };
      },
      mail: async () => {},
      clock: systemClock,
      environment,
      signal: AbortSignal.timeout(10_000),
      log: silentLogger,
    },
  );
  return requests;
}

test('a message with attributes goes to the topic, with the token of the machine', async () => {
  const [token, publication] = await sent({}, '');
  assert.match(token?.url ?? '', /^http:\/\/metadata\.google\.internal\//u);
  assert.equal(publication?.url, 'https://pubsub.googleapis.com/v1/projects/my-project/topics/deploys:publish');
  assert.equal(publication?.headers?.['authorization'], 'Bearer token');
  assert.deepEqual(JSON.parse(publication?.body ?? ''), {
    messages: [{ data: 'aGVsbG8=', attributes: { app: 'web' } }],
  });
});

test('the recipient is the topic, and an emulator needs no token', async () => {
  const [publication, ...others] = await sent({ PUBSUB_EMULATOR_HOST: '127.0.0.1:8085' }, 'other');
  assert.equal(publication?.url, 'http://127.0.0.1:8085/v1/projects/my-project/topics/other:publish');
  assert.equal(publication?.headers?.['authorization'], undefined);
  assert.equal(others.length, 0);
});
