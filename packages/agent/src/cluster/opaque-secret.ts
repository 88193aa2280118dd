import { find, isAlreadyExists, type Secret, secretType } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

export const opaqueSecret = (namespace: string, name: string, values: Readonly<Record<string, string>>): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace },
  type: 'Opaque',
  data: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, base64(value)])),
});

/** Reads values of a Secret; undefined when there is no such Secret. A key that it does not have is the empty string. */
export async function readSecretValues(
  client: ApiClient,
  namespace: string,
  name: string,
): Promise<((key: string) => string) | undefined> {
  const secret = await find(client.get<Secret>(secretType, { namespace, name }));
  return secret && ((key) => Buffer.from(secret.data?.[key] ?? '', 'base64').toString());
}

/** Creates the Secret, or sets these values in the one that is there. */
export async function writeSecretValues(
  client: ApiClient,
  namespace: string,
  name: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const secret = opaqueSecret(namespace, name, values);
  await client.create(secretType, secret).catch(async (error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
    await client.patch(secretType, { namespace, name }, 'merge', { data: secret.data });
  });
}
