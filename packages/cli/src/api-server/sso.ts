import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { type JsonObject, listAt, messageOf, objectAt, textAt } from '@fairlead/apimachinery';
import * as oidc from 'openid-client';
import { CliError } from '../cli-error.ts';
import { readPort } from '../options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { RestApi } from './rest-api.ts';

export interface SsoCall {
  readonly flags: { readonly 'sso-port'?: string; readonly 'sso-launch-browser'?: boolean };
  readonly terminal: Terminal;
}

/** The tokens of a sign-in; without a refresh token the session ends with the ID token. */
export interface SsoTokens {
  readonly idToken: string;
  readonly refreshToken?: string;
}

const defaultPort = 8085;
const waitMs = 5 * 60_000;

/** Signs in at the provider that the server trusts, by the code flow with PKCE: the browser returns to a port of this machine. */
export async function signInWithProvider(api: RestApi, { flags, terminal }: SsoCall): Promise<SsoTokens> {
  const provider = await providerOf(api);
  const config = await clientOf(provider);
  const port = readPort(flags['sso-port']) ?? defaultPort;
  const redirect = `http://localhost:${port}/auth/callback`;
  const [verifier, state] = [oidc.randomPKCECodeVerifier(), oidc.randomState()];
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirect,
    scope: provider.scopes.join(' '),
    // Google issues refresh tokens for this parameter, other providers for the scope offline_access.
    access_type: 'offline',
    ...(provider.claims ? { claims: JSON.stringify({ id_token: provider.claims }) } : {}),
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  });
  const returned = await browserReturn({ port, redirect, state, signal: terminal.stopped() }, () => {
    terminal.write(`sign in at this address, if no browser opens: ${url.href}\n`);
    if (flags['sso-launch-browser'] !== false) openBrowser(url.href, terminal);
  });
  return tokensOf(provider, () =>
    oidc.authorizationCodeGrant(config, returned, { pkceCodeVerifier: verifier, expectedState: state }),
  );
}

/** New tokens for a session whose ID token has expired. */
export async function refreshSession(api: RestApi, refreshToken: string): Promise<SsoTokens> {
  const provider = await providerOf(api);
  const config = await clientOf(provider);
  const tokens = await tokensOf(provider, () => oidc.refreshTokenGrant(config, refreshToken));
  // A provider that does not rotate refresh tokens sends no other one.
  return { refreshToken, ...tokens };
}

interface Provider {
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Claims that are requested for the ID token. */
  readonly claims?: JsonObject;
}

async function clientOf({ issuer, clientId }: Provider): Promise<oidc.Configuration> {
  // A provider on this machine may be without TLS.
  const isLocal = /^http:\/\/(localhost|127\.0\.0\.1)[:/]/u.test(issuer);
  try {
    return await oidc.discovery(new URL(issuer), clientId, undefined, oidc.None(), {
      ...(isLocal ? { execute: [oidc.allowInsecureRequests] } : {}),
    });
  } catch (error) {
    throw new CliError(`the provider ${issuer} does not respond as an OpenID provider: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function tokensOf(
  { issuer }: Provider,
  grant: () => Promise<{ readonly id_token?: string; readonly refresh_token?: string }>,
): Promise<SsoTokens> {
  let tokens: Awaited<ReturnType<typeof grant>>;
  try {
    tokens = await grant();
  } catch (error) {
    throw new CliError(`${issuer} refused the sign-in: ${messageOf(error)}`, { cause: error });
  }
  const { id_token: idToken, refresh_token: refreshToken } = tokens;
  if (!idToken)
    throw new CliError(`${issuer} sent no ID token: add openid to requestedScopes in oidc.config of argocd-cm`);
  return { idToken, ...(refreshToken === undefined ? {} : { refreshToken }) };
}

async function providerOf(api: RestApi): Promise<Provider> {
  const settings = await api.call({ path: '/api/v1/settings' });
  const direct = objectAt(settings, 'oidcConfig');
  const given = listAt(direct, 'scopes').map(String);
  const scopes = given.length > 0 ? given : ['openid', 'profile', 'email', 'groups'];
  const claims = objectAt(direct, 'idTokenClaims');
  if (direct)
    return {
      issuer: textAt(direct, 'issuer'),
      clientId: textAt(direct, 'cliClientID') || textAt(direct, 'clientID'),
      scopes,
      ...(claims ? { claims } : {}),
    };
  if (objectAt(settings, 'dexConfig'))
    return { issuer: `${textAt(settings, 'url')}/api/dex`, clientId: 'argo-cd-cli', scopes };
  throw new CliError('the server has no OpenID provider: sign in with --username, or set oidc.config in argocd-cm');
}

interface Return {
  readonly port: number;
  readonly redirect: string;
  readonly state: string;
  readonly signal: AbortSignal;
}

/** The address that the browser returns to, with the code or the error of the provider. Requests with another state are refused. */
function browserReturn({ port, redirect, state, signal }: Return, ready: () => void): Promise<URL> {
  return new Promise((resolve, reject) => {
    const server: Server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', redirect);
      // Fixed texts: nothing of the address is shown.
      response.setHeader('content-type', 'text/plain; charset=utf-8');
      response.setHeader('x-content-type-options', 'nosniff');
      if (url.pathname !== '/auth/callback') return void response.writeHead(404).end('Not found.\n');
      if (url.searchParams.get('state') !== state)
        return void response.writeHead(400).end('This is not the sign-in that was started. Try again.\n');
      const text = url.searchParams.has('error')
        ? 'The sign-in failed. The terminal shows why.\n'
        : 'Signed in. You can close this page.\n';
      response.end(text, () => done(() => resolve(url)));
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
