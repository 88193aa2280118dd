import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { must } from '@fairlead/apimachinery';
import { readEnvironment } from '../environment.ts';
import { ContextsFile } from './contexts-file.ts';
import { findServer } from './find-server.ts';

/** As argocd 3 writes it. */
const ofArgocd = `contexts:
- name: cd.example.com
  server: cd.example.com
  user: cd.example.com
- name: local
  server: localhost:8080
  user: local
- name: kubernetes
  server: kubernetes
  user: kubernetes
current-context: cd.example.com
prompts-enabled: true
servers:
- grpc-web: true
  grpc-web-root-path: argo
  server: cd.example.com
- grpc-web-root-path: ""
  insecure: true
  plain-text: true
  server: localhost:8080
- core: true
  grpc-web-root-path: ""
  server: kubernetes
users:
- auth-token: token-of-cd
  name: cd.example.com
  refresh-token: refresh
- auth-token: token-of-local
  name: local
- name: kubernetes
`;

function withFile<T>(content: string | undefined, use: (variables: Record<string, string>, path: string) => T): T {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-contexts-'));
  const path = join(dir, '.config', 'argocd', 'config');
  if (content !== undefined) {
    mkdirSync(join(dir, '.config', 'argocd'), { recursive: true });
    writeFileSync(path, content, { mode: 0o600 });
  }
  try {
    return use({ HOME: dir }, path);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

test('the current context of argocd is used, with its path and token', () =>
  withFile(ofArgocd, (variables) => {
    const { access, from } = must(findServer({}, readEnvironment(variables)), 'server');
    const { session, ...rest } = access;
    const expected = { address: 'cd.example.com', url: 'https://cd.example.com/argo', tls: {}, token: 'token-of-cd' };
    assert.deepEqual([rest, from], [expected, 'context']);
    assert.equal(session?.refreshToken, 'refresh');
    // A token that is given belongs to no session.
    assert.equal(findServer({ 'auth-token': 'x' }, readEnvironment(variables))?.access.session, undefined);
  }));

test('tokens of a refreshed session replace those in the file', () =>
  withFile(ofArgocd, (variables) => {
    const environment = readEnvironment(variables);
    findServer({}, environment)?.access.session?.save('next-token', 'next-refresh');
    const access = findServer({}, environment)?.access;
    assert.deepEqual([access?.token, access?.session?.refreshToken], ['next-token', 'next-refresh']);
  }));

test('a server or a context that is named is used as it is stored, and a token goes only to its own server', () =>
  withFile(ofArgocd, (variables) => {
    const environment = readEnvironment(variables);
    const local = {
      address: 'localhost:8080',
      url: 'http://localhost:8080',
      tls: { insecure: true },
      token: 'token-of-local',
    };
    assert.deepEqual(findServer({ server: 'localhost:8080' }, environment)?.access, local);
    assert.deepEqual(findServer({ 'server-context': 'local' }, environment)?.access, local);
    assert.deepEqual(findServer({ server: 'https://evil.example.com/' }, environment)?.access, {
      address: 'evil.example.com',
      url: 'https://evil.example.com',
      tls: {},
    });
    assert.throws(
      () => findServer({ 'server-context': 'locl' }, environment),
      /context locl is not in .* \(did you mean local\?\)/,
    );
  }));

test('variables of argocd are accepted, those of Fairlead come first, and flags before both', () =>
  withFile(undefined, (variables) => {
    const all = {
      ...variables,
      ARGOCD_SERVER: 'a:1',
      ARGOCD_AUTH_TOKEN: 'of-argocd',
      FAIRLEAD_SERVER: 'f:1',
      FAIRLEAD_AUTH_TOKEN: 'of-fairlead',
    };
    const of = (flags: Parameters<typeof findServer>[0], given: Record<string, string>) => {
      const { address, token } = findServer(flags, readEnvironment(given))?.access ?? {};
      return [address, token];
    };
    assert.deepEqual(of({}, all), ['f:1', 'of-fairlead']);
    assert.deepEqual(of({}, { ...variables, ARGOCD_SERVER: 'a:1', ARGOCD_AUTH_TOKEN: 'of-argocd' }), [
      'a:1',
      'of-argocd',
    ]);
    assert.deepEqual(of({ server: 'x:1', 'auth-token': 'given' }, all), ['x:1', 'given']);
    assert.equal(findServer({}, readEnvironment(variables)), undefined);
  }));

test('a context of argocd --core uses the kubeconfig', () =>
  withFile(ofArgocd.replace('current-context: cd.example.com', 'current-context: kubernetes'), (variables) => {
    assert.equal(findServer({}, readEnvironment(variables)), undefined);
  }));

test('a login keeps what is in the file, and only its user may read it', () =>
  withFile(ofArgocd, (variables, path) => {
    const file = ContextsFile.read(readEnvironment(variables));
    file.saveLogin('shop', { server: 'shop.example.com', 'grpc-web-root-path': '' }, 'secret');
    const text = readFileSync(path, 'utf8');
    assert.match(text, /^current-context: shop$/m);
    for (const kept of ['prompts-enabled: true', 'refresh-token: refresh', 'token-of-local', 'core: true'])
      assert.ok(text.includes(kept), kept);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(join(path, '..')), ['config'], 'no temporary file is left');
    const again = ContextsFile.read(readEnvironment(variables));
    assert.equal(again.token('shop'), 'secret');
    const [context] = again.contexts.filter(({ name }) => name === 'shop');
    assert.ok(context);
    again.remove(context);
    const after = readFileSync(path, 'utf8');
    assert.ok(!after.includes('shop') && after.includes('localhost:8080'));
    assert.match(after, /^current-context: ""$/m);
  }));

test('the first login creates the file', () =>
  withFile(undefined, (variables, path) => {
    ContextsFile.read(readEnvironment(variables)).saveLogin('a:1', { server: 'a:1' }, 't');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(findServer({}, readEnvironment(variables))?.access.token, 't');
  }));

test('a file that others can read is refused', () =>
  withFile(ofArgocd, (variables, path) => {
    chmodSync(path, 0o644);
    assert.throws(() => ContextsFile.read(readEnvironment(variables)), /can be read by others: run chmod 600/);
  }));
