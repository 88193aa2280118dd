import { type Secret, secretValue } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import { readSecretValues, writeSecretValues } from '../cluster/opaque-secret.ts';

export const liveAccessSecret = 'fairlead-principal-look';

/** The address of live access to the clusters of agents on the principal, and its token. */
export interface LiveAccess {
  readonly url: string;
  readonly token: string;
}

export const writeLiveAccess = (client: ApiClient, namespace: string, { url, token }: LiveAccess): Promise<void> =>
  writeSecretValues(client, namespace, liveAccessSecret, { url, token });

/** What the Secret says; undefined if it is not complete. */
export function liveAccessOf(secret: Secret | undefined): LiveAccess | undefined {
  const [url, token] = secret ? [secretValue(secret, 'url'), secretValue(secret, 'token')] : [];
  return url && token ? { url, token } : undefined;
}

export async function readLiveAccess(client: ApiClient, namespace: string): Promise<LiveAccess | undefined> {
  const value = await readSecretValues(client, namespace, liveAccessSecret);
  return value && { url: value('url'), token: value('token') };
}
