/** Published advisories of Argo CD about its command line: docs/security/advisories.md lists them with these tests. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { freePort } from '@fairlead/source/testing';
import { noStyle } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { RestApi } from './rest-api.ts';
import { signInWithProvider } from './sso.ts';

test('GHSA-qq5v-f4c3-395c: the page that a browser returns to shows nothing of its address', async (t) => {
  const provider = createServer((_, response) => {
    const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` }),
    );
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  t.after(() => provider.close());
  const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const settings = { oidcConfig: { issuer, cliClientID: 'cli' } };
  const api: Pick<RestApi, 'call'> = { call: async <T>() => settings as T };
  let asked = (_: string): void => {};
  const isAsked = new Promise<string>((resolve) => (asked = resolve));
  const terminal: Terminal = {
    live: false,
    style: noStyle,
    columns: 80,
    rows: 24,
    write: (text) => asked(text),
    writeError: () => {},
    ask: async () => undefined,
    askSecret: async () => undefined,
    readInput: async () => '',
    stopped: () => new AbortController().signal,
  };
  const port = await freePort();
  const flags = { 'sso-port': String(port), 'sso-launch-browser': false };
  const refused = assert.rejects(signInWithProvider(api as RestApi, { flags, terminal }), /refused the sign-in/u);
  const state = /[?&]state=([^&\s]+)/u.exec(await isAsked)?.[1];
  assert.ok(state);
  const markup = '<script>alert(1)</script>';
  for (const sent of [markup, state]) {
    const query = new URLSearchParams({ error: markup, error_description: markup, state: sent });
    const answer = await fetch(`http://127.0.0.1:${port}/auth/callback?${query}`);
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.doesNotMatch(await answer.text(), /script|alert/u);
  }
  await refused;
});
