import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { systemClock } from '@fairlead/kube';
import { ForgeApi } from './forge-api.ts';
import { createForgeHttp } from './forge-http.ts';
import { githubApi, githubError, githubList } from './github.ts';

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const forge = (t: TestContext) => {
  const http = createForgeHttp({ clock: systemClock, environment: {} });
  t.after(() => http.close());
  return http;
};

test('a token is not sent to the host that a forge redirects to', async (t) => {
  const seen: (string | undefined)[] = [];
  const other = await serve(t, (request, response) => {
    seen.push(request.headers.authorization);
    response.end('[]');
  });
  const first = await serve(t, (request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(302, { location: `${other}/elsewhere` }).end();
  });
  await forge(t).send({ url: `${first}/repos`, authorization: 'Bearer secret' });
  assert.deepEqual(seen, ['Bearer secret', undefined]);
});

test('all pages of a list are read, and a next page at another address is refused', async (t) => {
  const pages: string[] = [];
  const url = await serve(t, (request, response) => {
    const page = new URL(request.url ?? '', 'http://x').searchParams.get('page') ?? '1';
    pages.push(page);
    const next = page === '1' ? { link: `<${url}/api/v3/x?page=2>; rel="next", <${url}/x?page=2>; rel="last"` } : {};
    response.writeHead(200, next).end(JSON.stringify([page]));
  });
  const http = forge(t);
  assert.deepEqual(await githubList(githubApi(http, url, ''), '/x', {}, githubError), ['1', '2']);
  assert.deepEqual(pages, ['1', '2']);
  await assert.rejects(new ForgeApi({ http, base: url }).getUrl('http://198.51.100.1/x'), /another address/u);
});

test('an error of a forge is not tried again within one run of a generator', async (t) => {
  let requests = 0;
  const url = await serve(t, (_, response) => {
    requests += 1;
    response.writeHead(503).end('{"message":"busy"}');
  });
  const { status } = await forge(t).send({ url });
  assert.deepEqual([status, requests], [503, 1]);
});
