/**
 * A TLS server that only writes: every posted body is sent to all watchers, as one line as long as an event of the control plane. It
 * measures the cost of the machine and Node.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { paceCollections } from '@fairlead/kube';
import { loadIdentity } from '../src/certificates.ts';

/** The bytes sent to a watcher of the control plane for one change of the load, including framing. */
const eventBytes = 427;

paceCollections();
const identity = await loadIdentity(undefined);
const watchers = new Set<TLSSocket>();
const server = createServer({ key: identity.key, cert: identity.cert }, (socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.on('close', () => watchers.delete(socket));
  socket.on('data', (data) => {
    const text = data.toString('latin1');
    if (text.startsWith('GET')) {
      watchers.add(socket);
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      return;
    }
    const name = /"name":"[^"]*"/.exec(text)?.[0];
    if (!name) return;
    socket.write('HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n');
    const event = Buffer.from(`${name.padEnd(eventBytes - 1)}\n`);
    for (const watcher of watchers) watcher.write(event);
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
process.send?.({ ready: { url: `https://127.0.0.1:${port}`, ca: identity.ca, token: 'bench' } });
process.on('message', (message) => {
  if (message === 'stop') process.exit(0);
});
