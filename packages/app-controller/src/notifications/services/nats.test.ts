import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { publishToNats, signedNonce } from './publish-to-nats.ts';

/** Answers as the protocol of NATS says; gives everything that a client sent. */
async function startNats(t: TestContext, answer = 'PONG') {
  let received = '';
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write(`INFO ${JSON.stringify({ server_id: 'x', nonce: 'once', headers: true })}\r\n`);
    socket.on('data', (chunk) => {
      received += chunk.toString();
      if (received.endsWith('PING\r\n')) socket.write(`PING\r\n${answer}\r\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const url = `nats://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, received: () => received };
}

const user = { nkey: '', username: '', password: '' };
const signal = AbortSignal.timeout(10_000);

test('a message with headers goes to the subject', async (t) => {
  const server = await startNats(t);
  const message = { subject: 'deploys', headers: { team: 'réd' }, data: 'héllo' };
  await publishToNats({ url: server.url, ...user, username: 'u', password: 'p' }, message, signal);
  const [connect = '', publication = '', ...rest] = server.received().split('\r\n');
  assert.match(connect, /^CONNECT \{.*"user":"u","pass":"p"\}$/u);
  assert.equal(publication, 'HPUB deploys 24 30');
  assert.deepEqual(rest, ['NATS/1.0', 'team: réd', '', 'héllo', 'PING', '']);
});

test('an error of the server fails the delivery', async (t) => {
  const server = await startNats(t, "-ERR 'Authorization Violation'");
  const message = { subject: 'deploys', headers: {}, data: 'x' };
  await assert.rejects(publishToNats({ url: server.url, ...user }, message, signal), /'Authorization Violation'/u);
  assert.match(server.received(), /PUB deploys 1\r\nx\r\n/u);
  await assert.rejects(publishToNats({ url: server.url, ...user }, { ...message, subject: 'a b' }, signal), /subject/u);
});

test('a seed signs the nonce of the server with the key of the user', () => {
  // The example of the documentation of NATS.
  const seed = 'SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY';
  const { nkey, sig } = signedNonce(seed, 'once');
  assert.equal(nkey, 'UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4');
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...nkey].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = Buffer.from((bits.match(/.{8}/gu) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes.subarray(1, 33)]);
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  assert.ok(verify(null, Buffer.from('once'), key, Buffer.from(sig, 'base64url')));
  assert.throws(() => signedNonce('nope', 'x'), /not a seed/u);
});
