import { find, type Secret, secretType } from '@fairlead/apimachinery';
import type { ApiClient, Clock } from '@fairlead/kube';
import type { SecretReader } from './update-application.ts';

/** How long a Secret is cached, regardless of the number of images that use it. */
const cacheMs = 5_000;

export function secretReader(client: Pick<ApiClient, 'get'>, clock: Clock): SecretReader {
  const known = new Map<string, { readonly at: number; readonly data: ReturnType<SecretReader> }>();
  return (namespace, name) => {
    const key = `${namespace}/${name}`;
    const now = clock.now();
    const found = known.get(key);
    if (found && now - found.at < cacheMs) return found.data;
    for (const [old, { at }] of known) if (now - at >= cacheMs) known.delete(old);
    const data = read(client, namespace, name);
    data.catch(() => known.delete(key));
    known.set(key, { at: now, data });
    return data;
  };
}

async function read(client: Pick<ApiClient, 'get'>, namespace: string, name: string): ReturnType<SecretReader> {
  const secret = await find(client.get<Secret>(secretType, { namespace, name }));
  if (!secret) return undefined;
  return Object.fromEntries(
    Object.entries(secret.data ?? {}).map(([field, value]) => [field, Buffer.from(value, 'base64').toString()]),
  );
}
