import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { systemClock } from '@fairlead/kube';
import { remoteFile } from '@fairlead/render';
import { type Listening, listen } from '../../test/support/listen.ts';
import { HttpSession } from '../http/http-session.ts';
import { SourceFetches } from '../tasks/source-fetches.ts';
import { RemoteFiles } from './remote-files.ts';

const alice = { name: 'alice', username: 'alice', password: 'secret' };
const bob = { name: 'bob', username: 'bob', password: 'other' };
const basic = ({ username, password }: typeof alice): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

let server: Listening;
let http: HttpSession;
let files: RemoteFiles;
let requests: IncomingMessage[] = [];

before(async () => {
  server = await listen((request, response) => {
    requests.push(request);
    const allowed = request.headers.authorization === basic(alice);
    if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end();
    else if (allowed) response.writeHead(200, { etag: '"1"' }).end('replicas: 3');
    else response.writeHead(401).end();
  });
  http = new HttpSession({ clock: systemClock, environment: {} });
});
after(async () => {
  await http.close();
  await server.close();
});
beforeEach(() => {
  requests = [];
  const fetches = new SourceFetches({ clock: systemClock, pollMs: 60_000 });
  files = new RemoteFiles({ http, clock: systemClock, fetches, pollMs: 60_000 });
});

const read = async (credentials?: typeof alice, fresh = false): Promise<string> => {
  const tree = await files.tree(`${server.url}/values.yaml`, { credentials, fresh });
  return Buffer.from((await tree.read(remoteFile)) ?? '').toString();
};

test('a file that was read with credentials is not returned to callers with others, or none', async () => {
  assert.equal(await read(alice), 'replicas: 3');
  await assert.rejects(read(bob), /401|authentication|credentials/iu);
  await assert.rejects(read(), /401|authentication|credentials/iu);
  assert.equal(requests.length, 3);
});

test('an ETag received with one set of credentials is not sent with another: 304 would reveal the cached file', async () => {
  await read(alice);
  await assert.rejects(read(bob, true), /401|authentication|credentials/iu);
  assert.deepEqual(
    requests.map(({ headers }) => headers['if-none-match']),
    [undefined, undefined],
  );
});

test('a file is requested once per interval, and then only if it changed', async () => {
  await Promise.all([read(alice), read(alice)]);
  assert.equal(requests.length, 1);
  assert.equal(await read(alice, true), 'replicas: 3');
  assert.equal(requests.at(-1)?.headers['if-none-match'], '"1"');
});
