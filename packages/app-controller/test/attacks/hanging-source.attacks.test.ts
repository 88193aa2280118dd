import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { startNeighbour } from '@fairlead/kube/testing';
import { startTenants, type Tenants, until } from '../support/tenants.ts';

/** A Git server that accepts connections and never answers. */
const sockets = new Set<Socket>();
const server = createServer((socket) => {
  sockets.add(socket);
  socket.on('error', () => {}).on('close', () => sockets.delete(socket));
});
let tenants: Tenants;

before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  tenants = await startTenants();
});
after(async () => {
  await tenants.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

const hanging = (n: number): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/repository-${n}`;

test('60 Applications whose Git server never answers do not delay a commit of another tenant', async () => {
  await tenants.addProject('hostile');
  const neighbour = await startNeighbour(() => tenants.deliveryMs('honest'));
  for (let n = 0; n < 60; n += 1) await tenants.addApplication('hostile', `hanging-${n}`, { repoURL: hanging(n) });
  await until(async () => sockets.size > 0);
  await neighbour.assertUnaffected(() => sockets.size > 0);
});

test('a new Application of another tenant is deployed meanwhile', async () => {
  assert.ok(sockets.size > 0, 'the attack is still running');
  const usual = await tenants.deliveryMs('honest');
  const began = performance.now();
  await tenants.deliveryMs('newcomer');
  assert.ok(performance.now() - began < Math.max(5_000, 10 * usual));
});

test('the Application of such a server is fixed by another repoURL at once', async () => {
  const fixed = await tenants.addRepository('fixed', {
    'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: fixed}\n',
  });
  await tenants.setRepository('hanging-0', fixed.url);
  await until(async () => (await tenants.application('hanging-0')).status?.sync?.status === 'Synced', 8_000);
});
