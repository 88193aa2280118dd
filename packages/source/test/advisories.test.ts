/** Published advisories of Argo CD, Flux and Helm about fetching sources: docs/security/advisories.md lists them with these tests. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { systemClock } from '@fairlead/kube';
import { renderSource } from '@fairlead/render';
import { createSources, type Sources } from '../src/sources.ts';
import { makeCertificates } from './support/certificates.ts';
import { type ChartRepositoryServer, indexOf, packChart, startChartRepository } from './support/chart-repository.ts';
import { listen } from './support/listen.ts';
import { tarOf } from './support/tar-writer.ts';
import { WorkRepository } from './support/work-repository.ts';

const scratch = mkdtempSync(join(tmpdir(), 'fairlead-advisories-'));
after(() => rmSync(scratch, { recursive: true }));
const secret = 'TOP-SECRET';
let count = 0;
let server: ChartRepositoryServer;
let sources: Sources;
let opened: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  server = await startChartRepository();
  sources = createSources({
    cacheDir: join(scratch, `cache-${count++}`),
    clock: systemClock,
    environment: { PATH: process.env['PATH'] },
    pollMs: 60_000,
    allowLocal: true,
  });
});
afterEach(async () => {
  sources.close();
  await server.close();
  await Promise.all(opened.map((each) => each.close()));
  opened = [];
});

/** Closed after the test in any case. */
async function started<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const server = await starting;
  opened.push(server);
  return server;
}

const web = () => ({ repoURL: server.url, chart: 'web' });
const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';

/** A repository next to a secret file, with links to that file. */
async function repositoryWithLinks(links: Readonly<Record<string, string>>, files: Record<string, string>) {
  const dir = mkdtempSync(join(scratch, 'links-'));
  writeFileSync(join(dir, 'secret.yaml'), `${configMap}data: {a: ${secret}}\n`);
  const work = new WorkRepository(join(dir, 'work'));
  for (const [path, text] of Object.entries(files)) work.commit({ [path]: text });
  for (const [path, target] of Object.entries(links)) symlinkSync(target.replace('DIR', dir), join(work.path, path));
  const commit = work.commit({});
  return sources.tree({ repoURL: work.path }, commit);
}

for (const target of ['../../secret.yaml', 'DIR/secret.yaml', '/proc/self/environ']) {
  test(`GHSA-6gcg-hp2x-q54h: a manifest that is a symbolic link to ${target} is not followed`, async () => {
    const tree = await repositoryWithLinks({ 'app/b.yaml': target }, { 'app/a.yaml': configMap });
    const rendered = await renderSource({ repoURL: 'x', path: 'app' }, tree).then(
      ({ manifests }) => JSON.stringify(manifests),
      (error: Error) => error.message,
    );
    assert.match(rendered, /outside|leads out/);
    assert.doesNotMatch(rendered, new RegExp(secret));
  });

  test(`GHSA-q4w5-4gq2-98vm GHSA-p5pc-m4q7-7qm9: values and templates that are symbolic links to ${target} are not followed`, async () => {
    for (const link of ['app/values-x.yaml', 'app/templates/x.yaml']) {
      const files = {
        'app/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
        'app/templates/a.yaml': configMap,
      };
      const tree = await repositoryWithLinks({ [link]: target.replace(/^\.\.\/\.\.\//u, '../../../../') }, files);
      const helm = { valueFiles: ['values-x.yaml'] };
      const rendered = renderSource({ repoURL: 'x', path: 'app', ...(link.includes('values') ? { helm } : {}) }, tree);
      await assert.rejects(rendered, (error: Error) => {
        assert.match(error.message, /outside|leads out/);
        return !error.message.includes(secret);
      });
    }
  });
}

const archives: [ids: string, title: string, entries: Parameters<typeof tarOf>[0], reason: string][] = [
  [
    'GHSA-xrxm-mvqm-r553 GHSA-jjrm-hr5f-673x',
    'a name that climbs',
    [{ name: 'web/../../x', content: 'x' }],
    'InvalidArchive',
  ],
  ['GHSA-jjrm-hr5f-673x', 'an absolute name', [{ name: '/etc/cron.d/x', content: 'x' }], 'InvalidArchive'],
  ['GHSA-jjrm-hr5f-673x', 'backslashes', [{ name: 'web\\..\\..\\x', content: 'x' }], 'InvalidArchive'],
  [
    'GHSA-p5pc-m4q7-7qm9',
    'a link out',
    [{ name: 'web/l', type: '2', target: '../../../etc/passwd' }],
    'InvalidArchive',
  ],
  [
    'GHSA-g687-f2gx-6wm8 GHSA-4hfp-h4cw-hj8p',
    'a file of 21 MiB',
    [{ name: 'web/a', content: Buffer.alloc(21 << 20) }],
    'TooLarge',
  ],
  [
    'GHSA-g687-f2gx-6wm8',
    'files of 120 MiB together',
    Array.from({ length: 8 }, (_, i) => ({ name: `web/${i}`, content: Buffer.alloc(15 << 20) })),
    'TooLarge',
  ],
];
for (const [ids, title, entries, reason] of archives) {
  test(`${ids}: an archive with ${title} is refused`, async () => {
    server.files.set('index.yaml', indexOf({ web: [{ version: '1.0.0', url: 'web-1.0.0.tgz' }] }));
    server.files.set('web-1.0.0.tgz', gzipSync(tarOf(entries)));
    await assert.rejects(sources.tree(web(), '1.0.0'), { name: 'SourceError', reason });
  });
}

test('GHSA-jhwx-mhww-rgc3: an endless index is read up to a limit', async () => {
  let sent = 0;
  const endless = await started(
    listen((_, response) => {
      const piece = Buffer.alloc(1 << 20, '# padding\n');
      const send = (): void => {
        while (!response.destroyed && response.write(piece)) sent += piece.length;
      };
      response.on('drain', send);
      send();
    }),
  );
  const before = process.memoryUsage().rss;
  await assert.rejects(sources.resolve({ repoURL: endless.url, chart: 'web' }, '*'), { reason: 'TooLarge' });
  assert.ok(sent < 1 << 30, `${sent} bytes were read`);
  assert.ok(process.memoryUsage().rss - before < 300 << 20, 'it is not buffered in memory');
});

const indexes: [ids: string, title: string, text: string][] = [
  ['GHSA-53c4-hhmh-vw5q GHSA-r53h-jv2g-vpx6', 'nothing', ''],
  ['GHSA-53c4-hhmh-vw5q', 'entries without content', 'apiVersion: v1\nentries:\n'],
  ['GHSA-53c4-hhmh-vw5q GHSA-r53h-jv2g-vpx6', 'a chart without content', 'apiVersion: v1\nentries:\n  web:\n'],
  [
    'GHSA-53c4-hhmh-vw5q',
    'versions without content',
    'apiVersion: v1\nentries:\n  web: [null, {}, [], 1, {version: 1}]\n',
  ],
  ['GHSA-f9f8-9pmf-xv68', 'values of the wrong types', 'apiVersion: []\nentries: {web: {version: {}}}\n'],
];
for (const [ids, title, text] of indexes) {
  test(`${ids}: an index with ${title} is an error, and the next one is read`, async () => {
    server.files.set('index.yaml', text);
    await assert.rejects(sources.resolve(web(), '*'), { name: 'SourceError' });
    server.files.set('index.yaml', indexOf({ web: [{ version: '1.0.0', url: 'x.tgz' }] }));
    assert.equal(await sources.resolve(web(), '*', { fresh: true }), '1.0.0');
  });
}

test('GHSA-jm56-5h66-w453: of entries with the same chart and version, only the one with the right digest is used', async () => {
  const good = packChart('web', '1.0.0', { 'values.yaml': 'good\n' });
  const bad = packChart('web', '1.0.0', { 'values.yaml': 'bad\n' });
  server.files.set('web.tgz', bad.archive);
  const entry = { version: '1.0.0', url: 'web.tgz', digest: good.digest };
  server.files.set('index.yaml', indexOf({ web: [entry, { ...entry, digest: bad.digest }] }));
  await assert.rejects(sources.tree(web(), '1.0.0'), { reason: 'DigestMismatch' });
});

const credentials = { name: 'c', username: 'me', password: 'hunter2-hunter2' };
const encoded = Buffer.from('me:hunter2-hunter2').toString('base64');

test('GHSA-56hp-xqp3-w2jf GHSA-7jr6-prv4-5wf5: credentials are not sent to another host that the index or a redirect names', async () => {
  const elsewhere = await started(startChartRepository());
  const { archive, digest } = packChart('web', '1.0.0');
  elsewhere.files.set('web.tgz', archive);
  server.files.set('index.yaml', indexOf({ web: [{ version: '1.0.0', url: `${elsewhere.url}/web.tgz`, digest }] }));
  await sources.tree(web(), '1.0.0', { credentials });
  const redirecting = await started(
    listen((_, response) => {
      response.writeHead(302, { location: `${elsewhere.url}/index.yaml` }).end();
    }),
  );
  await assert.rejects(sources.resolve({ repoURL: redirecting.url, chart: 'web' }, '*', { credentials }));
  assert.ok(server.authorizations.includes(`Basic ${encoded}`), 'the repository itself gets them');
  assert.ok(elsewhere.authorizations.length > 0);
  assert.ok(elsewhere.authorizations.every((header) => header === undefined));
});

test('GHSA-mv6w-j4xc-qpfw GHSA-6w87-g839-9wv7 GHSA-v554-xwgw-hc3w: no error of a repository contains its credentials', async () => {
  const answers = [401, 403, 404, 429, 500];
  const failing = await started(
    listen((request, response) => {
      const status = answers[Number(/^\/(\d)/u.exec(request.url ?? '')?.[1] ?? 0)] ?? 500;
      response.writeHead(status, { 'content-type': 'text/plain' }).end(`no: ${request.headers.authorization}`);
    }),
  );
  const { host } = new URL(failing.url);
  const userinfo = `http://me:hunter2-hunter2@${host}`;
  for (const i of answers.keys()) {
    for (const source of [
      { repoURL: `${failing.url}/${i}`, chart: 'web' },
      { repoURL: `${failing.url}/${i}/web.git` },
      { repoURL: `${userinfo}/${i}`, chart: 'web' },
      { repoURL: `${userinfo}/${i}/web.git` },
      { repoURL: `oci://${host}/web`, chart: '' },
      { repoURL: `${failing.url}/${i}?sig=hunter2-hunter2`, chart: 'web' },
    ]) {
      await assert.rejects(sources.resolve(source, '*', { credentials }), (error: Error) => {
        const text = `${error.message} ${error.stack} ${JSON.stringify(error)}`;
        assert.ok(!text.includes('hunter2') && !text.includes(encoded), text);
        return true;
      });
    }
  }
});

test('GHSA-35rf-v2jv-gfg7: an address or a revision is never part of a command line', async () => {
  const marker = join(scratch, 'executed');
  for (const repoURL of [
    `https://127.0.0.1:1/$(touch ${marker})`,
    `https://127.0.0.1:1/x;touch ${marker}`,
    `--upload-pack=touch ${marker}`,
    `ext::sh -c touch% ${marker}`,
    `ssh://-oProxyCommand=touch${marker}/x`,
  ]) {
    await assert.rejects(sources.resolve({ repoURL }, `main;touch ${marker}`));
    await assert.rejects(sources.resolve({ repoURL }, 'main'));
  }
  assert.ok(!existsSync(marker));
});

test('GHSA-x6r5-vxfg-gq3v GHSA-7943-82jg-wmw5: a server with a certificate of an unknown CA is refused', async () => {
  const { server: tls } = makeCertificates(join(scratch, 'certificates'));
  const secure = await started(listen((_, response) => void response.end(indexOf({ web: [] })), tls));
  await assert.rejects(sources.resolve({ repoURL: secure.url, chart: 'web' }, '*'), /certificate/i);
});

test('GHSA-c38g-469g-cmgx: control characters of an index do not reach messages', async () => {
  const name = 'we\u001b[2Jb';
  server.files.set('index.yaml', `apiVersion: v1\nentries:\n  "we\\e[2Jb":\n  - {version: "1\\e[2J", urls: [x]}\n`);
  await assert.rejects(sources.resolve({ repoURL: server.url, chart: name }, '*'), (error: Error) => {
    assert.ok(!error.message.includes('\u001b'), JSON.stringify(error.message));
    return true;
  });
});
