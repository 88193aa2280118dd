import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { messageOf, objectAt, textAt } from '@fairlead/apimachinery';
import * as oidc from 'openid-client';
import { CliError } from '../cli-error.ts';
import { readPort } from '../options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { RestApi } from './rest-api.ts';

export interface SsoCall {
  readonly flags: { readonly 'sso-port'?: string; readonly 'sso-launch-browser'?: boolean };
  readonly terminal: Terminal;
}

const defaultPort = 8085;
const waitMs = 5 * 60_000;

/** An ID token of the provider that the server trusts, by the code flow with PKCE: the browser returns to a port of this machine. */
export async function ssoToken(api: RestApi, { flags, terminal }: SsoCall): Promise<string> {
  const { issuer, clientId, scopes } = await providerOf(api);
  const config = await oidc.discovery(new URL(issuer), clientId, undefined, oidc.None(), {
    // A provider on this machine may be without TLS.
    ...(/^http:\/\/(localhost|127\.0\.0\.1)[:/]/u.test(issuer) ? { execute: [oidc.allowInsecureRequests] } : {}),
  });
  const port = readPort(flags['sso-port']) ?? defaultPort;
  const redirect = `http://localhost:${port}/auth/callback`;
  const [verifier, state] = [oidc.randomPKCECodeVerifier(), oidc.randomState()];
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirect,
    scope: scopes.join(' '),
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  });
  const returned = await browserReturn(port, redirect, terminal.stopped(), () => {
    terminal.write(`sign in at this address, if no browser opens: ${url.href}\n`);
    if (flags['sso-launch-browser'] !== false) openBrowser(url.href, terminal);
  });
  try {
    const tokens = await oidc.authorizationCodeGrant(config, returned, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    });
    if (tokens.id_token) return tokens.id_token;
  } catch (error) {
    throw new CliError(`${issuer} refused the sign-in: ${messageOf(error)}`, { cause: error });
  }
  throw new CliError(`${issuer} sent no ID token: add openid to requestedScopes in oidc.config of argocd-cm`);
}

async function providerOf(api: RestApi): Promise<{ issuer: string; clientId: string; scopes: string[] }> {
  const settings = await api.call({ path: '/api/v1/settings' });
  const direct = objectAt(settings, 'oidcConfig');
  const scopes = Array.isArray(direct?.['scopes']) ? direct['scopes'].map(String) : [];
  const requested = scopes.length > 0 ? scopes : ['openid', 'profile', 'email', 'groups'];
  if (direct)
    return {
      issuer: textAt(direct, 'issuer'),
      clientId: textAt(direct, 'cliClientID') || textAt(direct, 'clientID'),
      scopes: requested,
    };
  if (objectAt(settings, 'dexConfig'))
    return { issuer: `${textAt(settings, 'url')}/api/dex`, clientId: 'argo-cd-cli', scopes: requested };
  throw new CliError('the server has no OpenID provider: sign in with --username, or set oidc.config in argocd-cm');
}

/** The address that the browser returns to, with the code. */
function browserReturn(port: number, redirect: string, signal: AbortSignal, ready: () => void): Promise<URL> {
  return new Promise((resolve, reject) => {
    const server: Server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', redirect);
      if (url.pathname !== '/auth/callback') return void response.writeHead(404).end();
      response.end('Signed in. You can close this page.\n', () => done(() => resolve(url)));
    });
    const done = (then: () => void): void => {
      clearTimeout(timer);
      server.close();
      server.closeIdleConnections();
      then();
    };
    const timer = setTimeout(
      () => done(() => reject(new CliError('nobody signed in within 5 minutes: try again'))),
      waitMs,
    );
    signal.addEventListener('abort', () => done(() => reject(new CliError('sign-in was stopped'))), { once: true });
    server.once('error', (error) => done(() => reject(error)));
    server.listen(port, '127.0.0.1', ready);
  });
}

function openBrowser(url: string, terminal: Terminal): void {
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(program, [url], { stdio: 'ignore', detached: true });
  child.on('error', () => terminal.writeError(`! ${program} is not there to open a browser: use the address above`));
  child.unref();
}
