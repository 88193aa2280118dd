/** Every command with a kubeconfig and with an API server: the same output. */
import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Secret, secretType, secretValue } from '@fairlead/apimachinery';
import { until } from '../test/support/fairlead-process.ts';
import {
  address,
  api,
  configDir,
  fairlead,
  inFolder,
  kubeconfig,
  password,
  refused,
  repository,
} from './both-modes/installation.ts';

interface Row {
  /** `NAME` is another Application or project in each mode, of the same length. */
  readonly words: string;
  readonly code?: number;
  /** Both outputs contain it, so that two empty outputs are not equal by accident. */
  readonly shows: RegExp;
  /** Progress depends on timing: only the last line is compared. */
  readonly last?: boolean;
}

const rows: readonly Row[] = [
  { words: 'account list', shows: /^ci +true +apiKey/mu },
  { words: 'account get --account ci', shows: /^Capabilities +apiKey/mu },
  { words: 'account generate-token --account ci --id NAME --expires-in 1h', shows: /^TOKEN$/mu },
  { words: 'account delete-token --account ci NAME', shows: /deleted/u },
  {
    words: 'project create NAME -s https://git.example.com/* -d https://kubernetes.default.svc,shop',
    shows: /created/u,
  },
  { words: 'project add-source NAME https://git.example.org/x', shows: /changed/u },
  { words: 'project add-source NAME https://git.example.org/x', code: 1, shows: /is there already/u },
  { words: 'project remove-source NAME https://git.example.org/x', shows: /changed/u },
  { words: 'project add-destination NAME prod shop --name', shows: /changed/u },
  { words: 'project remove-destination NAME prod shop --name', shows: /changed/u },
  { words: 'project allow-cluster-resource NAME rbac.authorization.k8s.io ClusterRole', shows: /changed/u },
  { words: 'project deny-namespace-resource NAME apps DaemonSet', shows: /changed/u },
  { words: 'project set NAME --description shop', shows: /changed/u },
  { words: 'project role create NAME deployer', shows: /changed/u },
  { words: 'project role add-policy NAME deployer --action sync --object *', shows: /changed/u },
  { words: 'project role add-group NAME deployer shop-team', shows: /changed/u },
  { words: 'project role create-token NAME deployer --id first', shows: /^TOKEN$/mu },
  { words: 'project role list-tokens NAME deployer', shows: /^first /mu },
  { words: 'project role get NAME deployer', shows: /^Policy +p, proj:NAME:deployer, applications, sync/mu },
  { words: 'project role delete-token NAME deployer first', shows: /deleted/u },
  { words: 'project role list NAME', shows: /^deployer/mu },
  { words: 'project get NAME', shows: /^Denied namespaced kinds +apps\/DaemonSet/mu },
  { words: 'project get NAME -o yaml', shows: /description: shop/u },
  { words: 'project list', shows: /^default /mu },
  { words: 'get projects -o name', shows: /^appproject\/default$/mu },
  { words: 'repo add REPO --upsert', shows: /added/u },
  { words: 'repo list', shows: /Successful/u },
  { words: 'repo get REPO -o json', shows: /"repo": "REPO"/u },
  { words: 'repocreds add https://git.example.com/NAME --username u --password open-sesame', shows: /added/u },
  { words: 'repocreds list -o name', shows: /^repocreds\/https:\/\/git\.example\.com\/NAME$/mu },
  { words: 'repocreds rm https://git.example.com/NAME --yes', shows: /removed/u },
  {
    words: 'repo get https://git.example.com/none',
    code: 1,
    shows: /is not there, or you may not see it: fairlead repo list lists them/u,
  },
  { words: 'cluster get none', code: 1, shows: /cluster none is not there/u },
  { words: 'cert list', shows: /no certificates/u },
  { words: 'cert rm git.example.com --yes', code: 1, shows: /nothing is stored/u },
  { words: 'app create NAME --repo REPO --path web --dest-namespace shop-NAME --revision v1.28', shows: /created/u },
  { words: 'app create NAME --repo REPO --path web --dest-namespace shop-NAME --revision v1.28', shows: /unchanged/u },
  { words: 'app create NAME --repo REPO --path none --dest-namespace x', code: 1, shows: /./u },
  { words: 'app get NAME --refresh -o name', shows: /^application\/NAME$/mu },
  { words: 'app diff NAME', code: 2, shows: /4 objects compared: 4 would be created/u },
  { words: 'app sync NAME', shows: /synced to v?\S+ in AGE: Synced/u, last: true },
  { words: 'app wait NAME --timeout 60s', shows: /NAME is Synced, Healthy/u, last: true },
  // Later, pods are deleted: only a kubeconfig shows their events.
  { words: 'app events alpha', shows: /OperationCompleted/u },
  { words: 'app set NAME --revision v1.29 --label team=shop', shows: /source.targetRevision: v1.28 → v1.29/u },
  { words: 'app refresh NAME', shows: /NAME is OutOfSync/u },
  { words: 'app diff NAME', code: 2, shows: /image: nginx:1.28 → nginx:1.29/u },
  { words: 'app diff NAME --revision v1.28', shows: /no difference/u },
  { words: 'app diff NAME --local WORK/web', code: 2, shows: /image: nginx:1.28 → nginx:1.29/u },
  { words: 'app explain NAME', shows: /OutOfSync/u },
  { words: 'app sync NAME --dry-run', shows: /as a dry run/u, last: true },
  { words: 'app sync NAME --resource apps:Deployment:web', shows: /synced/u, last: true },
  { words: 'app wait NAME --timeout 60s', shows: /NAME is Synced, Healthy/u, last: true },
  { words: 'app history NAME', shows: /^0 .* USER$/mu },
  { words: 'app rollback NAME 0 --yes', shows: /synced/u, last: true },
  { words: 'app wait NAME --health --operation --timeout 60s', shows: /Healthy/u, last: true },
  { words: 'app terminate NAME', code: 1, shows: /is not being synced/u },
  { words: 'app sync NAME', shows: /synced/u, last: true },
  { words: 'app wait NAME --timeout 60s', shows: /NAME is Synced, Healthy/u, last: true },
  { words: 'app get NAME', shows: /^Deployment +shop-NAME +web +Synced +Healthy/mu },
  { words: 'app get alpha -o json', shows: /"kind": "Application"/u },
  { words: 'app get alpha -o tree', shows: /ReplicaSet shop-NAME\/web-/u },
  { words: 'app tree alpha', shows: /Pod shop-NAME\/POD {2}Healthy/u },
  { words: 'app tree alpha -o json', shows: /"kind": "ReplicaSet"/u },
  { words: 'app explain NAME', shows: /Synced/u },
  { words: 'app manifests NAME', shows: /kind: Deployment/u },
  { words: 'app manifests NAME --revision v1.28', shows: /image: nginx:1.28/u },
  { words: 'app manifests alpha --source live', shows: /readyReplicas: 1/u },
  { words: 'app logs alpha --kind Deployment --tail 1', shows: /^POD {2}\S/u },
  { words: 'app list', shows: /Synced/u },
  { words: 'app list -o wide', shows: /manual/u },
  { words: 'get apps -A -o yaml', shows: /kind: Application/u },
  { words: 'get apps -l team=shop --status OutOfSync', shows: /none of 2 Applications is OutOfSync/u },
  { words: 'get app/NAME -o name', shows: /^application\/NAME$/mu },
  { words: 'get clusters', shows: /^in-cluster /mu },
  { words: 'cluster list', shows: /Successful/u },
  { words: 'cluster get in-cluster', shows: /^Applications +2$/mu },
  { words: 'app get nothing', code: 1, shows: /Application nothing not found in namespace argocd/u },
  { words: 'app delete NAME --yes', shows: /NAME deleted/u, last: true },
  { words: 'app get NAME', code: 1, shows: /not found/u },
  { words: 'project delete NAME --yes', shows: /deleted/u },
  { words: 'project get NAME', code: 1, shows: /project NAME not found/u },
];

/** What differs between two calls: names, times, ids, and who has called. */
const masked = (text: string): string =>
  text
    .replaceAll(/\b(alpha|bravo)\b/gu, 'NAME')
    .replaceAll(repository, 'REPO')
    .replaceAll(/^eyJ\S+$/gmu, 'TOKEN')
    .replaceAll(/web-[0-9a-f]{8,10}-[0-9a-z]{5}\b/gu, 'POD')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, 'TIME')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/gu, 'UID')
    .replaceAll(/resourceVersion"?: "\d+"/gu, 'VERSION')
    .replaceAll(/generation"?: \d+/gu, 'GENERATION')
    .replaceAll(/\b1\d{9}\b/gu, 'SECONDS')
    .replaceAll(/\b\d+(s|m|h|d)(\d+(s|m|h))?\b/gu, 'AGE')
    // Whether pods are ready when a sync ends depends on timing.
    .replaceAll(/(in AGE: \w+), \w+/gu, '$1, HEALTH')
    .replaceAll(/\b(admin|root)$/gmu, 'USER')
    .replaceAll(/(by|username"?:) "?(admin|root)"?/gu, '$1 USER')
    .replaceAll(/ {2,}/gu, '  ');

const token = async (words: string[] = []): Promise<string> => {
  const made = await fairlead()(
    ...['account', 'generate-token', '--account', 'ci', '--kubeconfig', kubeconfig, ...words],
  );
  assert.equal(made.code, 0, made.stderr);
  return made.stdout.trim();
};

test('login stores a context of argocd, and commands use it', async () => {
  const run = fairlead({}, `${password}\n`);
  const login = ['login', address, '--username', 'admin', '--password-stdin'];
  assert.match(
    refused(await run(...login)),
    /^fairlead: the certificate of \S+ is not trusted: it is self-signed\. Trust its CA with --server-crt FILE, or accept any certificate with --insecure$/u,
  );
  const secret = await api.client.get<Secret>(secretType, { namespace: 'argocd', name: 'argocd-secret' });
  writeFileSync(inFolder('server.crt'), secretValue(secret, 'tls.crt') ?? '');
  const done = await run(...login, '--server-crt', inFolder('server.crt'));
  const trusted = done.code === 0;
  // The certificate may be for another name than the address.
  if (!trusted) assert.match(refused(done), /another host name/u);
  const signedIn = await run(...login, '--insecure', '--name', 'shop');
  assert.match(signedIn.stdout, /signed in to \S+ as admin; context shop in \S+ is now current/u);
  assert.equal(statSync(join(configDir, 'config')).mode & 0o777, 0o600);
  assert.match((await run('context')).stdout, /^\* +shop +/mu);
  assert.match((await run('whoami')).stdout, /^Username +admin$/mu);
  assert.equal((await run('account', 'can-i', 'sync', 'applications', '*/*')).stdout, 'yes\n');
  assert.equal((await run('app', 'list')).code, 0);
});

test('every command has the same output with a kubeconfig and with a server', { timeout: 600_000 }, async () => {
  const run = fairlead();
  const ways = [
    { name: 'alpha', flags: ['--kubeconfig', kubeconfig] },
    { name: 'bravo', flags: ['--server', address, '--insecure'] },
  ];
  const different: object[] = [];
  for (const { words, code = 0, shows, last } of rows) {
    const outputs: string[] = [];
    for (const { name, flags } of ways) {
      const given = words
        .split(' ')
        .map((word) => word.replaceAll('NAME', name).replace('REPO', repository).replace('WORK', inFolder('work')));
      const called = await run(...given, ...flags);
      const text = masked(`${called.stdout}${called.stderr}`);
      assert.equal(called.code, code, `${given.join(' ')} ${flags[0]}: ${text}`);
      assert.doesNotMatch(text, /hunter2|open-sesame/u);
      const compared = last ? (text.trimEnd().split('\n').at(-1) ?? '') : text;
      assert.match(compared, shows, `${given.join(' ')} ${flags[0]}`);
      outputs.push(compared);
    }
    if (outputs[1] !== outputs[0]) different.push({ words, kubeconfig: outputs[0], server: outputs[1] });
  }
  assert.deepEqual(different, []);
});

test('errors of a server are one sentence that says what to do', async (t) => {
  const ci = await token();
  const expired = await token(['--expires-in', '1s', '--id', 'soon']);
  const run = fairlead({ FAIRLEAD_SERVER: address });
  const as = (auth: string) => fairlead({ FAIRLEAD_SERVER: address, FAIRLEAD_AUTH_TOKEN: auth });
  const create = [
    'app',
    'create',
    'x',
    '--repo',
    repository,
    '--path',
    'web',
    '--dest-namespace',
    'x',
    '--no-validate',
  ];
  await t.test('the account may not do it', async () => {
    assert.match(
      refused(await as(ci)(...create, '--insecure')),
      /^fairlead: not permitted: permission denied.*Ask for this right in the policy of \S+, or use another account$/u,
    );
    assert.match(refused(await as(ci)('app', 'get', 'x', '--insecure')), /^fairlead: not permitted: /u);
  });
  await t.test('the token has expired, and is not printed', async () => {
    let said = '';
    await until(
      async () => {
        const { code, stderr } = await as(expired)('app', 'list', '--insecure');
        said = stderr.trimEnd();
        return code === 1;
      },
      10_000,
      () => 'the token is still accepted',
    );
    assert.match(said, /refuses the token: .*expired.* Sign in with fairlead login \S+, or set FAIRLEAD_AUTH_TOKEN$/u);
    assert.ok(!said.includes(expired));
  });
  await t.test('the certificate is not trusted', async () => {
    const other = fairlead({ FAIRLEAD_CONFIG_DIR: inFolder('other'), FAIRLEAD_SERVER: address });
    assert.match(refused(await other('app', 'list')), /is not trusted: it is self-signed\./u);
    assert.match(refused(await other('app', 'list', '--plaintext')), /uses TLS: connect without --plaintext$/u);
    assert.match(
      refused(await other('app', 'list', '--insecure')),
      /requires a session\. Sign in with fairlead login \S+, or set FAIRLEAD_AUTH_TOKEN$/u,
    );
  });
  await t.test('the server does not respond', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const place = silent.address();
    const port = typeof place === 'object' && place ? place.port : 0;
    await new Promise((resolve) => silent.close(resolve));
    assert.match(
      refused(await run('app', 'list', '--server', `127.0.0.1:${port}`)),
      /does not respond \(ECONNREFUSED\): check its address, or choose another with --server or fairlead context NAME$/u,
    );
  });
  await t.test('a cluster and a server', async () => {
    assert.match(
      refused(await run('app', 'list', '--kubeconfig', kubeconfig, '--server', address)),
      /--kubeconfig names a cluster and --server an API server: use one of them/u,
    );
  });
});

test('logout ends the session for the server, too', async () => {
  const run = fairlead();
  const { stdout } = await run('logout');
  assert.match(stdout, /signed out of/u);
  assert.match(refused(await run('app', 'list')), /requires a session/u);
  assert.equal((await run('context', 'shop', '--delete')).stdout, 'context shop deleted\n');
  assert.match((await run('context')).stdout, /^no contexts in/u);
});
