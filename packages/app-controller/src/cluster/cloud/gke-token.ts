import { readFile } from 'node:fs/promises';
import { messageOf, textAt } from '@fairlead/apimachinery';
import {
  type Expiring,
  expiryOf,
  googleAccessToken,
  parseServiceAccountKey,
  type SendTokenRequest,
  tokenReply,
} from '@fairlead/source';

const scopes = ['https://www.googleapis.com/auth/cloud-platform', 'https://www.googleapis.com/auth/userinfo.email'];

/** An access token for a GKE cluster: of the key that GOOGLE_APPLICATION_CREDENTIALS names, or of the machine. */
export async function gkeToken(
  environment: Readonly<Record<string, string | undefined>>,
  send: SendTokenRequest,
  now: number,
): Promise<Expiring<string>> {
  const file = environment['GOOGLE_APPLICATION_CREDENTIALS'];
  if (file) {
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      throw new Error(`GOOGLE_APPLICATION_CREDENTIALS cannot be read: ${messageOf(error)}`);
    });
    return googleAccessToken(parseServiceAccountKey(text), scopes, send, now);
  }
  const host = environment['GCE_METADATA_HOST'] || 'metadata.google.internal';
  const request = {
    url: `http://${host}/computeMetadata/v1/instance/service-accounts/default/token?scopes=${encodeURIComponent(scopes.join(','))}`,
    method: 'GET',
    headers: { 'metadata-flavor': 'Google' },
  } as const;
  const json = tokenReply(request, await send(request), []);
  const value = textAt(json, 'access_token');
  if (value === '') throw new Error('the metadata server returned no token');
  return { value, expiresAt: expiryOf(json, now) };
}
