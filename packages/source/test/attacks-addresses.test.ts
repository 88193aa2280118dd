/** Addresses and redirects that lead the source of a tenant to forbidden content. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseAllowedNetworks } from '@fairlead/apimachinery';
import { systemClock } from '@fairlead/kube';
import { measureEventLoopLag } from '@fairlead/kube/testing';
import { type RepositoryCredentials, withNetworks } from '../src/credentials/credentials.ts';
import { SourceError } from '../src/source-error.ts';
import { createSources, type SourceAsk, type Sources } from '../src/sources.ts';
import { startGitHttp } from './support/git-http.ts';
import { indexOf, listen, packChart, startChartRepository, WorkRepository } from './support/index.ts';

const scratch = mkdtempSync(join(tmpdir(), 'fairlead-addresses-'));
const opened: Sources[] = [];
const work = new WorkRepository(join(scratch, 'work'));
const head = work.commit({ 'a.yaml': 'a: 1\n' });
const lag = measureEventLoopLag();
after(() => {
  for (const sources of opened) sources.close();
  rmSync(scratch, { recursive: true, force: true });
  const blocked = lag.stop();
  assert.ok(blocked <= 250, `the event loop was blocked for ${blocked} ms`);
});

function open(): Sources {
  const sources = createSources({
    cacheDir: mkdtempSync(join(scratch, 'cache-')),
    clock: systemClock,
    environment: { PATH: process.env['PATH'] },
    pollMs: 60_000,
    allowLocal: true,
  });
  opened.push(sources);
  return sources;
}

const limited = (networks: string, credentials?: RepositoryCredentials): SourceAsk => ({
  credentials: withNetworks(credentials, parseAllowedNetworks(networks)),
});
const git = await startGitHttp({ root: scratch });
after(() => git.close());
const repository = `${git.url}/work/.git`;
const { port } = new URL(git.url);

const refusedAddresses = [
  repository,
  `http://localhost:${port}/work/.git`,
  `http://0x7f.1:${port}/work/.git`,
  `http://[::ffff:127.0.0.1]:${port}/work/.git`,
  'ssh://git@127.0.0.1:1/x',
  'git@localhost:x',
  'http://169.254.169.254/latest/meta-data',
  'http://[64:ff9b::7f00:1]/x',
  'http://[2002:7f00:1::]/x',
  join(scratch, 'work'),
  `file://${join(scratch, 'work')}`,
];
for (const repoURL of refusedAddresses) {
  test(`a project limited to public addresses cannot read ${repoURL.replace(scratch, '')}`, async () => {
    const before = git.requests.length;
    await assert.rejects(open().resolve({ repoURL }, 'main', limited('')), { reason: 'AddressRefused' });
    assert.equal(git.requests.length, before, 'no request was sent');
  });
}

test('charts, registries and files on forbidden addresses are refused as well', async () => {
  const sources = open();
  const refused = { reason: 'AddressRefused' };
  await assert.rejects(sources.resolve({ repoURL: git.url, chart: 'c' }, '1.0.0', limited('')), refused);
  await assert.rejects(sources.resolve({ repoURL: `oci://localhost:${port}/c` }, '1.0.0', limited('')), refused);
  await assert.rejects(sources.file(`http://localhost:${port}/x.yaml`, limited('')), refused);
});

test('an administrator can permit networks, and without a limit all are permitted', async () => {
  assert.equal(await open().resolve({ repoURL: repository }, 'main', limited('127.0.0.1/32')), head);
  assert.equal(await open().resolve({ repoURL: repository }, 'main', limited('loopback')), head);
  assert.equal(await open().resolve({ repoURL: repository }, 'main', limited('*')), head);
  assert.equal(await open().resolve({ repoURL: repository }, 'main'), head);
  assert.equal(await open().resolve({ repoURL: join(scratch, 'work') }, 'main'), head);
});

test('content read by an unlimited project is not returned to a limited one', async () => {
  const sources = open();
  assert.equal(await sources.resolve({ repoURL: repository }, 'main'), head);
  await assert.rejects(sources.resolve({ repoURL: repository }, 'main', limited('')), { reason: 'AddressRefused' });
});

/** A server on the permitted address that redirects all requests. */
async function redirecting(to: string) {
  const seen: (string | undefined)[] = [];
  const server = await listen((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(302, { location: `${to}${request.url}` }).end();
  });
  after(() => server.close());
  return { ...server, seen };
}

test('a redirect to a refused address is not followed, for Git, charts, registries and files', async () => {
  const { url } = await redirecting(`http://localhost:${port}`);
  // IPv4 only: localhost may also be ::1, which is refused.
  const ask = limited('127.0.0.1/32');
  const away = (await redirecting(`http://127.0.0.2:${port}`)).url;
  const sources = open();
  const before = git.requests.length;
  const refused = { reason: 'AddressRefused' };
  await assert.rejects(sources.resolve({ repoURL: `${away}/work/.git` }, 'main', ask), refused);
  await assert.rejects(sources.resolve({ repoURL: away, chart: 'c' }, '1.0.0', ask), refused);
  await assert.rejects(sources.file(`${away}/x.yaml`, ask), refused);
  const registry = { ...ask.credentials, name: 'r', plainHttp: true };
  await assert.rejects(
    sources.resolve({ repoURL: `oci://${away.replace('http://', '')}/c` }, '1.0.0', { credentials: registry }),
    refused,
  );
  assert.equal(git.requests.length, before, 'no request was sent');
  assert.equal(await open().resolve({ repoURL: `${url}/work/.git` }, 'main', limited('loopback')), head);
});

test('a redirect that the project does not permit is not followed, and nothing is sent there', async () => {
  const moved = await redirecting(git.url);
  const permitRedirect = (url: string): void => {
    throw new SourceError('NotSupported', `${url} is not permitted`);
  };
  const refused = { reason: 'NotSupported', message: /not permitted/ };
  const sources = open();
  const before = git.requests.length;
  await assert.rejects(sources.resolve({ repoURL: `${moved.url}/work/.git` }, 'main', { permitRedirect }), refused);
  await assert.rejects(sources.resolve({ repoURL: moved.url, chart: 'c' }, '1.0.0', { permitRedirect }), refused);
  await assert.rejects(sources.file(`${moved.url}/x.yaml`, { permitRedirect }), refused);
  assert.equal(git.requests.length, before, 'no request was sent');
  // Another project, which permits it, reads it in the meantime, and the first still cannot.
  assert.equal(await sources.resolve({ repoURL: `${moved.url}/work/.git` }, 'main', {}), head);
  await assert.rejects(sources.resolve({ repoURL: `${moved.url}/work/.git` }, 'main', { permitRedirect }), refused);
});

test('a repository that has moved is read if the project permits it, without its password', async () => {
  const moved = await redirecting(git.url);
  const permitted: string[] = [];
  const sources = open();
  const credentials = { name: 'c', username: 'me', password: 'secret' };
  const repoURL = `${moved.url}/work/.git`;
  const ask = { credentials, permitRedirect: (url: string) => void permitted.push(url) };
  assert.equal(await sources.resolve({ repoURL }, 'main', ask), head);
  const tree = await sources.tree({ repoURL }, head, ask);
  assert.equal(Buffer.from((await tree.read('a.yaml')) ?? '').toString(), 'a: 1\n');
  assert.ok(permitted.length > 0 && permitted.every((url) => url === repository), permitted.join());
});

test('a change of the repository is reported with the repoURL of the Application', async () => {
  const moved = await redirecting(git.url);
  const sources = open();
  const repoURL = `${moved.url}/work/.git`;
  await sources.resolve({ repoURL }, 'main');
  const changed: string[] = [];
  sources.onChange((key) => changed.push(key));
  work.commit({ 'b.yaml': 'b: 1\n' });
  await sources.invalidate(repoURL);
  assert.ok(changed.includes(sources.keyOf({ repoURL })), changed.join());
});

test('an archive on another host needs a digest in the index, or the permission of the project', async () => {
  const [repo, other] = [await startChartRepository(), await startChartRepository()];
  after(() => Promise.all([repo.close(), other.close()]));
  const { archive, digest } = packChart('web', '1.0.0');
  other.files.set('web.tgz', archive);
  const permitRedirect = (): void => {
    throw new SourceError('NotSupported', 'not permitted');
  };
  const source = { repoURL: repo.url, chart: 'web' };
  repo.files.set('index.yaml', indexOf({ web: [{ version: '1.0.0', url: `${other.url}/web.tgz`, digest }] }));
  await open().tree(source, '1.0.0', { permitRedirect });
  repo.files.set('index.yaml', indexOf({ web: [{ version: '1.0.0', url: `${other.url}/web.tgz` }] }));
  await assert.rejects(open().tree(source, '1.0.0', { permitRedirect }), { reason: 'NotSupported' });
  await open().tree(source, '1.0.0');
});
