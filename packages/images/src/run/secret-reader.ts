import { isNotFound, type KubeObject, secretType } from '@fairlead/apimachinery';
import type { ApiClient, Clock } from '@fairlead/kube';
import type { SecretReader } from './look.ts';

type Secret = KubeObject & { readonly data?: Readonly<Record<string, string>> };

/** A Secret is read at most once in this time, however many images name it. */
const believedMs = 5_000;

export function secretReader(client: Pick<ApiClient, 'get'>, clock: Clock): SecretReader {
  const known = new Map<string, { readonly at: number; readonly data: ReturnType<SecretReader> }>();
  return (namespace, name) => {
    const key = `${namespace}/${name}`;
    const now = clock.now();
    const found = known.get(key);
    if (found && now - found.at < believedMs) return found.data;
    for (const [old, { at }] of known) if (now - at >= believedMs) known.delete(old);
    const data = read(client, namespace, name);
    data.catch(() => known.delete(key));
    known.set(key, { at: now, data });
    return data;
  };
}

async function read(client: Pick<ApiClient, 'get'>, namespace: string, name: string): ReturnType<SecretReader> {
  try {
    const { data = {} } = await client.get<Secret>(secretType, { namespace, name });
    return Object.fromEntries(
      Object.entries(data).map(([field, value]) => [field, Buffer.from(value, 'base64').toString()]),
    );
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
