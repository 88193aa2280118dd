/** Certificates and GPG keys over HTTP. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type ConfigMap, configMapType } from '@fairlead/apimachinery';
import { makeCertificates } from '@fairlead/source/testing';
import { Installation, namespace } from './support/full-installation.ts';

let installation: Installation;
before(async () => {
  installation = await Installation.start({
    policy: 'p, dev, certificates, get, *, allow\np, dev, gpgkeys, get, *, allow',
  });
});
after(() => installation.close());

const call = (...args: Parameters<Installation['call']>): ReturnType<Installation['call']> =>
  installation.call(...args);
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const dataOf = async (name: string): Promise<Record<string, string>> =>
  (await installation.client.get<ConfigMap>(configMapType, { namespace, name })).data ?? {};

const hostKey = 'AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl';
const otherKey = 'AAAAC3NzaC1lZDI1NTE5AAAAIJTpymkU+9o2lWLsD7pTbTGPl3PlXmD8kCbe8IASEvyB';
const ssh = (serverName: string, key = hostKey) => ({
  serverName,
  certType: 'ssh',
  certSubType: 'ssh-ed25519',
  certData: base64(key),
});

test('SSH host keys and TLS certificates are added, filtered, replaced and removed', async () => {
  const { server, ca } = makeCertificates(join(installation.folder, 'tls'));
  const https = { serverName: 'tls.example.com', certType: 'https', certData: base64(`${server.cert}\n${ca}`) };
  const items = [ssh('git.example.com'), ssh('[git.example.com]:2222'), https];
  const created = await call('admin', 'POST', '/api/v1/certificates', { items });
  assert.equal((created.body['items'] as unknown[]).length, 4, created.text);
  assert.equal(
    (await dataOf('argocd-ssh-known-hosts-cm'))['ssh_known_hosts'],
    `git.example.com ssh-ed25519 ${hostKey}\n[git.example.com]:2222 ssh-ed25519 ${hostKey}\n`,
  );
  assert.deepEqual(Object.keys(await dataOf('argocd-tls-certs-cm')), ['tls.example.com']);
  const list = async (query = ''): Promise<string[]> => {
    const { body } = await call('dev', 'GET', `/api/v1/certificates${query}`);
    const found = (body['items'] ?? []) as { serverName: string; certSubType: string; certInfo: string }[];
    return found.map(({ serverName, certSubType, certInfo }) => `${serverName} ${certSubType} ${certInfo}`);
  };
  const all = await list();
  assert.match(all[0] ?? '', /^git\.example\.com ssh-ed25519 SHA256:[\w+/]{43}$/u);
  assert.deepEqual(all.slice(2), ['tls.example.com ecdsa CN=server', 'tls.example.com ecdsa CN=test authority']);
  assert.equal((await list('?certType=ssh')).length, 2);
  assert.equal((await list('?hostNamePattern=tls.*')).length, 2);
  assert.equal((await list('?hostNamePattern=[git.example.com]:2222')).length, 1);
  assert.deepEqual(await list('?hostNamePattern=none'), []);

  const changed = { items: [ssh('git.example.com', otherKey)] };
  const refused = await call('admin', 'POST', '/api/v1/certificates', changed);
  assert.match(String(refused.body['message']), /already exists, and upsert was not specified$/u);
  const upserted = await call('admin', 'POST', '/api/v1/certificates?upsert=true', changed);
  assert.equal((upserted.body['items'] as unknown[]).length, 1, upserted.text);
  const same = await call('admin', 'POST', '/api/v1/certificates', changed);
  assert.deepEqual([same.status, same.body['items']], [200, null]);

  const removed = await call('admin', 'DELETE', '/api/v1/certificates?hostNamePattern=*git.example.com*');
  assert.equal((removed.body['items'] as unknown[]).length, 2, removed.text);
  assert.equal((await list()).length, 2);
  await call('admin', 'DELETE', '/api/v1/certificates');
  assert.deepEqual(await list(), []);
});

test('certificates: who may, and what is refused', async () => {
  for (const as of ['dev', 'nobody'] as const) {
    assert.equal((await call(as, 'POST', '/api/v1/certificates', { items: [ssh('x')] })).status, 403);
    assert.equal((await call(as, 'DELETE', '/api/v1/certificates')).status, 403);
  }
  assert.equal((await call('nobody', 'GET', '/api/v1/certificates')).status, 403);
  assert.equal((await call(undefined, 'GET', '/api/v1/certificates')).status, 401);
  const cases: [item: unknown, message: RegExp][] = [
    [ssh('bad name'), /^invalid hostname in request: bad name$/u],
    [ssh('x', 'AAAA'), /^ssh: short read$/u],
    [ssh('x', '%'), /^illegal base64 data at input byte 0$/u],
    [{ ...ssh('x'), certSubType: 'ssh-rsa' }, /^ssh: known hosts key type mismatch/u],
    [ssh('x', base64('\0\0\0\x03foo\0\0\0\x01x')), /^ssh: unknown key algorithm: foo$/u],
    [{ serverName: 'x', certType: 'https', certData: base64('junk') }, /^no valid PEM data received$/u],
    [
      {
        serverName: 'x',
        certType: 'https',
        certData: base64('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'),
      },
      /^could not parse X509 data from input$/u,
    ],
    [{ serverName: 'x', certType: 'ftp' }, /^unknown certificate type: ftp$/u],
  ];
  for (const [item, message] of cases) {
    const { status, body } = await call('admin', 'POST', '/api/v1/certificates', { items: [item] });
    assert.deepEqual([status, body['code']], [500, 2]);
    assert.match(String(body['message']), message);
  }
  for (const body of [undefined, {}, { items: [] }]) {
    const { status, text } = await call('admin', 'POST', '/api/v1/certificates', body);
    assert.deepEqual([status, text], [200, '{"metadata":{},"items":null}']);
  }
  assert.equal((await call('admin', 'POST', '/api/v1/certificates', '{"items": 1}')).status, 400);
});

/** A new public key, armored. */
function makeKey(name: string): string {
  const home = join(installation.folder, name);
  mkdirSync(home, { mode: 0o700 });
  const gpg = (...args: string[]): string =>
    execFileSync('gpg', ['--homedir', home, '--batch', '--pinentry-mode', 'loopback', '--passphrase', '', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  gpg('--quick-gen-key', `${name} <${name}@example.com>`, 'ed25519', 'sign', 'never');
  return gpg('--armor', '--export');
}

test('GPG keys are added, listed, read and removed, with the facts that gpg states', async () => {
  const [ann, bob] = [makeKey('ann'), makeKey('bob')];
  const created = await call('admin', 'POST', '/api/v1/gpgkeys', { keyData: `${ann}\n${bob}` });
  const { items } = created.body['created'] as { items: { keyID: string; owner: string; keyData: string }[] };
  assert.deepEqual(items.map(({ owner }) => owner).sort(), ['ann <ann@example.com>', 'bob <bob@example.com>']);
  assert.deepEqual(Object.keys(await dataOf('argocd-gpg-keys-cm')).sort(), items.map(({ keyID }) => keyID).sort());
  const again = await call('admin', 'POST', '/api/v1/gpgkeys', { keyData: ann });
  assert.equal((again.body['skipped'] as unknown[]).length, 1, again.text);
  const listed = await call('dev', 'GET', '/api/v1/gpgkeys');
  const [first] = listed.body['items'] as Record<string, string>[];
  assert.deepEqual(
    { trust: first?.['trust'], subType: first?.['subType'], keyData: first?.['keyData'] },
    { trust: 'unknown', subType: 'ed25519', keyData: undefined },
  );
  const id = first?.['keyID'] ?? '';
  assert.ok(first?.['fingerprint']?.endsWith(id));
  for (const named of [id, first?.['fingerprint'] ?? '']) {
    const read = await call('dev', 'GET', `/api/v1/gpgkeys/${named}`);
    assert.match(String(read.body['keyData']), /^-----BEGIN PGP PUBLIC KEY BLOCK-----/u);
  }
  assert.equal((await call('admin', 'DELETE', `/api/v1/gpgkeys?keyID=${id}`)).status, 200);
  assert.deepEqual([(await call('admin', 'GET', `/api/v1/gpgkeys/${id}`)).body['message']], [`no such key: ${id}`]);
});

test('GPG keys: who may, and what is refused', async () => {
  for (const as of ['dev', 'nobody'] as const) {
    assert.equal((await call(as, 'POST', '/api/v1/gpgkeys', { keyData: 'x' })).status, 403);
    assert.equal((await call(as, 'DELETE', '/api/v1/gpgkeys?keyID=x')).status, 403);
  }
  assert.equal((await call('nobody', 'GET', '/api/v1/gpgkeys')).status, 403);
  for (const body of [undefined, {}, { keyData: ' ' }])
    assert.equal((await call('admin', 'POST', '/api/v1/gpgkeys', body)).body['message'], 'submitted key data is empty');
  const junk = await call('admin', 'POST', '/api/v1/gpgkeys', { keyData: 'junk' });
  assert.match(String(junk.body['message']), /^error validating PGP keys from input: `gpg .* failed exit status 2$/u);
  assert.equal((await call('admin', 'GET', '/api/v1/gpgkeys/__proto__')).body['code'], 2);
  assert.equal((await call('admin', 'DELETE', '/api/v1/gpgkeys?keyID=__proto__')).body['code'], 2);
});

test('without gpg on the machine, the error names it', async (t) => {
  const { createGpg } = await import('@fairlead/source');
  const gpg = createGpg({ dir: join(installation.folder, 'none'), environment: {}, program: 'no-such-gpg' });
  const without = await Installation.start({ gpg });
  t.after(() => without.close());
  const { status, body } = await without.call('admin', 'POST', '/api/v1/gpgkeys', { keyData: 'x' });
  assert.deepEqual([status, body['code']], [500, 2]);
  assert.match(String(body['message']), /the program gpg, which verifies signatures, was not found: install gnupg$/u);
});
