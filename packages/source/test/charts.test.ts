import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { systemClock } from '@fairlead/kube';
import { createSources, type Sources } from '../src/sources.ts';
import { type ChartRepositoryServer, indexOf, packChart, startChartRepository } from './support/chart-repository.ts';
import { tarOf } from './support/tar-writer.ts';

const scratch = mkdtempSync(join(tmpdir(), 'fairlead-charts-'));
let count = 0;
let server: ChartRepositoryServer;
let sources: Sources;
const open = (cache = `cache-${count++}`): Sources =>
  createSources({
    cacheDir: join(scratch, cache),
    clock: systemClock,
    environment: {},
    pollMs: 60_000,
    allowLocal: false,
  });

beforeEach(async () => {
  server = await startChartRepository();
  sources = open();
});
afterEach(async () => {
  sources.close();
  await server.close();
});
after(() => rmSync(scratch, { recursive: true }));

const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? 'nothing').toString();
const web = () => ({ repoURL: server.url, chart: 'web' });

function publish(to: ChartRepositoryServer, ...versions: string[]): void {
  const entries = versions.map((version) => {
    const { archive, digest } = packChart('web', version, { 'values.yaml': `version: ${version}\n` });
    to.files.set(`web-${version}.tgz`, archive);
    return { version, url: `web-${version}.tgz`, digest };
  });
  to.files.set('index.yaml', indexOf({ other: [], web: entries, zoo: [] }));
}

async function readValues(requested: string): Promise<string> {
  const version = await sources.resolve(web(), requested);
  return text(await (await sources.tree(web(), version)).read('values.yaml'));
}

test('versions and ranges are resolved as in Helm', async () => {
  publish(server, '1.2.0', '1.10.0', '0.9.0', '2.0.0-rc.1', 'v3.0.0');
  const cases: [requested: string, version: string][] = [
    ['1.2.0', '1.2.0'],
    ['^1', '1.10.0'],
    ['~1.2', '1.2.0'],
    ['<1', '0.9.0'],
    ['2.0.0-rc.1', '2.0.0-rc.1'],
    ['>1.10-0 <3', '2.0.0-rc.1'],
    ['*', 'v3.0.0'],
    ['', 'v3.0.0'],
    ['3.0.0', 'v3.0.0'],
  ];
  for (const [requested, version] of cases) assert.equal(await sources.resolve(web(), requested), version, requested);
  assert.equal(await readValues('^1'), 'version: 1.10.0\n');
});

test('the index is requested once, then only if it has changed', async () => {
  publish(server, '1.0.0');
  await Promise.all(Array.from({ length: 20 }, () => sources.resolve(web(), '*')));
  await sources.resolve(web(), '*', { fresh: true });
  assert.deepEqual(server.requests, ['GET /index.yaml 200', 'GET /index.yaml 304']);
  publish(server, '1.0.0', '1.1.0');
  assert.equal(await sources.resolve(web(), '*', { fresh: true }), '1.1.0');
  await readValues('*');
  await readValues('*');
  assert.deepEqual(server.requests.slice(2), ['GET /index.yaml 200', 'GET /web-1.1.0.tgz 200']);
});

test('a new process reuses the cache on disk', async () => {
  publish(server, '1.0.0');
  sources.close();
  sources = open('kept');
  await readValues('*');
  sources.close();
  sources = open('kept');
  server.requests.length = 0;
  assert.equal(await readValues('*'), 'version: 1.0.0\n');
  assert.deepEqual(server.requests, ['GET /index.yaml 304']);
});

const errors: [what: string, requested: string, prepare: () => void, reason: string, message: RegExp][] = [
  ['no index', '*', () => {}, 'RepositoryNotFound', /\/index\.yaml was not found$/],
  ['no such version', '^9', () => publish(server, '1.0.0'), 'RevisionNotFound', /has no version \^9 of chart web$/],
  ['no version', 'main branch', () => publish(server, '1.0.0'), 'InvalidRevision', /"main branch" is not a version/],
  [
    'another chart only',
    '*',
    () => server.files.set('index.yaml', indexOf({ other: [] })),
    'ChartNotFound',
    /has no chart web$/,
  ],
  ['no index', '*', () => server.files.set('index.yaml', '<html>\n<p>hello: you</p>\n'), 'InvalidIndex', /index\.yaml/],
  [
    'an index that is a list',
    '*',
    () => server.files.set('index.yaml', '- a\n- b\n'),
    'InvalidIndex',
    /no entries|cannot be read/,
  ],
];
for (const [what, requested, prepare, reason, message] of errors) {
  test(`refused: ${what}`, async () => {
    prepare();
    await assert.rejects(sources.resolve(web(), requested), { name: 'SourceError', reason, message });
  });
}

test('an archive that differs from the digest in the index is refused, and not stored', async () => {
  publish(server, '1.0.0');
  const { archive } = packChart('web', '1.0.0', { 'values.yaml': 'changed\n' });
  const right = server.files.get('web-1.0.0.tgz')!;
  server.files.set('web-1.0.0.tgz', archive);
  await assert.rejects(sources.tree(web(), '1.0.0'), {
    reason: 'DigestMismatch',
    message: /has the digest .* and the index .* has/,
  });
  server.files.set('web-1.0.0.tgz', right);
  assert.equal(await readValues('1.0.0'), 'version: 1.0.0\n');
});

test('hostile archives are refused, and the error names the archive', async () => {
  const hostile: [entries: Parameters<typeof tarOf>[0], message: RegExp][] = [
    [
      [{ name: 'web/../../../etc/cron.d/x', content: 'x' }],
      /web-1\.0\.0\.tgz: the archive contains .* leads out of it/,
    ],
    [[{ name: 'web/link', type: '2', target: '../../../etc/passwd' }], /is a link to .* outside of it/],
  ];
  server.files.set('index.yaml', indexOf({ web: [{ version: '1.0.0', url: 'web-1.0.0.tgz' }] }));
  for (const [entries, message] of hostile) {
    server.files.set('web-1.0.0.tgz', gzipSync(tarOf(entries)));
    await assert.rejects(sources.tree(web(), '1.0.0'), { reason: 'InvalidArchive', message });
  }
  server.files.set('web-1.0.0.tgz', gzipSync(tarOf([{ name: 'web/a', content: Buffer.alloc(21 * 1024 * 1024) }])));
  await assert.rejects(sources.tree(web(), '1.0.0'), { reason: 'TooLarge' });
  server.files.set('web-1.0.0.tgz', packChart('web', '1.0.0').archive);
  assert.ok(await (await sources.tree(web(), '1.0.0')).read('Chart.yaml'));
});

test('invalid URLs in an index are refused', async () => {
  for (const url of ['file:///etc/passwd', 'ftp://x/y.tgz', 'http://[bad', 'javascript:x']) {
    server.files.set('index.yaml', indexOf({ web: [{ version: '1.0.0', url }] }));
    await assert.rejects(sources.tree(web(), '1.0.0', { fresh: true }), { reason: 'InvalidIndex' }, url);
  }
  for (const chart of ['../web', '-x', 'a b', '']) {
    const asked = sources.charts.resolve({ repoURL: server.url, chart }, '*');
    await assert.rejects(asked, { reason: 'InvalidUrl' });
  }
  await assert.rejects(sources.resolve({ repoURL: 'file:///etc', chart: 'web' }, '*'), { reason: 'InvalidUrl' });
});

describe('credentials', () => {
  const credentials = { name: 'c', username: 'me', password: 'the-secret' };
  const authorization = `Basic ${Buffer.from('me:the-secret').toString('base64')}`;

  test('are sent to the repository', async () => {
    const closed = await startChartRepository({ authorization });
    publish(closed, '1.0.0');
    const address = { repoURL: closed.url, chart: 'web' };
    assert.ok(await sources.tree(address, '1.0.0', { credentials }));
    await assert.rejects(sources.resolve(address, '*'), {
      reason: 'AuthenticationFailed',
      message: /authentication required/,
    });
    const wrong = { ...credentials, name: 'd', password: 'wrong-secret' };
    await assert.rejects(sources.resolve(address, '*', { credentials: wrong }), (error: Error) => {
      assert.match(error.message, /the stored credentials were refused$/);
      assert.ok(!error.message.includes('wrong-secret'));
      return true;
    });
    await closed.close();
  });

  test('are sent to another host only with passCredentials', async () => {
    const elsewhere = await startChartRepository();
    const { archive, digest } = packChart('web', '1.0.0');
    elsewhere.files.set('files/web.tgz', archive);
    server.files.set(
      'index.yaml',
      indexOf({ web: [{ version: '1.0.0', url: `${elsewhere.url}/files/web.tgz`, digest }] }),
    );
    await sources.tree(web(), '1.0.0', { credentials });
    assert.deepEqual(server.authorizations, [authorization]);
    assert.deepEqual(elsewhere.authorizations, [undefined]);
    const again = open();
    await again.tree(web(), '1.0.0', { credentials, passCredentials: true });
    assert.deepEqual(elsewhere.authorizations, [undefined, authorization]);
    again.close();
    await elsewhere.close();
  });
});

test('the URL of a repository may have a path, and URLs may be relative to it', async () => {
  const { archive } = packChart('web', '1.0.0');
  server.files.set('a/b/index.yaml', indexOf({ web: [{ version: '1.0.0', url: 'charts/web.tgz' }] }));
  server.files.set('a/b/charts/web.tgz', archive);
  for (const repoURL of [`${server.url}/a/b`, `${server.url}/a/b/`]) {
    assert.ok(await sources.tree({ repoURL, chart: 'web' }, '1.0.0'));
  }
});

test('an index of 60 MB is searched with bounded memory', async () => {
  const { archive, digest } = packChart('web', '1.0.0');
  server.files.set('web-1.0.0.tgz', archive);
  const many = Object.fromEntries(
    Array.from({ length: 400 }, (_, i) => [
      `chart-${i}`,
      Array.from({ length: 600 }, (_, v) => ({
        version: `1.${v}.0`,
        url: `https://example.com/${'x'.repeat(60)}-${v}.tgz`,
        digest,
      })),
    ]),
  );
  const index = indexOf({ ...many, web: [{ version: '1.0.0', url: 'web-1.0.0.tgz', digest }] });
  assert.ok(index.length > 60_000_000, `${index.length}`);
  server.files.set('index.yaml', Buffer.from(index));
  const before = process.memoryUsage().rss;
  assert.equal(await sources.resolve({ repoURL: server.url, chart: 'chart-399' }, '~1.599'), '1.599.0');
  assert.ok(await sources.tree(web(), '1.0.0'));
  const grown = process.memoryUsage().rss - before;
  assert.ok(grown < 200_000_000, `${grown} bytes`);
});
