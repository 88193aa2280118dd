/** `argocd login --sso` with a real OpenID provider; an HTTP client plays the browser. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sleep, systemClock } from '@fairlead/kube';
import { Browser } from '../test/support/browser.ts';
import { cliClient, clientSecret, startIdentityProvider, webClient } from '../test/support/identity-provider.ts';
import { startInstallation } from '../test/support/installation.ts';

const argocd = process.env['FAIRLEAD_E2E_ARGOCD'];
const skip = argocd === undefined ? 'needs a real argocd: --argocd FILE' : false;

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return port;
}

/** Runs the program; `onOutput` gets all of its output so far. */
function run(args: readonly string[], home: string, onOutput: (output: string) => void = () => {}) {
  return new Promise<{ readonly exit: number | null; readonly output: string }>((resolve, reject) => {
    const child = spawn(argocd ?? '', [...args], {
      env: { PATH: process.env['PATH'], HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), 120_000);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        onOutput(output);
      });
    }
    child.on('error', reject);
    child.on('close', (exit) => {
      clearTimeout(timer);
      resolve({ exit, output });
    });
  });
}

/** Signs in at the provider and takes its answer to the program, which ends after that. */
async function signIn(address: string, callback: string): Promise<void> {
  const page = await new Browser().signIn(address, 'ann', (next) => next.startsWith(callback));
  // The program prints the address a second before it listens.
  for (let attempt = 0; ; attempt++) {
    try {
      const answer = await fetch(page.url, { redirect: 'manual', headers: { connection: 'close' } });
      return void (await answer.text());
    } catch (error) {
      if (attempt === 100) throw error;
      await sleep(systemClock, 100);
    }
  }
}

test('argocd login --sso signs in at the provider, and groups give rights', { skip }, async () => {
  const [port, callbackPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const provider = await startIdentityProvider({
    redirectUris: [`${url}/auth/callback`],
    cliRedirectUris: [`http://localhost:${callbackPort}/auth/callback`],
    groups: { ann: ['developers'] },
  });
  const installation = await startInstallation({
    settings: {
      url,
      'oidc.config': JSON.stringify({
        name: 'Test',
        issuer: provider.issuer,
        clientID: webClient,
        clientSecret: '$oidc.clientSecret',
        cliClientID: cliClient,
        requestedScopes: ['openid', 'email', 'groups', 'offline_access'],
        enablePKCEAuthentication: true,
      }),
    },
    rbac: { 'policy.csv': 'g, developers, role:readonly', scopes: '[groups]' },
    secret: { 'oidc.clientSecret': clientSecret },
  });
  const home = mkdtempSync(join(tmpdir(), 'argocd-sso-'));
  try {
    await installation.serve({ port });
    let visit: Promise<unknown> | undefined;
    const login = ['login', `127.0.0.1:${port}`, '--plaintext', '--sso', '--sso-launch-browser=false'];
    const signedIn = await run([...login, '--sso-port', String(callbackPort)], home, (output) => {
      const address = /(http:\/\/127\.0\.0\.1:\d+\/auth\?\S+)\s/u.exec(output)?.[1];
      if (address !== undefined) visit ??= signIn(address, `http://localhost:${callbackPort}/`);
    });
    assert.equal(signedIn.exit, 0, signedIn.output);
    assert.match(signedIn.output, /logged in successfully/u);
    await visit;
    const user = await run(['account', 'get-user-info'], home);
    assert.match(user.output, /Logged In: true[\s\S]*Groups: developers/u);
    const projects = await run(['proj', 'list', '-o', 'name'], home);
    assert.equal(projects.output, 'default\n');
    const denied = await run(['proj', 'create', 'mine'], home);
    assert.match(denied.output, /code = PermissionDenied/u);
  } finally {
    await installation.close();
    await provider.close();
    rmSync(home, { recursive: true, force: true });
  }
});
