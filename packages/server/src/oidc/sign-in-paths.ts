import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf, textAt } from '@fairlead/apimachinery';
import * as client from 'openid-client';
import type { PathHandler } from '../http/api-server.ts';
import { redirect, sendText } from '../http/reply.ts';
import type { Server } from '../server.ts';
import { TokenError } from '../session/jwt.ts';
import { cookieValue, sessionCookies } from '../session/session-cookies.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { newProviderSession, providerCookies } from './provider-session.ts';
import { below, isReturnUrl, urlForHost } from './return-url.ts';
import { seal, unseal } from './sealed.ts';

const stateCookie = 'argocd.oauthstate';
/** How long a user has to sign in at the provider. */
const stateMs = 5 * 60_000;

/** Addresses with codes are neither stored nor sent to others. */
const privateHeaders = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

const stateAttributes = (isSecure: boolean, seconds: number): string =>
  `Path=/auth; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;

/** Sign-in by the provider: `/auth/login` sends the browser there, `/auth/callback` receives it with a code. */
export const signInPaths = (server: Server): Readonly<Record<string, PathHandler>> => ({
  '/auth/login': guarded(server, login),
  '/auth/callback': guarded(server, callback),
});

type SignInStep = (
  server: Server,
  provider: IdentityProvider,
  exchange: { readonly request: IncomingMessage; readonly response: ServerResponse; readonly query: URLSearchParams },
) => Promise<void>;

const guarded =
  (server: Server, step: SignInStep): PathHandler =>
  async (request, response, { searchParams }) => {
    for (const [name, value] of Object.entries(privateHeaders)) response.setHeader(name, value);
    if (request.method !== 'GET') return sendText(response, 405, 'Method Not Allowed');
    const { provider } = server.sso;
    if (!provider) return sendText(response, 404, 'SSO is not configured');
    if (server.urls.length === 0)
      return sendText(response, 503, 'url in ConfigMap argocd-cm is not set: the provider needs it');
    await step(server, provider, { request, response, query: searchParams });
  };

async function login(
  server: Server,
  provider: IdentityProvider,
  { request, response, query }: Parameters<SignInStep>[2],
) {
  const returnUrl = query.get('return_url') ?? '';
  if (!isReturnUrl(returnUrl, server.urls)) {
    return sendText(
      response,
      400,
      'Invalid redirect URL: the protocol and host (including port) must match and the path must be within allowed URLs if provided',
    );
  }
  const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
  let target: URL;
  try {
    target = await provider.authorizationUrl({
      redirect_uri: callbackUrl(server, request),
      state,
      nonce,
      ...(provider.config.pkce
        ? { code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' }
        : {}),
    });
  } catch (error) {
    server.log.error('sign-in by the provider failed', { error });
    return sendText(response, 503, messageOf(error));
  }
  const sealed = await seal(
    { state, nonce, verifier: provider.config.pkce ? verifier : '', returnUrl },
    { secret: server.secretKey, purpose: 'sign-in state', expires: server.state.clock.now() + stateMs },
  );
  response.setHeader(
    'set-cookie',
    `${stateCookie}=${sealed}; ${stateAttributes(server.sso.isSecure, stateMs / 1_000)}`,
  );
  redirect(response, 303, target.href, 'See Other');
}

const callbackUrl = (server: Server, request: IncomingMessage): string =>
  below(urlForHost(server.urls, request.headers.host), '/auth/callback');

async function callback(
  server: Server,
  provider: IdentityProvider,
  { request, response, query }: Parameters<SignInStep>[2],
): Promise<void> {
  const now = server.state.clock.now();
  const sealed = cookieValue(request.headers.cookie ?? '', stateCookie);
  const kept = sealed && (await unseal(sealed, { secret: server.secretKey, purpose: 'sign-in state', now }));
  const removed = `${stateCookie}=; ${stateAttributes(server.sso.isSecure, 0)}`;
  response.setHeader('set-cookie', removed);
  if (!kept) return sendText(response, 400, 'failed to verify app state: sign in again');
  const returnUrl = textAt(kept, 'returnUrl');
  if (!isReturnUrl(returnUrl, server.urls)) {
    return sendText(response, 400, 'failed to verify app state: invalid return URL');
  }
  const verifier = textAt(kept, 'verifier');
  const audit = { call: 'Session.Create', address: server.addressOf(request) };
  try {
    const tokens = await provider.exchange(new URL(`${callbackUrl(server, request)}?${query}`), {
      expectedState: textAt(kept, 'state'),
      expectedNonce: textAt(kept, 'nonce'),
      ...(verifier === '' ? {} : { pkceCodeVerifier: verifier }),
    });
    const claims = await provider.verify(tokens.idToken);
    const session = newProviderSession(tokens, {
      subject: textAt(claims, 'sub'),
      now,
      keepsAccessToken: provider.config.userInfo !== undefined,
    });
    const { isSecure, sessionMs } = server.sso;
    response.setHeader('set-cookie', [
      removed,
      ...sessionCookies(tokens.idToken, isSecure),
      ...(await providerCookies(session, { secret: server.secretKey, isSecure, sessionMs })),
    ]);
    server.audit.record({ ...audit, claims, result: 'OK' });
    redirect(response, 303, new URL(returnUrl || urlForHost(server.urls, request.headers.host)).href, 'See Other');
  } catch (error) {
    const { status, text } = refusalOf(error);
    server.log.warn('sign-in by the provider failed', { error });
    server.audit.record({ ...audit, result: 'Unauthenticated', message: text });
    sendText(response, status, text);
  }
}

/** What went wrong, without what the provider must not tell others. */
function refusalOf(error: unknown): { status: number; text: string } {
  if (error instanceof client.AuthorizationResponseError) {
    return { status: 400, text: printable(`${error.error}: ${error.error_description ?? ''}`) };
  }
  if (error instanceof client.ResponseBodyError)
    return { status: 400, text: printable(`failed to get token: ${error.error}`) };
  if (error instanceof TokenError) return { status: 401, text: error.message };
  if (error instanceof client.ClientError)
    return { status: 400, text: printable(`failed to get token: ${error.message}`) };
  return { status: 503, text: 'failed to get token: the provider did not answer as expected. See the log' };
}

const printable = (text: string): string => text.replace(/[^\u0020-\u007e]|[<>&]/gu, '').slice(0, 200);
