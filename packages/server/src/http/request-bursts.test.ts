import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { spreadBursts } from './request-bursts.ts';

const iteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a burst of requests starts in several iterations of the event loop, in order, and without those whose client has left', async () => {
  const served: string[] = [];
  const serve = spreadBursts(({ url = '' }) => served.push(url));
  const requests = Array.from({ length: 120 }, (_, i) => {
    const request = new IncomingMessage(new Socket());
    request.url = `/${i}`;
    return request;
  });
  for (const request of requests) serve(request, new ServerResponse(request));
  assert.equal(served.length, 50, 'in the first iteration');
  requests[119]?.socket.destroy();
  await iteration();
  assert.equal(served.length, 100, 'in the second iteration');
  await iteration();
  assert.deepEqual(
    served,
    Array.from({ length: 119 }, (_, i) => `/${i}`),
  );
  await iteration();
  const [last = assert.fail('no request')] = requests;
  serve(last, new ServerResponse(last));
  assert.equal(served.length, 120, 'a single request starts at once');
});
