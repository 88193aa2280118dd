import { at, textAt } from '@fairlead/apimachinery';
import { SourceError } from '../../source-error.ts';
import { signedJwt } from './signed-jwt.ts';
import type { Expiring } from './token-cache.ts';
import { expiryOf, type SendTokenRequest, type TokenRequest, tokenReply } from './token-request.ts';

/** A key of a Google Cloud service account: the JSON file that `gcloud iam service-accounts keys create` writes. */
export interface GoogleServiceAccount {
  readonly kind: 'google-service-account';
  readonly key: string;
}

export interface ServiceAccountKey {
  readonly email: string;
  readonly keyId: string;
  readonly privateKey: string;
  readonly tokenUri: string;
}

export const googleScope = 'https://www.googleapis.com/auth/cloud-platform';
const defaultTokenUri = 'https://oauth2.googleapis.com/token';

/** Throws if it is not the key of a service account; the message does not contain the key. */
export function parseServiceAccountKey(text: string): ServiceAccountKey {
  const json = parsed(text);
  const type = textAt(json, 'type');
  if (type !== 'service_account')
    throw invalid(`has the type ${JSON.stringify(type)}: only service_account is supported`);
  const key: ServiceAccountKey = {
    email: textAt(json, 'client_email'),
    keyId: textAt(json, 'private_key_id'),
    privateKey: textAt(json, 'private_key'),
    tokenUri: textAt(json, 'token_uri') || defaultTokenUri,
  };
  if (key.email === '' || key.privateKey === '') throw invalid('needs client_email and private_key');
  if (!URL.canParse(key.tokenUri)) throw invalid('has a token_uri that is not a URL');
  return key;
}

/** An access token for a key, by the JWT bearer grant (RFC 7523). */
export async function googleAccessToken(
  key: ServiceAccountKey,
  scopes: readonly string[],
  send: SendTokenRequest,
  now: number,
): Promise<Expiring<string>> {
  const iat = Math.floor(now / 1_000);
  const claims = { iss: key.email, scope: scopes.join(' '), aud: key.tokenUri, iat, exp: iat + 3_600 };
  const assertion = signed(claims, key);
  const request: TokenRequest = {
    url: key.tokenUri,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion })),
  };
  const json = tokenReply(request, await send(request), [assertion]);
  const value = at(json, 'access_token');
  if (typeof value !== 'string')
    throw new SourceError('AuthenticationFailed', `POST ${key.tokenUri} returned no token`);
  return { value, expiresAt: expiryOf(json, now) };
}

function signed(claims: object, { privateKey, keyId }: ServiceAccountKey): string {
  try {
    return signedJwt(claims, privateKey, keyId === '' ? {} : { kid: keyId });
  } catch (error) {
    throw invalid(`has a private_key that ${error instanceof Error ? error.message : String(error)}`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('is not valid JSON');
  }
}

const invalid = (what: string): SourceError =>
  new SourceError('AuthenticationFailed', `the key of the service account ${what}`);
