import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { systemClock } from '@fairlead/kube';
import type { RepositoryCredentials } from '../src/credentials/credentials.ts';
import { createRepositories, type Repositories, type RepositoriesOptions } from '../src/git/repositories.ts';
import { createSources } from '../src/sources.ts';
import { type Certificates, makeCertificates, openssl } from './support/certificates.ts';
import { debianPart } from './support/debian-part.ts';
import { type GitHttpServer, startGitHttp } from './support/git-http.ts';
import { type GitSshServer, startSshd } from './support/git-ssh.ts';
import { WorkRepository } from './support/work-repository.ts';

const scratch = mkdtempSync(join(tmpdir(), 'fairlead-git-servers-'));
let head = '';
let opened: Repositories[] = [];
let count = 0;
let cacheDir = '';

before(() => {
  const work = new WorkRepository(join(scratch, 'work'));
  work.commit({ 'app/a.yaml': 'one\n' });
  head = work.commit({ 'app/a.yaml': 'two\n', 'app/b.yaml': 'b\n', 'other/c.yaml': 'c\n' });
});
after(() => rmSync(scratch, { recursive: true }));
afterEach(() => {
  for (const repositories of opened) repositories.close();
  opened = [];
});

function open(options: Partial<RepositoriesOptions> = {}): Repositories {
  cacheDir = join(scratch, `cache-${count++}`);
  const environment = { PATH: process.env['PATH'] };
  const repositories = createRepositories({
    cacheDir,
    clock: systemClock,
    environment,
    pollMs: 60_000,
    allowLocal: false,
    ...options,
  });
  opened.push(repositories);
  return repositories;
}

async function readAll(url: string, credentials?: RepositoryCredentials, options?: Partial<RepositoriesOptions>) {
  const repositories = open(options);
  const commit = await repositories.resolve(url, 'main', { credentials });
  const tree = await repositories.tree(url, commit, { credentials });
  return Buffer.from((await tree.read('app/a.yaml')) ?? []).toString();
}

const secret = 'pa:ss/w@rd %"\\ ü';
/** After any failure, no message and no remaining file contains the secret. */
async function fails(what: Promise<unknown>, reason: string, message: RegExp, secrets = [secret]): Promise<void> {
  await assert.rejects(what, (error: Error & { reason?: string }) => {
    assert.equal(error.reason, reason, error.message);
    assert.match(error.message, message);
    const everything = `${error.message} ${error.stack} ${JSON.stringify(error)}`;
    for (const text of secrets) assert.ok(!everything.includes(text), everything);
    return true;
  });
  assert.deepEqual(readdirSync(join(cacheDir, 'access')), []);
}

describe('over HTTP with a password', () => {
  let server: GitHttpServer;
  let url = '';
  before(async () => {
    const authorization = `Basic ${Buffer.from(`me:${secret}`).toString('base64')}`;
    server = await startGitHttp({ root: scratch, authorization });
    url = `${server.url}/work/.git`;
  });
  after(() => server.close());

  test('the right password is accepted, on request or preemptively', async () => {
    assert.equal(await readAll(url, { name: 'c', username: 'me', password: secret }), 'two\n');
    server.requests.length = 0;
    assert.equal(await readAll(url, { name: 'c', username: 'me', password: secret, forceBasicAuth: true }), 'two\n');
    assert.deepEqual(
      server.requests.filter((line) => line.startsWith('!')),
      [],
    );
    assert.deepEqual(readdirSync(join(cacheDir, 'access')), [], 'no file with a secret remains');
  });

  test('the user name in the URL is sent with the password', async () => {
    assert.equal(await readAll(url.replace('http://', 'http://me@'), { name: 'c', password: secret }), 'two\n');
  });

  test('wrong or missing credentials are reported as such', async () => {
    const wrong = { name: 'c', username: 'me', password: `${secret}x` };
    await fails(readAll(url, wrong), 'AuthenticationFailed', /work\/\.git: the stored credentials were refused$/);
    const forced = { ...wrong, forceBasicAuth: true };
    await fails(readAll(url, forced), 'AuthenticationFailed', /the stored credentials were refused$/);
    await fails(readAll(url), 'AuthenticationFailed', /authentication required: no credentials .* are stored for it$/);
  });

  test('a caller without credentials cannot read content fetched by another', async () => {
    const repositories = open();
    const credentials = { name: 'c', username: 'me', password: secret };
    await repositories.tree(url, head, { credentials });
    await fails(repositories.tree(url, head), 'AuthenticationFailed', /authentication required/);
    await fails(repositories.resolve(url, 'main'), 'AuthenticationFailed', /authentication required/);
  });

  test('a changed password with the same user name is used at the next refresh', async () => {
    const repositories = open();
    const at = (password: string) => ({ fresh: true, credentials: { name: 'c', username: 'me', password } });
    await fails(repositories.resolve(url, 'main', at('old')), 'AuthenticationFailed', /refused/);
    assert.equal(await repositories.resolve(url, 'main', at(secret)), head);
  });
});

test('a password is not sent to the target of a redirect', async () => {
  const seen: (string | undefined)[] = [];
  const other = await startGitHttp({
    root: scratch,
    intercept: (request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(401, { 'www-authenticate': 'Basic realm="other"' }).end();
      return true;
    },
  });
  const first = await startGitHttp({
    root: scratch,
    intercept: (request, response) => {
      response.writeHead(302, { location: `${other.url}${request.url}` }).end();
      return true;
    },
  });
  const url = `${first.url}/work/.git`;
  for (const how of [{ password: secret }, { password: secret, forceBasicAuth: true }, { bearerToken: 'the-token' }]) {
    const credentials = { name: 'c', username: 'me', ...how };
    await assert.rejects(readAll(url, credentials), { name: 'RedirectError', target: `${other.url}/work/.git` });
    const sources = createSources({
      cacheDir: mkdtempSync(join(scratch, 'redirects-')),
      clock: systemClock,
      environment: process.env,
      pollMs: 60_000,
      allowLocal: false,
    });
    await assert.rejects(sources.resolve({ repoURL: url }, 'main', { credentials }), {
      reason: 'AuthenticationFailed',
    });
    sources.close();
  }
  assert.ok(seen.length > 0, 'the other server was reached');
  assert.deepEqual(
    seen.filter((header) => header !== undefined),
    [],
  );
  await Promise.all([first.close(), other.close()]);
});

test('no argument or environment variable of a process contains a secret', async () => {
  const bin = join(scratch, 'bin');
  const log = join(scratch, 'calls.log');
  mkdirSync(bin);
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n{ echo "$@"; env; } >> ${log}\nexec ${real} "$@"\n`, { mode: 0o755 });
  const environment = { PATH: `${bin}:${process.env['PATH']}` };
  const basic = Buffer.from(`me:${secret}`).toString('base64');
  for (const [how, authorization] of [
    [{ username: 'me', password: secret }, `Basic ${basic}`],
    [{ username: 'me', password: secret, forceBasicAuth: true }, `Basic ${basic}`],
    [{ bearerToken: 'the-token' }, 'Bearer the-token'],
  ] as const) {
    const server = await startGitHttp({ root: scratch, authorization });
    assert.equal(await readAll(`${server.url}/work/.git`, { name: 'c', ...how }, { environment }), 'two\n');
    await server.close();
  }
  const calls = readFileSync(log, 'utf8');
  assert.match(calls, /^fetch /m);
  for (const text of [secret, encodeURIComponent(secret), basic, 'the-token']) assert.ok(!calls.includes(text));
});

test('a configured proxy is used', async () => {
  const seen: string[] = [];
  const proxy = await startGitHttp({
    root: scratch,
    intercept: (request) => {
      seen.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`);
      request.url = request.url?.replace('http://git.example.com', '') ?? '';
      return false;
    },
  });
  const address = proxy.url.replace('http://', 'http://me:proxy-secret@');
  assert.equal(await readAll('http://git.example.com/work/.git', { name: 'c', proxy: address }), 'two\n');
  assert.match(seen[0]!, /^http:\/\/git\.example\.com\/work/);
  const dead = { name: 'c', proxy: 'http://me:proxy-secret@127.0.0.1:1' };
  await fails(readAll('http://git.example.com/work/.git', dead), 'RepositoryUnavailable', /./, ['proxy-secret']);
  await proxy.close();
});

test('a bearer token is accepted', async () => {
  const server = await startGitHttp({ root: scratch, authorization: 'Bearer the-token' });
  const url = `${server.url}/work/.git`;
  assert.equal(await readAll(url, { name: 'c', bearerToken: 'the-token' }), 'two\n');
  const wrong = readAll(url, { name: 'c', bearerToken: 'another-token' });
  await fails(wrong, 'AuthenticationFailed', /refused/, ['another-token']);
  await server.close();
});

test('a password that the server repeats in its error is not in our error', async () => {
  const server = await startGitHttp({
    root: scratch,
    intercept: (_request, response) => {
      response.writeHead(500, { 'content-type': 'text/plain' }).end(`you sent ${secret} here\n`);
      return true;
    },
  });
  const credentials = { name: 'c', username: 'me', password: secret, forceBasicAuth: true };
  await fails(readAll(`${server.url}/work/.git`, credentials), 'RepositoryUnavailable', /500/);
  await server.close();
});

test('an unreachable server is reported', async () => {
  await fails(
    readAll('http://127.0.0.1:1/a'),
    'RepositoryUnavailable',
    /^http:\/\/127\.0\.0\.1:1\/a: .*Connection refused|Failed to connect/,
  );
});

describe('over HTTPS', { skip: openssl.skip }, () => {
  let certificates: Certificates;
  let server: GitHttpServer;
  let strict: GitHttpServer;
  before(async () => {
    certificates = makeCertificates(join(scratch, 'certificates'));
    const { server: tls, ca } = certificates;
    server = await startGitHttp({ root: scratch, tls });
    strict = await startGitHttp({ root: scratch, tls: { ...tls, ca, requestCert: true, rejectUnauthorized: true } });
  });
  after(() => Promise.all([server.close(), strict.close()]));

  test('a custom CA can be set for the repository or the host', async () => {
    const url = `${server.url}/work/.git`;
    assert.equal(await readAll(url, { name: 'c', ca: certificates.ca }), 'two\n');
    const trust = { certificates: (host: string) => (host === '127.0.0.1' ? certificates.ca : undefined) };
    assert.equal(await readAll(url, undefined, { trust }), 'two\n');
    assert.equal(await readAll(url, { name: 'c', insecure: true }), 'two\n');
    await fails(readAll(url), 'CertificateRefused', /certificate.*: store the certificate of its authority for 127/);
  });

  test('a client certificate is used', async () => {
    const url = `${strict.url}/work/.git`;
    const { ca, client } = certificates;
    assert.equal(await readAll(url, { name: 'c', ca, clientCertificate: client }), 'two\n');
    await assert.rejects(readAll(url, { name: 'c', ca }));
  });
});

const sshd = debianPart('sshd', 'openssh-server');
describe('over SSH', { skip: sshd.skip }, () => {
  let server: GitSshServer;
  let url = '';
  let trust = {};
  before(async () => {
    server = await startSshd(sshd.path, join(scratch, 'sshd'));
    url = `${server.url}${scratch}/work/.git`;
    trust = { knownHosts: () => server.knownHosts };
  });
  after(() => server.close());
  const key = (): string[] => server.privateKey.split('\n').filter((line) => line.length > 40);

  test('a valid key and a known host are accepted', async () => {
    assert.equal(await readAll(url, { name: 'c', sshPrivateKey: server.privateKey }, { trust }), 'two\n');
    const own = { name: 'c', sshPrivateKey: server.privateKey.trim(), knownHosts: server.knownHosts };
    assert.equal(await readAll(url, own), 'two\n');
    assert.deepEqual(readdirSync(join(cacheDir, 'access')), []);
  });

  test('a wrong, an invalid and a missing key are reported', async () => {
    const denied = /the stored credentials were refused$/;
    await fails(
      readAll(url, { name: 'c', sshPrivateKey: server.otherKey }, { trust }),
      'AuthenticationFailed',
      denied,
      key(),
    );
    const broken = { name: 'c', sshPrivateKey: server.privateKey.slice(0, 200) };
    await fails(readAll(url, broken, { trust }), 'AuthenticationFailed', /private key cannot be read|refused/, key());
    await fails(readAll(url, undefined, { trust }), 'AuthenticationFailed', /no credentials .* are stored for it$/);
  });

  test('an unknown host: the error shows what to add, and how to get it', async () => {
    const message = new RegExp(
      `the SSH host key of 127\\.0\\.0\\.1 is not known: .*\`ssh-keyscan -p ${server.port} 127\\.0\\.0\\.1\` prints .*add the line to the known hosts$`,
    );
    await fails(readAll(url, { name: 'c', sshPrivateKey: server.privateKey }), 'UnknownHostKey', message, key());
    const careless = { name: 'c', sshPrivateKey: server.privateKey, insecureIgnoreHostKey: true };
    assert.equal(await readAll(url, careless), 'two\n');
  });

  test('a changed host key is reported', async () => {
    const words = server.knownHosts.split(' ');
    words[2] = 'AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl';
    const changed = { name: 'c', sshPrivateKey: server.privateKey, knownHosts: words.join(' ') };
    await fails(readAll(url, changed), 'UnknownHostKey', /is not the one in the known hosts: /, key());
  });
});
