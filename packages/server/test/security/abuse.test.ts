/** Clients that send too much, too slowly, or do not read. */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { applicationKind } from '@fairlead/api';
import type { KubeObject } from '@fairlead/apimachinery';
import { limits, sleep, systemClock } from '@fairlead/kube';
import { type SecuredInstallation, startSecured } from './fixtures.ts';

let secured: SecuredInstallation;
const open: Socket[] = [];

before(async () => {
  secured = await startSecured({
    connections: { connections: 1_200, headerMs: 1_000, requestMs: 2_000, idleMs: 1_000, stalledMs: 1_000 },
  });
});
after(async () => {
  for (const socket of open) socket.destroy();
  await secured.installation.close();
});

const dial = (url = secured.server.url): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => resolve(socket));
    socket.on('error', reject);
    // Without reading, it would not notice that it was closed.
    socket.resume();
    open.push(socket);
  });

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.closed) resolve();
    socket.on('close', () => resolve());
    socket.resume();
  });

const isServed = async (): Promise<boolean> => (await fetch(`${secured.server.url}/api/version`)).status === 200;

test('a thousand connections that send nothing are closed, and others are served meanwhile', async () => {
  const sockets = await Promise.all(Array.from({ length: 1_000 }, () => dial()));
  assert.equal(await isServed(), true);
  await Promise.all(sockets.map(closed));
  assert.equal(await isServed(), true);
});

test('connections beyond the limit are closed at once', async () => {
  const slow = { headerMs: 60_000, requestMs: 60_000, idleMs: 60_000, stalledMs: 60_000 };
  const { url } = await secured.installation.serve({ connections: { connections: 50, ...slow } });
  const sockets = await Promise.all(Array.from({ length: 80 }, () => dial(url)));
  await Promise.all(sockets.slice(50).map(closed));
  for (const socket of sockets) socket.destroy();
  while ((await fetch(`${url}/api/version`).catch(() => undefined))?.status !== 200) await sleep(systemClock, 50);
});

test('headers and bodies that come byte by byte are cut off', async () => {
  for (const head of [
    'GET /api/version HTTP/1.1\r\nhost: x\r\nx-slow: ',
    'POST /api/v1/session HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{',
  ]) {
    const socket = await dial();
    socket.write(head);
    const drip = setInterval(() => socket.writable && socket.write('a'), 100);
    await closed(socket);
    clearInterval(drip);
  }
  assert.equal(await isServed(), true);
});

test('a client that does not read its answer is disconnected', async () => {
  const { client } = secured.installation;
  const filler = 'x'.repeat(200_000);
  for (let i = 0; i < 60; i++) {
    await client.create(applicationKind.type, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: `large-${i}`, namespace: 'argocd', annotations: { filler } },
      spec: {
        project: 'team',
        source: { repoURL: 'https://git.example.com/a', path: '.' },
        destination: { server: 'x' },
      },
    } as KubeObject);
  }
  for (const path of ['/api/v1/applications', '/api/v1/stream/applications']) {
    const socket = await dial();
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${secured.tokens.admin}\r\n\r\n`);
    // Only what the kernel has buffered is left when it reads at last.
    await sleep(systemClock, 4_000);
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    await closed(socket);
    assert.ok(bytes < 12_000_000, `${path}: ${bytes} bytes`);
  }
  assert.equal(await isServed(), true);
});

test('guessing passwords is refused, also the right one, and does not delay others', async () => {
  const attempt = async (username: string, password: string): Promise<number> =>
    (
      await fetch(`${secured.server.url}/api/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, password }),
      })
    ).status;
  for (let i = 0; i < limits.signInFailures; i++) assert.equal(await attempt('other', `wrong-${i}`), 401);
  assert.equal(await attempt('other', 'other-password'), 401);
  assert.equal(await attempt('reader', 'reader-password'), 200);
  const many = await Promise.all(Array.from({ length: 40 }, (_, i) => attempt(`user-${i}`, 'wrong')));
  assert.ok(many.every((status) => status === 401));
  assert.equal(await attempt('reader', 'reader-password'), 200);
});
