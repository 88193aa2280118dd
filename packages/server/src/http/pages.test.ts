import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { must } from '@fairlead/apimachinery';
import { pagesHandler } from './pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'fairlead-pages-'));
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'index.html'), '<meta name="csp-nonce" content="__CSP_NONCE__">');
writeFileSync(join(folder, 'assets/index-abc.js'), 'run()');
writeFileSync(join(folder, 'assets/index-abc.js.gz'), gzipSync('run()'));
writeFileSync(join(folder, 'theme.js'), 'theme()');
const secret = join(folder, '../fairlead-pages-secret.txt');
writeFileSync(secret, 'secret');

const handler = pagesHandler({ folder, frameOptions: 'DENY', contentSecurityPolicy: "frame-ancestors 'none'" });
const server = createServer((request, response) => {
  const pathname = must((request.url ?? '/').split('?')[0], 'path');
  void handler(request, response, { pathname, search: '', searchParams: new URLSearchParams() });
});
let base = '';
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  base = `http://127.0.0.1:${port}`;
});
after(() => {
  server.close();
  rmSync(folder, { recursive: true });
  rmSync(secret);
});

const html = { headers: { accept: 'text/html' } };

test('a page of the application is index.html, is not cached, and has a policy without unsafe-inline', async () => {
  const response = await fetch(`${base}/applications/argocd/web.example`, html);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const policy = response.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'; script-src 'self';/u);
  assert.match(policy, /; frame-ancestors 'none'$/u);
  assert.doesNotMatch(policy, /unsafe/u);
  assert.equal(response.headers.get('x-frame-options'), 'DENY');
  const nonce = /nonce-([^']+)'/u.exec(policy)?.[1] ?? '';
  assert.equal(await response.text(), `<meta name="csp-nonce" content="${nonce}">`);
  const again = await fetch(`${base}/`, html);
  assert.doesNotMatch(again.headers.get('content-security-policy') ?? '', new RegExp(RegExp.escape(nonce), 'u'));
});

test('an asset with a hash is cached forever, and sent compressed to those who accept it', async () => {
  const url = `${base}/assets/index-abc.js`;
  const response = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
  assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  assert.equal(response.headers.get('content-encoding'), 'gzip');
  assert.equal(response.headers.get('content-type'), 'text/javascript; charset=utf-8');
  assert.equal(await response.text(), 'run()');
  const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  assert.equal(plain.headers.get('content-encoding'), null);
  assert.equal(gunzipSync(gzipSync(await plain.text())).toString(), 'run()');
  const etag = plain.headers.get('etag') ?? '';
  assert.equal((await fetch(url, { headers: { 'if-none-match': etag } })).status, 304);
});

test('a file without a hash is checked each time', async () => {
  const response = await fetch(`${base}/theme.js`);
  assert.equal(response.headers.get('cache-control'), 'no-cache');
});

test('an asset of another build is not found, so that a browser does not read a page as a script', async () => {
  assert.equal((await fetch(`${base}/assets/index-old.js`, html)).status, 404);
  assert.equal((await fetch(`${base}/index-old.js`, { headers: { accept: 'text/css' } })).status, 404);
});

test('no path leads out of the folder', async () => {
  for (const path of ['/../fairlead-pages-secret.txt', '/%2e%2e/fairlead-pages-secret.txt', '/assets/..%2f..%2fx']) {
    const text = await (await fetch(base + path, html)).text();
    assert.doesNotMatch(text, /^secret/u, path);
  }
});

test('pages are only read', async () => {
  assert.equal((await fetch(`${base}/`, { method: 'POST' })).status, 405);
});
