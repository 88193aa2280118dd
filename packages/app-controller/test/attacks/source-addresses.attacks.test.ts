import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { startNeighbour } from '@fairlead/kube/testing';
import { startTenants, type Tenants, until } from '../support/tenants.ts';

let tenants: Tenants;
/** A server that no project of the attacker permits, and one that redirects there. */
let forbidden: Server;
let redirecting: Server;
const requests: string[] = [];

async function listen(server: Server): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
const hostOf = (server: Server): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;

before(async () => {
  forbidden = await listen(
    createServer((request, response) => {
      requests.push(request.url ?? '');
      response.writeHead(404).end();
    }),
  );
  redirecting = await listen(
    createServer((request, response) =>
      response.writeHead(302, { location: `http://${hostOf(forbidden)}${request.url}` }).end(),
    ),
  );
  tenants = await startTenants();
});
after(async () => {
  await tenants.close();
  for (const server of [forbidden, redirecting]) {
    server.closeAllConnections();
    server.close();
  }
});

/** The rules of a project, and addresses that must not pass them. */
function bypasses(): [project: string, sourceRepos: string[], urls: string[]][] {
  const host = hostOf(forbidden);
  return [
    [
      'host-pattern',
      ['http://*.corp.com/*'],
      [
        `http://${host}?.corp.com/x`,
        `http://${host}#.corp.com/x`,
        `http://x.corp.com@${host}/x`,
        `http://${host}\\.corp.com/x`,
        `http://${host}/x?.corp.com/x`,
      ],
    ],
    [
      'denied-path',
      ['*', `!http://${host}/evil/*`, '!git@github.com:evil/*'],
      [
        `http://${host}/evil/x`,
        `http://${host}/EVIL/X`,
        `http://${host}//evil/x.git`,
        `http://${host}/%65vil/x`,
        `http://user@${host}/evil/x`,
        'git@github.com:evil/x',
        'ssh://git@GitHub.com:22//Evil/x',
      ],
    ],
    ['redirected', [`http://${hostOf(redirecting)}/*`], [`http://${hostOf(redirecting)}/x`]],
  ];
}

test('addresses that only look permitted, and redirects to others, reach no server and delay no other tenant', async () => {
  const names: string[] = [];
  const neighbour = await startNeighbour(() => tenants.deliveryMs('honest'));
  for (const [project, sourceRepos, urls] of bypasses()) {
    await tenants.addProject(project, sourceRepos);
    for (const [n, repoURL] of Array.from({ length: 4 }, () => urls)
      .flat()
      .entries()) {
      names.push(`${project}-${n}`);
      await tenants.addApplication(project, `${project}-${n}`, { repoURL });
    }
  }
  await neighbour.assertUnaffected();
  for (const name of names) {
    const conditions = async () => (await tenants.application(name)).status?.conditions ?? [];
    await until(async () => (await conditions()).length > 0);
    const messages = (await conditions()).map(({ message }) => message).join();
    assert.match(messages, /is not permitted|is not valid/u, name);
  }
  assert.deepEqual(requests, [], 'the forbidden server got no request');
});
