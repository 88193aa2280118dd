import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { HttpClient } from './http-client.ts';

/** The protocol of the API server for one command: it repeats its input, and ends at `exit`. */
function startApiServer() {
  const requests: string[] = [];
  const resized: string[] = [];
  const server = createServer((_, response) => response.writeHead(404).end());
  server.on('upgrade', (request, socket) => {
    requests.push(`${request.url} ${request.headers.authorization}`);
    if (request.url?.includes('missing')) return void socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const [protocol] = (request.headers['sec-websocket-protocol'] ?? '').split(',');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Protocol: ${protocol}\r\nSec-WebSocket-Accept: ${createHash('sha1').update(key).digest('base64')}\r\n\r\n`,
    );
    const send = (channel: number, bytes: Buffer): void => {
      socket.write(Buffer.concat([Buffer.of(0x82, bytes.length + 1, channel), bytes]));
    };
    socket.on('data', (bytes: Buffer) => {
      for (let at = 0; at < bytes.length; ) {
        if (((bytes[at] ?? 0) & 0x0f) === 8) return void socket.end();
        const length = (bytes[at + 1] ?? 0) & 0x7f;
        const mask = bytes.subarray(at + 2, at + 6);
        const content = bytes.subarray(at + 6, at + 6 + length).map((byte, i) => byte ^ (mask[i % 4] ?? 0));
        at += 6 + length;
        const text = Buffer.from(content.subarray(1)).toString();
        if (content[0] === 4) resized.push(text);
        else if (text === 'exit') {
          const status = {
            status: 'Failure',
            reason: 'NonZeroExitCode',
            message: 'command terminated with exit code 3',
          };
          send(3, Buffer.from(JSON.stringify(status)));
        } else {
          // A character may be divided between two messages.
          const repeated = Buffer.from(text);
          send(1, repeated.subarray(0, 1));
          send(1, repeated.subarray(1));
        }
      }
    });
    socket.on('error', () => socket.destroy());
  });
  return { server, requests, resized };
}

test('a command in a container gets input and sizes, and gives output and its exit code', async () => {
  const { server, requests, resized } = startApiServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const client = new HttpClient({
    server: `http://127.0.0.1:${port}/prefix`,
    credentials: { get: async () => ({ token: 'abc' }) },
  });
  const options = { namespace: 'shop', pod: 'web-0', container: 'main', command: ['sh', '-l'] };
  try {
    let output = '';
    const session = await client.exec(options, (text) => {
      output += text;
      if (output === 'é') session.write('exit');
    });
    session.resize({ rows: 2, columns: 3 });
    session.write('é');
    assert.deepEqual(await session.ended, { exitCode: 3, message: 'command terminated with exit code 3' });
    session.close();
    assert.equal(output, 'é');
    assert.deepEqual(resized, ['{"Width":3,"Height":2}']);
    assert.equal(
      requests[0],
      '/prefix/api/v1/namespaces/shop/pods/web-0/exec?container=main&stdin=true&stdout=true&stderr=true&tty=true&command=sh&command=-l Bearer abc',
    );
    await assert.rejects(
      client.exec({ ...options, pod: 'missing' }, () => {}),
      /exec/u,
    );
  } finally {
    await client.close();
    server.closeAllConnections();
    server.close();
  }
});
