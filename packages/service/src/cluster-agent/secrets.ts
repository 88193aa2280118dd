import { equalJson, find, isAlreadyExists, type Secret, secretType } from '@fairlead/apimachinery';
import type { AgentContext } from './context.ts';

export const secretTypeLabel = 'argocd.argoproj.io/secret-type';

export const encoded = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, text]) => [name, Buffer.from(text).toString('base64')]));

/** Makes a Secret of the engine what it should be. There are few of them, so the server is asked each time. */
export async function putSecret(
  { client }: Pick<AgentContext, 'client'>,
  wanted: Secret,
  signal: AbortSignal,
): Promise<void> {
  const { namespace = '', name } = wanted.metadata;
  try {
    await client.create<Secret>(secretType, wanted, { signal });
    return;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const live = await client.get<Secret>(secretType, { namespace, name }, { signal });
  if (isSame(live, wanted)) return;
  const metadata = { ...live.metadata, labels: { ...live.metadata.labels, ...wanted.metadata.labels } };
  await client.replace<Secret>(secretType, { ...live, metadata, data: wanted.data ?? {} }, { signal });
}

export const isSame = (live: Secret, wanted: Secret): boolean =>
  equalJson(live.data ?? {}, wanted.data ?? {}) &&
  Object.entries(wanted.metadata.labels ?? {}).every(([label, value]) => live.metadata.labels?.[label] === value);

export async function removeSecret({ client, engine }: AgentContext, name: string, signal: AbortSignal): Promise<void> {
  await find(client.delete(secretType, { namespace: engine.namespace, name }, { signal }));
}
