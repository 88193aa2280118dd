import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { connect } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { after, before, test } from 'node:test';
import { limits } from '@fairlead/kube';
import { startNeighbour } from '@fairlead/kube/testing';
import { Registration } from '../../src/wire/gen/registration_pb.ts';
import { GrpcClient } from '../../src/wire/grpc-client.ts';
import { methodPath } from '../../src/wire/rpc.ts';
import { until } from '../support/clusters.ts';
import { deliveriesTo, startHub, type TestAgent, type TestHub } from '../support/hub.ts';

let hub: TestHub;
let edge: TestAgent;

before(async () => {
  hub = await startHub();
  edge = await hub.startAgent('edge', 'managed');
});
after(() => hub.close());

const join = methodPath(Registration.method.join);
const MiB = 2 ** 20;

/** Runs the flood in a separate process: its load does not count for the principal. */
function startFlood(connections: number, streams: number, bytes: number) {
  const script = new URL('../support/join-flood.ts', import.meta.url).pathname;
  const args = [hub.principal.port, connections, streams, bytes, join].map(String);
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let sent = 0;
  child.stdout.on('data', (text: Buffer) => (sent = Number(text.toString().trim().split('\n').pop())));
  return {
    sent: () => sent,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', resolve);
        child.kill('SIGKILL');
      }),
  };
}

test('calls without a certificate use 64 KiB of memory per connection, and delay no agent', async () => {
  const neighbour = await startNeighbour(await deliveriesTo(hub, 'edge', edge));
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const flood = startFlood(100, 100, 8 * MiB);
  await until(() => flood.sent() > 0);
  try {
    await neighbour.assertUnaffected(flood.isRunning);
    const grown = (process.memoryUsage().rss - before) / MiB;
    assert.ok(grown < 120, `the principal grew by ${Math.round(grown)} MiB`);
  } finally {
    await flood.stop();
  }
});

test('a request before authentication is limited to 64 KiB, and its call ends with the reason', async () => {
  const client = await GrpcClient.connect({ address: hub.principal.address, ca: hub.principal.ca, maxBytes: MiB });
  await assert.rejects(client.unary(join, Buffer.alloc(limits.agentBytesBeforeAuthentication + 1)), /too large/u);
  client.close();
});

test('many small calls of one connection buffer no more than one call', async () => {
  const session = connect(`https://127.0.0.1:${hub.principal.port}`, { ca: hub.principal.ca });
  session.on('error', () => {});
  const statuses: (string | undefined)[] = [];
  const head = Buffer.from([0, 0, 0, 0xff, 0xff]);
  for (let i = 0; i < 8; i++) {
    const stream = session.request({ ':method': 'POST', ':path': join, 'content-type': 'application/grpc+proto' });
    stream.on('error', () => {});
    stream.on('trailers', (trailers) => statuses.push(String(trailers['grpc-status'])));
    stream.write(Buffer.concat([head, Buffer.alloc(16 * 1024)]));
  }
  // Four have 64 KiB together, minus their headers; RESOURCE_EXHAUSTED is 8.
  await until(() => statuses.length >= 5);
  assert.deepEqual([...new Set(statuses)], ['8']);
  session.destroy();
});

test('calls beyond the limit of a connection are refused', async () => {
  const session = connect(`https://127.0.0.1:${hub.principal.port}`, {
    ca: hub.principal.ca,
    // The client does not wait for free streams.
    peerMaxConcurrentStreams: 1_000,
  });
  session.on('error', () => {});
  let refused = 0;
  for (let i = 0; i < 2 * limits.agentStreamsPerConnection; i++) {
    const stream = session.request({ ':method': 'POST', ':path': join, 'content-type': 'application/grpc+proto' });
    stream.on('error', (error) => {
      if (/REFUSED_STREAM/u.test(error.message)) refused += 1;
    });
  }
  await until(() => refused > 0);
  session.destroy();
});

test('connections of one address beyond the limit are closed, and agents keep theirs', async () => {
  const sockets = Array.from({ length: 2 * limits.agentConnectionsPerPeer }, () =>
    connectTcp(hub.principal.port, '127.0.0.1'),
  );
  const closed = new Set<unknown>();
  for (const socket of sockets) {
    socket.on('error', () => {});
    socket.on('close', () => closed.add(socket));
  }
  await until(() => closed.size >= limits.agentConnectionsPerPeer);
  assert.equal((await hub.statusOf('edge')).transport, 'Up');
  const deliver = await deliveriesTo(hub, 'edge', edge);
  await deliver();
  for (const socket of sockets) socket.destroy();
  await until(() => closed.size === sockets.length);
  // The limit is on open streams, not on all streams so far.
  await until(async () => {
    const client = await GrpcClient.connect({ address: hub.principal.address, ca: hub.principal.ca, maxBytes: MiB });
    client.close();
    return true;
  });
});
