import { isAlreadyExists, isNotFound, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';

const secretType: ResourceType = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };
type Secret = KubeObject & { type?: string; data?: Record<string, string> };

export const principalLookName = 'fairlead-principal-look';

/** Where clusters can be looked at through their agents, and with what. */
export interface LookAccess {
  readonly url: string;
  readonly token: string;
}

export async function writeLookAccess(client: ApiClient, namespace: string, { url, token }: LookAccess): Promise<void> {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const data = { url: base64(url), token: base64(token) };
  const secret: Secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: principalLookName, namespace },
    type: 'Opaque',
    data,
  };
  await client.create(secretType, secret).catch(async (error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
    await client.patch(secretType, { namespace, name: principalLookName }, 'merge', { data });
  });
}

export async function readLookAccess(client: ApiClient, namespace: string): Promise<LookAccess | undefined> {
  try {
    const { data = {} } = await client.get<Secret>(secretType, { namespace, name: principalLookName });
    const text = (name: string): string => Buffer.from(data[name] ?? '', 'base64').toString();
    return { url: text('url'), token: text('token') };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
