import { equalJson, find, isAlreadyExists, type Secret, secretType } from '@fairlead/apimachinery';
import type { OperationContext } from './context.ts';

export const secretTypeLabel = 'argocd.argoproj.io/secret-type';

export const encoded = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, text]) => [name, Buffer.from(text).toString('base64')]));

/** Creates or updates a Secret of the Argo CD instance. There are few of them, so the server is read each time. */
export async function putSecret(
  { client }: Pick<OperationContext, 'client'>,
  desired: Secret,
  signal: AbortSignal,
): Promise<void> {
  const { namespace = '', name } = desired.metadata;
  try {
    await client.create<Secret>(secretType, desired, { signal });
    return;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const live = await client.get<Secret>(secretType, { namespace, name }, { signal });
  if (isSame(live, desired)) return;
  const metadata = { ...live.metadata, labels: { ...live.metadata.labels, ...desired.metadata.labels } };
  await client.replace<Secret>(secretType, { ...live, metadata, data: desired.data ?? {} }, { signal });
}

export const isSame = (live: Secret, desired: Secret): boolean =>
  equalJson(live.data ?? {}, desired.data ?? {}) &&
  Object.entries(desired.metadata.labels ?? {}).every(([label, value]) => live.metadata.labels?.[label] === value);

export async function removeSecret(
  { client, instance }: OperationContext,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  await find(client.delete(secretType, { namespace: instance.namespace, name }, { signal }));
}
