import { equalJson, isAlreadyExists, isNotFound, type Json, type KubeObject } from '@fairlead/apimachinery';
import { secretType } from '../backend/connections.ts';
import type { AgentContext } from './context.ts';

export interface SecretObject extends KubeObject {
  data?: Record<string, string>;
}

export const secretTypeLabel = 'argocd.argoproj.io/secret-type';

export const encoded = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, text]) => [name, Buffer.from(text).toString('base64')]));

/** Makes a Secret of the engine what it should be. There are few of them, so the server is asked each time. */
export async function putSecret(
  { client }: Pick<AgentContext, 'client'>,
  wanted: SecretObject,
  signal: AbortSignal,
): Promise<void> {
  const { namespace = '', name } = wanted.metadata;
  try {
    await client.create<SecretObject>(secretType, wanted, { signal });
    return;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const live = await client.get<SecretObject>(secretType, { namespace, name }, { signal });
  if (isSame(live, wanted)) return;
  const metadata = { ...live.metadata, labels: { ...live.metadata.labels, ...wanted.metadata.labels } };
  await client.replace<SecretObject>(secretType, { ...live, metadata, data: wanted.data ?? {} }, { signal });
}

export const isSame = (live: SecretObject, wanted: SecretObject): boolean =>
  equalJson((live.data ?? {}) as Json, (wanted.data ?? {}) as Json) &&
  Object.entries(wanted.metadata.labels ?? {}).every(([label, value]) => live.metadata.labels?.[label] === value);

export async function removeSecret({ client, engine }: AgentContext, name: string, signal: AbortSignal): Promise<void> {
  await client.delete(secretType, { namespace: engine.namespace, name }, { signal }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}
