import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { VirtualClock } from '@fairlead/sim';
import { inClusterAccess } from './in-cluster.ts';
import { loadKubeconfig } from './kubeconfig.ts';

let directory: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
});
after(() => rm(directory, { recursive: true }));

async function file(name: string, text: string): Promise<string> {
  const path = join(directory, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

const oneUser = (user: string, cluster = 'server: https://example.com:6443') => `
apiVersion: v1
kind: Config
current-context: main
contexts: [{ name: main, context: { cluster: c, user: u, namespace: shop } }]
clusters: [{ name: c, cluster: { ${cluster} } }]
users: [{ name: u, user: { ${user} } }]
`;

async function accessWith(user: string, cluster?: string) {
  return loadKubeconfig({ path: await file('one', oneUser(user, cluster)), env: {} });
}

test('a token, a password and a client certificate are read from the file', async () => {
  const cases: [string, unknown][] = [
    ['token: abc', { token: 'abc' }],
    ['username: jane, password: p', { basic: { username: 'jane', password: 'p' } }],
    [
      `client-certificate-data: ${base64('CERT')}, client-key-data: ${base64('KEY')}`,
      { certificate: { cert: 'CERT', key: 'KEY' } },
    ],
    ['', {}],
  ];
  for (const [user, expected] of cases) {
    const access = await accessWith(user);
    assert.deepEqual(await access.client.credentials?.get(), expected);
    assert.equal(access.namespace, 'shop');
    assert.equal(access.context, 'main');
  }
});

test('CA, server name, proxy and insecure flag of the server are read', async () => {
  const ca = base64('CA');
  const cluster = `server: "https://example.com/k8s", certificate-authority-data: ${ca}, tls-server-name: inner, proxy-url: "http://proxy:3128", insecure-skip-tls-verify: true`;
  const { client } = await accessWith('token: abc', cluster);
  assert.equal(client.server, 'https://example.com/k8s');
  assert.deepEqual(client.tls, { ca: 'CA', serverName: 'inner', insecure: true });
  assert.equal(client.proxyUrl, 'http://proxy:3128');
});

test('files are resolved relative to the kubeconfig that names them', async () => {
  await file('sub/ca.pem', 'CA');
  await file('sub/cert.pem', 'CERT');
  await file('sub/key.pem', 'KEY');
  await file('sub/token', 'from-file\n');
  const text = oneUser(
    'client-certificate: cert.pem, client-key: key.pem, tokenFile: token',
    'server: https://example.com, certificate-authority: ca.pem',
  );
  const { client } = await loadKubeconfig({ path: await file('sub/config', text), env: {} });
  assert.equal(client.tls?.ca, 'CA');
  const expected = { token: 'from-file', certificate: { cert: 'CERT', key: 'KEY' } };
  assert.deepEqual(await client.credentials?.get(), expected);
});

test('a token file is read again after a minute, and at once when its token was rejected', async () => {
  const clock = new VirtualClock();
  const path = await file('token', 'one');
  const access = await loadKubeconfig({ path: await file('cfg', oneUser(`tokenFile: ${path}`)), env: {}, clock });
  const token = async () => (await access.client.credentials?.get())?.token;
  assert.equal(await token(), 'one');
  await file('token', 'two');
  assert.equal(await token(), 'one');
  await clock.advance(60_000);
  assert.equal(await token(), 'two');
  await file('token', 'three');
  access.client.credentials?.refused?.();
  assert.equal(await token(), 'three');
});

test('several files are merged: the first value wins, a missing file is skipped', async () => {
  const first = await file('first', 'current-context: two\nusers: [{ name: u, user: { token: first } }]');
  const second = await file(
    'second',
    `current-context: one
users: [{ name: u, user: { token: second } }]
clusters: [{ name: c, cluster: { server: "https://c" } }]
contexts: [{ name: one, context: { cluster: c, user: u } }, { name: two, context: { cluster: c, user: u, namespace: n2 } }]`,
  );
  const env = { KUBECONFIG: [first, join(directory, 'missing'), second].join(':') };
  const access = await loadKubeconfig({ env });
  assert.equal(access.context, 'two');
  assert.equal(access.namespace, 'n2');
  assert.deepEqual(await access.client.credentials?.get(), { token: 'first' });
  assert.equal((await loadKubeconfig({ env, context: 'one' })).namespace, 'default');
});

test('impersonation in the file is read', async () => {
  const { client } = await accessWith(
    'token: t, as: jane, as-groups: [dev], as-uid: "7", as-user-extra: { team: [a] }',
  );
  assert.deepEqual(client.impersonate, { user: 'jane', uid: '7', groups: ['dev'], extra: { team: ['a'] } });
});

test('an invalid kubeconfig is a one-line error', async () => {
  const cases: [string, RegExp][] = [
    ['current-context: gone', /no context 'gone'; it has none/],
    ['clusters: []', /no current-context/],
    ['a: b: c', /is not valid YAML/],
    ['- 1', /is not a kubeconfig/],
    [oneUser('client-key-data: a2V5'), /a client certificate needs its key/],
    [oneUser('auth-provider: { name: oidc }'), /user 'u': auth-provider 'oidc' .* exec plugin instead: kubelogin/],
    [oneUser('auth-provider: { name: gcp }'), /gke-gcloud-auth-plugin/],
    [oneUser('token: a', ''), /cluster 'c' is missing or has no server/],
  ];
  for (const [text, message] of cases) {
    await assert.rejects(loadKubeconfig({ path: await file('wrong', text), env: {} }), message);
  }
  await assert.rejects(loadKubeconfig({ path: '/nowhere/config', env: {} }), /no kubeconfig at \/nowhere\/config/);
  await assert.rejects(
    loadKubeconfig({ env: { HOME: '/nowhere' } }),
    /no kubeconfig found at \/nowhere\/.kube\/config/,
  );
});

const execUser = (more = '') =>
  `exec: { apiVersion: client.authentication.k8s.io/v1, command: ./plugin, args: [login], env: [{ name: A, value: b }]${more} }`;

async function execAccess(answers: (() => string)[], more = '', clock = new VirtualClock()) {
  const runs: { command: string; args: readonly string[]; env: Record<string, string> }[] = [];
  const access = await loadKubeconfig({
    path: await file('exec', oneUser(execUser(more))),
    env: { PATH: '/bin' },
    clock,
    runCommand: async (command, args, env) => {
      runs.push({ command, args, env });
      return answers.shift()!();
    },
  });
  return { clock, runs, credentials: access.client.credentials! };
}

const credential = (status: object) => () =>
  JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status });

test('an exec plugin is run once for many requests, and again when its credentials expire or are rejected', async () => {
  const clock = new VirtualClock();
  const expirationTimestamp = new Date(clock.now() + 3_600_000).toISOString();
  const { runs, credentials } = await execAccess(
    [
      credential({ token: 'one', expirationTimestamp }),
      credential({ clientCertificateData: 'CERT', clientKeyData: 'KEY' }),
      credential({ token: 'three' }),
    ],
    ', provideClusterInfo: true',
    clock,
  );
  assert.deepEqual(await Promise.all([credentials.get(), credentials.get()]), [{ token: 'one' }, { token: 'one' }]);
  await clock.advance(3_500_000);
  await credentials.get();
  assert.equal(runs.length, 1);
  assert.equal(runs[0]!.command, join(directory, 'plugin'));
  assert.deepEqual(runs[0]!.args, ['login']);
  assert.equal(runs[0]!.env['A'], 'b');
  assert.equal(runs[0]!.env['PATH'], '/bin');
  assert.deepEqual(JSON.parse(runs[0]!.env['KUBERNETES_EXEC_INFO']!), {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: { interactive: false, cluster: { server: 'https://example.com:6443' } },
  });
  await clock.advance(100_000);
  assert.deepEqual(await credentials.get(), { certificate: { cert: 'CERT', key: 'KEY' } });
  credentials.refused?.();
  assert.deepEqual(await credentials.get(), { token: 'three' });
});

test('an exec plugin with invalid output is named in the error, and run again next time', async () => {
  const wrong: [string, RegExp][] = [
    ['not json', /is not JSON/],
    ['{}', /not an ExecCredential/],
    [credential({})(), /neither a token nor a certificate/],
    [credential({ clientKeyData: 'K' })(), /a certificate without a key/],
    [credential({ token: 't', expirationTimestamp: 'soon' })(), /'soon' is not a time/],
    ['{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1"}', /instead of .*\/v1/],
  ];
  for (const [answer, message] of wrong) {
    const { credentials } = await execAccess([() => answer, credential({ token: 'ok' })], ', installHint: get it here');
    await assert.rejects(credentials.get(), (error: Error) => {
      assert.match(error.message, message);
      assert.match(error.message, /exec plugin .*plugin: .*\nget it here/);
      return true;
    });
    assert.deepEqual(await credentials.get(), { token: 'ok' });
  }
});

test('a real command is run, and one that fails or is missing is reported with its output', async () => {
  const plugin = await file(
    'plugin',
    `#!/bin/sh\nif [ "$1" = bad ]; then echo no session >&2; exit 3; fi\necho '${credential({ token: 'real' })()}'\n`,
  );
  await chmod(plugin, 0o755);
  const access = async (command: string, arg: string) => {
    const exec = `exec: { apiVersion: client.authentication.k8s.io/v1, command: ${command}, args: [${arg}] }`;
    return (await accessWith(exec)).client.credentials!.get();
  };
  assert.deepEqual(await access('./plugin', 'good'), { token: 'real' });
  await assert.rejects(access('./plugin', 'bad'), /it failed with 3: no session/);
  await assert.rejects(access('./missing', 'x'), /the command was not found/);
});

test('inside a pod the service account is used', async () => {
  await file('sa/token', 'pod-token');
  await file('sa/ca.crt', 'CA');
  await file('sa/namespace', 'shop');
  const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
  const access = await inClusterAccess({ env, directory: join(directory, 'sa') });
  assert.equal(access.client.server, 'https://[fd00::1]:443');
  assert.deepEqual(access.client.tls, { ca: 'CA' });
  assert.deepEqual(await access.client.credentials?.get(), { token: 'pod-token' });
  assert.equal(access.namespace, 'shop');
  await assert.rejects(inClusterAccess({ env: {} }), /not inside a cluster/);
});
