/** `fairlead login --sso` with a real OpenID provider: groups, refresh, logout. An HTTP client plays the browser. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { objectsAt, textAt } from '@fairlead/apimachinery';
import { caller, Fairlead, temporaryFolder } from '@fairlead/cli/testing';
import { sleep, systemClock } from '@fairlead/kube';
import { readYaml } from '@fairlead/render/go-yaml';
import { Browser } from './support/browser.ts';
import {
  cliClient,
  clientSecret,
  startIdentityProvider,
  type TestProvider,
  webClient,
} from './support/identity-provider.ts';
import { type Installation, startInstallation } from './support/installation.ts';

let provider: TestProvider;
let installation: Installation;
let address = '';
let callbackPort = 0;
const folder = temporaryFolder();
const configDir = join(folder.path, 'contexts');
const variables = { HOME: folder.path, FAIRLEAD_CONFIG_DIR: configDir };
const fairlead = caller(() => variables);

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return port;
}

before(async () => {
  const port = await freePort();
  callbackPort = await freePort();
  address = `127.0.0.1:${port}`;
  provider = await startIdentityProvider({
    redirectUris: [`http://${address}/auth/callback`],
    cliRedirectUris: [`http://localhost:${callbackPort}/auth/callback`],
    groups: { ann: ['developers'] },
  });
  const oidc = {
    name: 'Test',
    issuer: provider.issuer,
    clientID: webClient,
    clientSecret: '$oidc.clientSecret',
    cliClientID: cliClient,
    requestedScopes: ['openid', 'email', 'groups', 'offline_access'],
  };
  installation = await startInstallation({
    settings: { url: `http://${address}`, 'oidc.config': JSON.stringify(oidc) },
    rbac: { 'policy.csv': 'g, developers, role:readonly', scopes: '[groups]' },
    secret: { 'oidc.clientSecret': clientSecret },
  });
  await installation.serve({ port });
});

after(async () => {
  await installation.close();
  await provider.close();
  folder.remove();
});

/** Runs `fairlead login --sso`; the browser comes back with what `change` makes of the provider's answer. */
async function login(change: (returned: string) => string = (returned) => returned) {
  const words = ['login', address, '--plaintext', '--sso', '--sso-port', String(callbackPort)];
  const process = new Fairlead([...words, '--no-sso-launch-browser'], variables);
  try {
    const line = await process.line('sign in at this address');
    const callback = `http://localhost:${callbackPort}/`;
    const start = /(http:\S+)$/u.exec(line)?.[1] ?? '';
    const page = await new Browser().signIn(start, 'ann', (next) => next.startsWith(callback));
    // A page of another site cannot end the sign-in: it does not know the state.
    const guessed = await fetch(`${callback}auth/callback?code=x&state=guessed`);
    const answer = await fetch(change(page.url), { headers: { connection: 'close' } });
    return { guessed: guessed.status, text: await answer.text(), ended: await process.ended };
  } finally {
    await process.stop('SIGKILL');
  }
}

const stored = (): { readonly token: string; readonly refreshToken: string } => {
  const [user] = objectsAt(readYaml(readFileSync(join(configDir, 'config'), 'utf8')), 'users');
  return { token: textAt(user, 'auth-token'), refreshToken: textAt(user, 'refresh-token') };
};

const projectsWith = async (token: string): Promise<number> =>
  (await fetch(`http://${address}/api/v1/projects`, { headers: { authorization: `Bearer ${token}` } })).status;

test('signs in at the provider, and groups give rights', async () => {
  const { guessed, text, ended } = await login();
  assert.equal(ended.code, 0, ended.output);
  assert.match(ended.output, /signed in to \S+ as ann@example\.com; context \S+ in \S+ is now current/u);
  assert.equal(guessed, 400);
  assert.equal(text, 'Signed in. You can close this page.\n');
  assert.match((await fairlead('account', 'get-user-info')).stdout, /Groups +developers/u);
  assert.equal((await fairlead('project', 'list', '-o', 'name')).stdout, 'appproject/default\n');
  const denied = await fairlead('project', 'create', 'mine');
  assert.deepEqual([denied.code, /not permitted: permission denied/u.test(denied.stderr)], [1, true], denied.stderr);
});

test('a token that has expired is refreshed once, and both tokens are stored', async () => {
  provider.idTokenSeconds = 1;
  const { ended } = await login();
  assert.equal(ended.code, 0, ended.output);
  provider.idTokenSeconds = 3_600;
  const before = stored();
  await sleep(systemClock, 1_500);
  const refreshes = provider.refreshes();
  assert.equal((await fairlead('project', 'list', '-o', 'name')).stdout, 'appproject/default\n');
  assert.equal((await fairlead('project', 'list', '-o', 'name')).stdout, 'appproject/default\n');
  assert.equal(provider.refreshes(), refreshes + 1);
  const now = stored();
  assert.notEqual(now.token, before.token);
  assert.notEqual(now.refreshToken, before.refreshToken);
});

test('logout ends the session on the server and removes both tokens', async () => {
  const { token } = stored();
  assert.equal(await projectsWith(token), 200);
  assert.match((await fairlead('logout')).stdout, /signed out of/u);
  assert.equal(await projectsWith(token), 401);
  assert.deepEqual(stored(), { token: '', refreshToken: '' });
  assert.match((await fairlead('project', 'list')).stderr, /requires a session/u);
});

test('what the provider refuses is reported, and nothing is stored', async () => {
  const { text, ended } = await login((returned) => {
    const url = new URL(returned);
    url.searchParams.delete('code');
    url.searchParams.set('error', 'access_denied');
    return url.href;
  });
  assert.equal(ended.code, 1, ended.output);
  assert.match(ended.output, /fairlead: http:\S+ refused the sign-in: /u);
  assert.equal(text, 'The sign-in failed. The terminal shows why.\n');
  assert.deepEqual(stored(), { token: '', refreshToken: '' });
});

test('a session that the provider no longer knows says how to sign in again', async () => {
  provider.idTokenSeconds = 1;
  await login();
  await sleep(systemClock, 1_500);
  await provider.close();
  const { code, stderr } = await fairlead('project', 'list');
  assert.equal(code, 1);
  assert.match(stderr, /Sign in again with fairlead login \S+ --sso/u);
});
