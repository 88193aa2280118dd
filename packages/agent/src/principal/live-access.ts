import type { ApiClient } from '@fairlead/kube';
import { readSecretValues, writeSecretValues } from '../cluster/opaque-secret.ts';

export const liveAccessSecret = 'fairlead-principal-look';

/** Where the principal serves live access to the clusters of its agents, and the token that it requires. */
export interface LiveAccess {
  readonly url: string;
  readonly token: string;
}

export const writeLiveAccess = (client: ApiClient, namespace: string, { url, token }: LiveAccess): Promise<void> =>
  writeSecretValues(client, namespace, liveAccessSecret, { url, token });

export async function readLiveAccess(client: ApiClient, namespace: string): Promise<LiveAccess | undefined> {
  const value = await readSecretValues(client, namespace, liveAccessSecret);
  return value && { url: value('url'), token: value('token') };
}
