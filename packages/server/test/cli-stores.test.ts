/** `fairlead cluster add`, `cert add-tls`, `cert add-ssh` and `gpg add`, with an API server and with a kubeconfig. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { secretValue, serviceAccountType, textAt } from '@fairlead/apimachinery';
import { caller } from '@fairlead/cli/testing';
import { type EmbeddedCluster, startEmbeddedCluster } from '@fairlead/control-plane';
import { makeCertificates } from '@fairlead/source/testing';
import { Installation } from './support/full-installation.ts';

let installation: Installation;
let other: EmbeddedCluster;
let context = '';
let ways: readonly { readonly name: string; readonly flags: readonly string[] }[] = [];
let fairlead: ReturnType<typeof caller>;
const file = (name: string): string => join(installation.folder, name);

before(async () => {
  installation = await Installation.start();
  other = await startEmbeddedCluster({ nodes: 0 });
  writeFileSync(file('kubeconfig'), installation.cluster.kubeconfig(), { mode: 0o600 });
  writeFileSync(file('other'), other.kubeconfig(), { mode: 0o600 });
  context = /current-context"?: "?([\w-]+)/u.exec(other.kubeconfig())?.[1] ?? '';
  fairlead = caller(() => ({ HOME: installation.folder, FAIRLEAD_CONFIG_DIR: file('contexts') }));
  const address = `127.0.0.1:${installation.server.port}`;
  const login = ['login', address, '--plaintext', '--username', 'admin', '--password', 'password'];
  const signedIn = await fairlead(...login);
  assert.equal(signedIn.code, 0, signedIn.stderr);
  ways = [
    { name: 'server', flags: ['--server', address] },
    { name: 'kubeconfig', flags: ['--kubeconfig', file('kubeconfig')] },
  ];
});
after(async () => {
  await installation.close();
  await other.close();
});

/** The output of a command that succeeds. */
async function done(words: readonly string[], flags: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await fairlead(...words, ...flags);
  assert.equal(code, 0, `${words.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

async function refused(words: readonly string[], flags: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await fairlead(...words, ...flags);
  assert.equal(code, 1, `${words.join(' ')}: ${stdout}`);
  return stderr;
}

test('cluster add creates a service account and stores the cluster with its token', async () => {
  for (const { name, flags } of ways) {
    const add = ['cluster', 'add', context, '--from', file('other'), '--name', name, '--label', 'env=prod'];
    assert.match(await refused(add, flags), /--yes/u);
    assert.match(await done([...add, '--yes'], flags), new RegExp(`✔ cluster ${name} at ${other.url} added`, 'u'));
    const account = await other
      .client('test')
      .get(serviceAccountType, { namespace: 'kube-system', name: 'argocd-manager' });
    assert.equal(account.metadata.name, 'argocd-manager');
    const secret = (await installation.secrets()).find((one) => secretValue(one, 'server') === other.url);
    const config: unknown = JSON.parse((secret && secretValue(secret, 'config')) ?? '{}');
    const token = textAt(config, 'bearerToken');
    // The stored token is that of the service account.
    const { sub } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    assert.equal(sub, 'system:serviceaccount:kube-system:argocd-manager');
    const shown = await done(['cluster', 'get', name, '-o', 'json'], flags);
    assert.match(shown, /"env": "prod"/u);
    assert.ok(!shown.includes(token));
    assert.match(await done(['cluster', 'list'], flags), new RegExp(`^${other.url} +${name}\\b`, 'mu'));
    await done(['cluster', 'rm', name, '--yes'], flags);
  }
});

test('cluster add of selected namespaces limits the service account to them', async () => {
  const [{ flags }] = [ways[0] ?? { flags: [] }];
  const words = ['cluster', 'add', context, '--from', file('other'), '--name', 'limited', '--namespace', 'default'];
  await done([...words, '--yes'], flags);
  const shown: unknown = JSON.parse(await done(['cluster', 'get', 'limited', '-o', 'json'], flags));
  assert.deepEqual((shown as { namespaces?: unknown }).namespaces, ['default']);
  await done(['cluster', 'rm', 'limited', '--yes'], flags);
});

test('cluster add names a context or a file that cannot be used', async () => {
  for (const { flags } of ways) {
    const none = await refused(['cluster', 'add', 'none', '--from', file('other'), '--yes'], flags);
    assert.match(none, /context none cannot be used: /u);
    const missing = await refused(['cluster', 'add', 'x', '--from', file('missing'), '--yes'], flags);
    assert.match(missing, /context x cannot be used: .*missing/u);
  }
});

test('cert add-tls and add-ssh store certificates and host keys', async () => {
  const { server } = makeCertificates(file('tls'));
  writeFileSync(file('server.pem'), server.cert);
  const key = 'AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl';
  for (const { name, flags } of ways) {
    const host = `${name}.example.com`;
    writeFileSync(file('known_hosts'), `# keys\n${host} ssh-ed25519 ${key}\n`);
    assert.match(await done(['cert', 'add-tls', host, '--from', file('server.pem')], flags), new RegExp(host, 'u'));
    assert.match(await done(['cert', 'add-ssh', '--from', file('known_hosts')], flags), new RegExp(host, 'u'));
    const listed = await done(['cert', 'list'], flags);
    assert.match(listed, new RegExp(`^${host} +https`, 'mu'));
    assert.match(listed, new RegExp(`^${host} +ssh +ssh-ed25519 +SHA256:\\S{43}`, 'mu'));
    assert.match(
      await refused(['cert', 'add-tls', host, '--from', file('known_hosts')], flags),
      /no certificate in PEM/u,
    );
    assert.match(await refused(['cert', 'add-ssh', '--from', file('server.pem')], flags), /no host keys/u);
    assert.match(await refused(['cert', 'add-tls', host, '--from', file('none')], flags), /--from \S+ cannot be read/u);
    await done(['cert', 'rm', host, '--yes'], flags);
    assert.doesNotMatch(await done(['cert', 'list'], flags), new RegExp(host, 'u'));
  }
});

test('gpg add stores a key that gpg get shows, and says when it is there already', async () => {
  mkdirSync(file('gpg-home'), { mode: 0o700 });
  const gpg = (...args: string[]): string =>
    execFileSync('gpg', ['--homedir', file('gpg-home'), '--batch', '--passphrase', '', ...args], {
      stdio: 'pipe',
    }).toString();
  gpg('--quick-gen-key', 'Ann <ann@example.com>', 'ed25519', 'sign', 'never');
  writeFileSync(file('ann.asc'), gpg('--armor', '--export'));
  const id =
    /([0-9A-F]{16})$/mu.exec(gpg('--list-keys', '--with-colons').replaceAll(/^fpr:*([0-9A-F]+):$/gmu, '$1'))?.[1] ?? '';
  for (const { flags } of ways) {
    const add = ['gpg', 'add', '--from', file('ann.asc')];
    assert.match(await done(add, flags), new RegExp(`✔ key ${id} of Ann <ann@example.com> added`, 'u'));
    assert.match(await done(add, flags), new RegExp(`key ${id} is there already`, 'u'));
    assert.match(await done(['gpg', 'get', id], flags), /Owner +Ann <ann@example\.com>/u);
    writeFileSync(file('bad.asc'), 'none');
    assert.match(await refused(['gpg', 'add', '--from', file('bad.asc')], flags), /refused/u);
    await done(['gpg', 'rm', id, '--yes'], flags);
  }
});
