import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { systemClock } from '@fairlead/kube';
import { memoryTree } from '@fairlead/render';
import { HttpSession } from '../http/http-session.ts';
import { LfsObjects, readPointer, withLfs } from './lfs.ts';

const content = 'kind: ConfigMap\n';
const oid = createHash('sha256').update(content).digest('hex');
const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${content.length}\n`;
const password = 'lfs-password';

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** An LFS server that checks what it is sent. */
async function serve(t: TestContext, served = content): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = [];
  const server = createServer(async (request, response) => {
    const { authorization = 'none' } = request.headers;
    seen.push(`${request.method} ${request.url} ${authorization}`);
    if (request.url === '/shop.git/info/lfs/objects/batch') {
      const isKnown = authorization === `Basic ${Buffer.from(`bot:${password}`).toString('base64')}`;
      if (!isKnown) return response.writeHead(401).end();
      const asked: { objects: [{ oid: string; size: number }] } = JSON.parse(await bodyOf(request));
      assert.deepEqual(asked, {
        operation: 'download',
        transfers: ['basic'],
        objects: [{ oid: asked.objects[0].oid, size: asked.objects[0].size }],
        hash_algo: 'sha256',
      });
      assert.equal(request.headers['content-type'], 'application/vnd.git-lfs+json');
      const found =
        asked.objects[0].oid === oid
          ? {
              actions: {
                download: {
                  href: `http://${request.headers.host}/objects/${oid}`,
                  header: { Authorization: 'Bearer once' },
                },
              },
            }
          : { error: { code: 404, message: 'Object does not exist' } };
      return response.end(JSON.stringify({ objects: [{ ...asked.objects[0], ...found }] }));
    }
    return authorization === 'Bearer once' ? response.end(served) : response.writeHead(403).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/shop`, seen };
}

function objects(t: TestContext): LfsObjects {
  const http = new HttpSession({ clock: systemClock, environment: {} });
  t.after(() => http.close());
  return new LfsObjects(http, { usable: async (_, credentials) => credentials });
}

const credentials = { name: 'argocd/shop', username: 'bot', password };

test('a pointer is read by its format; other files are not pointers', () => {
  assert.deepEqual(readPointer(Buffer.from(pointer)), { oid, size: content.length });
  assert.equal(readPointer(Buffer.from(content)), undefined);
  assert.equal(readPointer(Buffer.from(`${pointer}${'x'.repeat(2_000)}`)), undefined);
});

test('a tree has the contents of large files, read with the credentials of the repository, once', async (t) => {
  const { url, seen } = await serve(t);
  const lfs = objects(t);
  const tree = withLfs(memoryTree({ 'a.yaml': pointer, 'b.txt': 'plain' }), (one, path) =>
    lfs.read(url, one, path, credentials),
  );
  for (let again = 0; again < 2; again++)
    assert.equal(Buffer.from((await tree.read('a.yaml')) ?? '').toString(), content);
  assert.equal(Buffer.from((await tree.read('b.txt')) ?? '').toString(), 'plain');
  const basic = `Basic ${Buffer.from(`bot:${password}`).toString('base64')}`;
  assert.deepEqual(seen, [`POST /shop.git/info/lfs/objects/batch ${basic}`, `GET /objects/${oid} Bearer once`]);
});

test('what the server refuses or does not have is an error without the password', async (t) => {
  const { url } = await serve(t);
  const lfs = objects(t);
  const fails = async (work: Promise<unknown>, expected: RegExp): Promise<void> => {
    const error: unknown = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.match(String(error), expected);
    assert.ok(!String(error).includes(password));
  };
  const known = { oid, size: content.length };
  await fails(lfs.read(url, known, 'a', { ...credentials, password: 'wrong' }), /the stored credentials were refused/u);
  await fails(
    lfs.read(url, { oid: '0'.repeat(64), size: 1 }, 'a', credentials),
    /does not have it: Object does not exist/u,
  );
  await fails(lfs.read('git@git.example:shop.git', known, 'a', credentials), /use the https address/u);
  await fails(lfs.read(url, { oid, size: 10 ** 9 }, 'a', credentials), /limit lfsObjectBytes/u);
  const other = await serve(t, 'something else');
  await fails(lfs.read(other.url, known, 'a', credentials), /content with another digest/u);
});
