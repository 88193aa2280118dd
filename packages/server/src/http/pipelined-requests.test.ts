import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { limits } from '@fairlead/kube';
import { oneAtATime } from './pipelined-requests.ts';

async function listening(t: TestContext, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** All that the server sends until it closes the connection. */
const exchange = (port: number, text: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
    });
    // The rest of what was sent may be refused with a reset.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve(received));
  });

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`;

test('requests that are sent together are answered one after the other, in their order', async (t) => {
  let [running, most] = [0, 0];
  const serve = oneAtATime((request, response) => {
    running += 1;
    most = Math.max(most, running);
    response.once('finish', () => {
      running -= 1;
    });
    setTimeout(() => response.end(`<${request.url}>`), 5);
  });
  const port = await listening(t, createServer(serve));
  const numbers = Array.from({ length: 20 }, (_, i) => `/${i}`);
  const text = await exchange(port, numbers.map((path) => get(path)).join('') + get('/last', 'connection: close\r\n'));
  assert.deepEqual(
    text.match(/<[^>]+>/gu),
    [...numbers, '/last'].map((path) => `<${path}>`),
  );
  assert.equal(most, 1);
});

test('a connection with too many requests that wait is closed', async (t) => {
  let served = 0;
  const serve = oneAtATime(() => {
    served += 1;
  });
  const port = await listening(t, createServer(serve));
  assert.equal(await exchange(port, get('/').repeat(limits.serverPipelinedRequests + 2)), '');
  assert.equal(served, 1);
});
