import { createHash, randomUUID } from 'node:crypto';
import { numberAt, textAt } from '@fairlead/apimachinery';
import type { Claims } from '../rbac/claims.ts';
import { cookieValue, dividedCookies } from '../session/session-cookies.ts';
import type { ProviderTokens } from './identity-provider.ts';
import { seal, unseal } from './sealed.ts';

/** The cookie that keeps what a session with a provider needs to be refreshed. Only the server can read it. */
export const providerCookie = 'argocd.provider';

/** A session of a user that a provider has signed in. It is kept by the browser, so that every replica has it. */
export interface ProviderSession {
  readonly id: string;
  readonly subject: string;
  /** When the user signed in, in milliseconds. Refreshing does not extend a session beyond its duration. */
  readonly startedAt: number;
  readonly refreshToken: string;
  /** Kept only where groups are asked for at the user info endpoint. */
  readonly accessToken: string;
}

export const newProviderSession = (
  tokens: ProviderTokens,
  { subject, now, keepsAccessToken }: { subject: string; now: number; keepsAccessToken: boolean },
): ProviderSession => ({
  id: randomUUID(),
  subject,
  startedAt: now,
  refreshToken: tokens.refreshToken ?? '',
  accessToken: keepsAccessToken ? tokens.accessToken : '',
});

export interface SealOptions {
  readonly secret: Uint8Array;
  readonly isSecure: boolean;
  /** How long a session may last. */
  readonly sessionMs: number;
}

/** None if there is nothing to keep. */
export async function providerCookies(
  { id, subject, startedAt, refreshToken, accessToken }: ProviderSession,
  { secret, isSecure, sessionMs }: SealOptions,
): Promise<string[]> {
  if (refreshToken === '' && accessToken === '') return [];
  const value = { id, sub: subject, start: startedAt, refresh: refreshToken, access: accessToken };
  const sealed = await seal(value, { secret, purpose: 'provider session', expires: startedAt + sessionMs });
  return dividedCookies(providerCookie, sealed, isSecure);
}

/** The session in a request's cookies, if it belongs to the user of the token. */
export async function readProviderSession(
  cookieHeader: string,
  { secret, now, subject }: { secret: Uint8Array; now: number; subject: string },
): Promise<ProviderSession | undefined> {
  const text = cookieValue(cookieHeader, providerCookie);
  if (text === undefined || text === '') return undefined;
  const value = await unseal(text, { secret, purpose: 'provider session', now });
  if (!value || textAt(value, 'sub') !== subject) return undefined;
  return {
    id: textAt(value, 'id'),
    subject,
    startedAt: numberAt(value, 'start'),
    refreshToken: textAt(value, 'refresh'),
    accessToken: textAt(value, 'access'),
  };
}

/** What a token of a provider is revoked by. Few providers give tokens an id. */
export function tokenIdOf(claims: Claims, token: string): string {
  for (const name of ['jti', 'uti', 'at_hash']) {
    const value = textAt(claims, name);
    if (value !== '') return value;
  }
  return createHash('sha256').update(token).digest('base64url');
}
