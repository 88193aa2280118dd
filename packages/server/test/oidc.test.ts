/** Sign-in by a real OpenID provider: browser, CLI, groups, refresh, logout, and tokens that must be refused. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { configMapType, isObject, type JsonObject, listAt, objectAt, textAt } from '@fairlead/apimachinery';
import { sleep, systemClock } from '@fairlead/kube';
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
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
let url: string;
let replica: string;
const cliPort = await freePort();

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return port;
}

const config = (more: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    name: 'Test',
    issuer: provider.issuer,
    clientID: webClient,
    clientSecret: '$oidc.clientSecret',
    cliClientID: cliClient,
    requestedScopes: ['openid', 'email', 'groups', 'offline_access'],
    requestedIDTokenClaims: { groups: { essential: true } },
    logoutURL: `${provider.issuer}/session/end?id_token_hint={{token}}&post_logout_redirect_uri={{logoutRedirectURL}}`,
    enablePKCEAuthentication: true,
    ...more,
  });

before(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  provider = await startIdentityProvider({
    redirectUris: [`${url}/auth/callback`],
    cliRedirectUris: [`http://localhost:${cliPort}/auth/callback`],
    groups: { ann: ['developers'], bob: [], 'proj:default:admin': [] },
  });
  installation = await startInstallation({
    settings: { url, 'oidc.config': config() },
    rbac: { 'policy.csv': 'g, developers, role:readonly\np, developers, projects, get, *, allow', scopes: '[groups]' },
    secret: { 'oidc.clientSecret': clientSecret },
  });
  await installation.serve({ port });
  replica = (await installation.serve()).url;
});

after(async () => {
  await installation.close();
  await provider.close();
});

async function read(address: string, init?: RequestInit): Promise<JsonObject> {
  const value: unknown = await (await fetch(address, init)).json();
  assert.ok(isObject(value));
  return value;
}

const userInfo = async (browser: Browser, at = url): Promise<Record<string, unknown>> =>
  JSON.parse((await browser.request(`${at}/api/v1/session/userinfo`)).text);

const statusWith = async (token: string, path = '/api/v1/projects', at = url): Promise<number> =>
  (await fetch(`${at}${path}`, { headers: { authorization: `Bearer ${token}` } })).status;

const signedIn = async (user: string): Promise<Browser> => {
  const browser = new Browser();
  await browser.signIn(`${url}/auth/login?return_url=${encodeURIComponent(`${url}/applications`)}`, user, (next) =>
    next.startsWith(`${url}/applications`),
  );
  return browser;
};

const claims = (more: object = {}) => {
  const now = Math.floor(Date.now() / 1_000);
  return {
    iss: provider.issuer,
    aud: webClient,
    sub: 'ann',
    groups: ['developers'],
    iat: now,
    exp: now + 600,
    ...more,
  };
};

test('a browser signs in, and its groups give it rights', async () => {
  const browser = new Browser();
  const page = await browser.signIn(
    `${url}/auth/login?return_url=${encodeURIComponent(`${url}/applications?x=1`)}`,
    'ann',
    (next) => next.startsWith(`${url}/applications`),
  );
  assert.equal(page.url, `${url}/applications?x=1`);
  const cookies = page.headers.getSetCookie().filter((line) => line.startsWith('argocd.token='));
  assert.match(cookies.join(), /SameSite=lax; httpOnly/u);
  const info = await userInfo(browser);
  assert.deepEqual([info['loggedIn'], info['username'], info['iss']], [true, 'ann@example.com', provider.issuer]);
  assert.deepEqual(info['groups'], ['developers']);
  assert.equal((await browser.request(`${url}/api/v1/projects/default`)).status, 200);
  assert.equal((await browser.request(`${replica}/api/v1/projects/default`)).status, 200);
});

test('who is in no group has no rights', async () => {
  const browser = await signedIn('bob');
  assert.equal((await userInfo(browser))['loggedIn'], true);
  assert.equal((await browser.request(`${url}/api/v1/projects/default`)).status, 403);
});

test('the settings tell clients how to sign in, and no secret', async () => {
  const text = await (await fetch(`${url}/api/v1/settings`)).text();
  const { oidcConfig } = JSON.parse(text);
  assert.deepEqual(
    [
      oidcConfig.name,
      oidcConfig.issuer,
      oidcConfig.clientID,
      oidcConfig.cliClientID,
      oidcConfig.enablePKCEAuthentication,
    ],
    ['Test', provider.issuer, webClient, cliClient, true],
  );
  assert.ok(!text.includes(clientSecret));
});

test('the CLI signs in with its own client and PKCE, and uses the ID token as bearer', async () => {
  const oidcConfig = objectAt(await read(`${url}/api/v1/settings`), 'oidcConfig') ?? {};
  const discovered = await read(`${textAt(oidcConfig, 'issuer')}/.well-known/openid-configuration`);
  const redirectUri = `http://localhost:${cliPort}/auth/callback`;
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(18).toString('base64url');
  const target = new URL(textAt(discovered, 'authorization_endpoint'));
  target.search = String(
    new URLSearchParams({
      access_type: 'offline',
      client_id: textAt(oidcConfig, 'cliClientID'),
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: listAt(oidcConfig, 'scopes').join(' '),
      claims: JSON.stringify({ id_token: objectAt(oidcConfig, 'idTokenClaims') }),
      state,
    }),
  );
  const page = await new Browser().signIn(target.href, 'ann', (next) => next.startsWith(redirectUri));
  const answer = new URL(page.url).searchParams;
  assert.equal(answer.get('state'), state);
  const tokens = await read(textAt(discovered, 'token_endpoint'), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: textAt(oidcConfig, 'cliClientID'),
      code: answer.get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: redirectUri,
    }),
  });
  const idToken = textAt(tokens, 'id_token');
  assert.equal(decodeJwt(idToken).aud, cliClient);
  assert.equal(await statusWith(idToken, '/api/v1/projects/default'), 200);
  assert.notEqual(textAt(tokens, 'refresh_token'), '');
});

test('tokens that are not of this provider, for this client and valid now are refused', async () => {
  const now = Math.floor(Date.now() / 1_000);
  assert.equal(await statusWith(await provider.sign(claims()), '/api/v1/projects/default'), 200);
  const refused: Readonly<Record<string, string>> = {
    'another audience': await provider.sign(claims({ aud: 'another-client' })),
    'no audience': await provider.sign(claims({ aud: undefined })),
    'another issuer': await provider.sign(claims({ iss: 'https://evil.example.com' })),
    'no issuer': await provider.sign(claims({ iss: undefined })),
    expired: await provider.sign(claims({ exp: now - 10 })),
    'no expiry': await provider.sign(claims({ exp: undefined })),
    'not valid yet': await provider.sign(claims({ nbf: now + 600 })),
    'an unknown key': await provider.sign(claims(), { kid: 'unknown' }),
    'another key under a known name': await provider.sign(claims(), { ownKey: true }),
    'algorithm none': new UnsecuredJWT(claims()).encode(),
    'a subject that is a role of a project': await provider.sign(claims({ sub: 'proj:default:admin' })),
    'a subject behind Dex that is a role of a project': await provider.sign(
      claims({ federated_claims: { user_id: 'proj:default:admin' } }),
    ),
    garbage: 'a.b.c',
  };
  for (const [name, token] of Object.entries(refused)) assert.equal(await statusWith(token), 401, name);
});

test('a symmetric signature with the public key or the client secret is refused', async () => {
  const discovered = await read(`${provider.issuer}/.well-known/openid-configuration`);
  const keys = await (await fetch(textAt(discovered, 'jwks_uri'))).text();
  for (const key of [keys, clientSecret, JSON.parse(keys).keys[0].n]) {
    const token = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'HS256', kid: 'signing' })
      .sign(Buffer.from(String(key)));
    assert.equal(await statusWith(token), 401);
  }
});

test('no other site is returned to', async () => {
  for (const target of [
    'https://evil.example.com/',
    '//evil.example.com',
    '/\\evil.example.com',
    `${url}@evil.example.com/`,
    `${url}.evil.example.com/`,
    url.replace('http:', 'javascript:'),
    `${url}/%0d%0aset-cookie: x=y`,
    `${url}\r\nset-cookie: x=y`,
    url.replace('http://', 'http://user@'),
  ]) {
    const answer = await fetch(`${url}/auth/login?return_url=${encodeURIComponent(target)}`, { redirect: 'manual' });
    assert.equal(answer.status, 400, target);
    assert.equal(answer.headers.get('set-cookie'), null);
  }
});

/** Follows a sign-in to the callback, and stops before it. */
async function atCallback(browser: Browser, change: (authorization: URL) => void = () => {}): Promise<URL> {
  const start = await browser.request(`${url}/auth/login`);
  const authorization = new URL(start.headers.get('location') ?? '');
  change(authorization);
  const page = await browser.signIn(authorization.href, 'ann', (next) => next.startsWith(`${url}/auth/callback`));
  return new URL(page.url);
}

test('a callback with another state, another nonce, without its cookie or a second time is refused', async () => {
  const other = new Browser();
  const callback = await atCallback(other);
  assert.equal((await new Browser().request(callback.href)).status, 400, 'without its cookie');
  const wrongState = new URL(callback);
  wrongState.searchParams.set('state', 'other');
  const kept = other.cookie(url, 'argocd.oauthstate') ?? '';
  assert.equal((await other.request(wrongState.href)).status, 400, 'another state');
  other.setCookie(url, 'argocd.oauthstate', kept);
  assert.equal((await other.request(callback.href)).status, 303);
  assert.equal((await other.request(callback.href)).status, 400, 'a second time');
  other.setCookie(url, 'argocd.oauthstate', kept);
  assert.equal((await other.request(callback.href)).status, 400, 'a code that was used');

  const nonce = new Browser();
  const replayed = await atCallback(nonce, (authorization) => authorization.searchParams.set('nonce', 'of-another'));
  const page = await nonce.request(replayed.href);
  assert.equal(page.status, 400, 'another nonce');
  assert.equal(nonce.cookie(url, 'argocd.token'), undefined);
});

test('a code that was issued for another PKCE verifier is refused', async () => {
  const browser = new Browser();
  const challenge = createHash('sha256').update('of-the-attacker').digest('base64url');
  const callback = await atCallback(browser, (target) => target.searchParams.set('code_challenge', challenge));
  assert.equal((await browser.request(callback.href)).status, 400);
  assert.equal(browser.cookie(url, 'argocd.token'), undefined);
});

test('what the provider reports is shown as text', async () => {
  const browser = new Browser();
  const start = await browser.request(`${url}/auth/login`);
  const state = new URL(start.headers.get('location') ?? '').searchParams.get('state');
  const description = encodeURIComponent('<script>alert(1)</script>');
  const query = `error=access_denied&error_description=${description}&state=${state}&iss=${encodeURIComponent(provider.issuer)}`;
  const page = await browser.request(`${url}/auth/callback?${query}`);
  assert.equal(page.status, 400);
  assert.match(page.headers.get('content-type') ?? '', /^text\/plain/u);
  assert.equal(page.headers.get('x-content-type-options'), 'nosniff');
  assert.ok(!page.text.includes('<script'));
});

test('a session that ends soon is refreshed once, also by requests at the same time', async () => {
  await installation.setSettings({ 'oidc.config': config({ refreshTokenThreshold: '10m' }) });
  provider.idTokenSeconds = 300;
  const browser = await signedIn('ann');
  const first = browser.cookie(url, 'argocd.token') ?? '';
  provider.idTokenSeconds = 3_600;
  const before = provider.refreshes();
  const pages = await Promise.all([1, 2, 3].map(() => browser.request(`${url}/api/v1/projects/default`)));
  assert.deepEqual(
    pages.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.equal(provider.refreshes() - before, 1);
  const second = browser.cookie(url, 'argocd.token') ?? '';
  assert.notEqual(second, first);
  assert.ok(Number(decodeJwt(second).exp) > Number(decodeJwt(first).exp));
  assert.equal((await browser.request(`${url}/api/v1/projects/default`)).status, 200);
  assert.equal(provider.refreshes() - before, 1, 'a token that is valid for long is not refreshed');
  await installation.setSettings({ 'oidc.config': config() });
});

test('a session whose token has expired is refreshed, on any replica', async () => {
  provider.idTokenSeconds = 1;
  const browser = await signedIn('ann');
  provider.idTokenSeconds = 3_600;
  const token = browser.cookie(url, 'argocd.token') ?? '';
  await sleep(systemClock, 1_500);
  assert.equal(await statusWith(token), 401, 'the token alone is not enough');
  assert.equal((await browser.request(`${replica}/api/v1/projects/default`)).status, 200);
  assert.notEqual(browser.cookie(url, 'argocd.token'), token);
});

test('what keeps a session cannot be read, changed or used by another user', async () => {
  const browser = await signedIn('ann');
  const sealed = browser.cookie(url, 'argocd.provider') ?? '';
  assert.equal(Buffer.from(sealed.split('.')[0] ?? '', 'base64url').toString(), '{"alg":"dir","enc":"A256GCM"}');
  provider.idTokenSeconds = 1;
  const bob = await signedIn('bob');
  provider.idTokenSeconds = 3_600;
  await sleep(systemClock, 1_500);
  bob.setCookie(url, 'argocd.provider', sealed);
  assert.equal((await bob.request(`${url}/api/v1/account/can-i/projects/get/default`)).status, 401);
  bob.setCookie(url, 'argocd.provider', `${sealed.slice(0, -4)}AAAA`);
  assert.equal((await bob.request(`${url}/api/v1/account/can-i/projects/get/default`)).status, 401);
});

test('logout ends the session on all replicas, and at the provider', async () => {
  const browser = await signedIn('ann');
  const token = browser.cookie(url, 'argocd.token') ?? '';
  const sealed = browser.cookie(url, 'argocd.provider') ?? '';
  const page = await browser.request(`${url}/auth/logout`);
  assert.equal(page.status, 303);
  const target = new URL(page.headers.get('location') ?? '');
  assert.equal(target.pathname, '/session/end');
  assert.equal(target.searchParams.get('id_token_hint'), token);
  assert.equal(browser.cookie(url, 'argocd.token'), undefined);
  assert.equal(browser.cookie(url, 'argocd.provider'), undefined);
  assert.equal(await statusWith(token), 401);
  assert.equal(await statusWith(token, '/api/v1/projects', replica), 401);
  browser.setCookie(url, 'argocd.token', token);
  browser.setCookie(url, 'argocd.provider', sealed);
  assert.equal((await browser.request(`${replica}/api/v1/projects`)).status, 401);
  const { data = {} } = (await installation.client.get(configMapType, {
    namespace: 'argocd',
    name: 'fairlead-revoked-tokens',
  })) as { data?: Record<string, string> };
  assert.ok(Object.keys(data).length >= 2);
  assert.ok(!JSON.stringify(data).includes('ann'));
});

test('groups are read from the user info endpoint if the token has none', async () => {
  const port = await freePort();
  const here = `http://127.0.0.1:${port}`;
  const terse = await startIdentityProvider({
    redirectUris: [`${here}/auth/callback`],
    groups: { ann: ['developers'] },
    groupsInUserInfoOnly: true,
  });
  const own = await startInstallation({
    settings: {
      url: here,
      'oidc.config': JSON.stringify({
        issuer: terse.issuer,
        clientID: webClient,
        clientSecret,
        enableUserInfoGroups: true,
        userInfoPath: '/me',
        userInfoCacheExpiration: '5m',
      }),
    },
    rbac: { 'policy.csv': 'g, developers, role:readonly' },
  });
  try {
    await own.serve({ port });
    const browser = new Browser();
    await browser.signIn(`${here}/auth/login`, 'ann', (next) => next === `${here}/`);
    assert.equal(decodeJwt(browser.cookie(here, 'argocd.token') ?? '')['groups'], undefined);
    assert.equal((await browser.request(`${here}/api/v1/projects/default`)).status, 200);
    const forged = await terse.sign({ ...claims(), iss: terse.issuer, sub: 'eve' });
    assert.equal(await statusWith(forged, '/api/v1/projects/default', here), 401, 'no access token to ask with');
  } finally {
    await own.close();
    await terse.close();
  }
});

test('a configuration that cannot be used says why, and local accounts still sign in', async () => {
  await installation.setSettings({ 'oidc.config': config({ clientSecret: '$missing:key' }) });
  assert.equal((await fetch(`${url}/auth/login`)).status, 404);
  const answer = await fetch(`${url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'admin-password' }),
  });
  assert.equal(answer.status, 200);
  await installation.setSettings({ 'oidc.config': config({ issuer: 'http://127.0.0.1:1' }) });
  const unreachable = await fetch(`${url}/auth/login`, { redirect: 'manual' });
  assert.equal(unreachable.status, 503);
  assert.match(await unreachable.text(), /^failed to query provider "http:\/\/127\.0\.0\.1:1"/u);
  await installation.setSettings({ 'oidc.config': config() });
});
