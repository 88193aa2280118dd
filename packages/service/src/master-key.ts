import { randomBytes } from 'node:crypto';
import { find, isAlreadyExists, type KubeObject, type Secret, secretType, secretValue } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';

const secretName = 'fairlead-service-key';

/**
 * The key that encrypts credentials in the database: the given one, or the one in a Secret next to Argo CD, which is created at the first
 * start. The database alone is not enough to read credentials.
 */
export async function masterKey(client: ApiClient, namespace: string, given: string | undefined): Promise<string> {
  if (given) return given;
  const read = async (): Promise<string | undefined> => {
    const secret = await find(client.get<Secret>(secretType, { namespace, name: secretName }));
    return secret && secretValue(secret, 'key');
  };
  const known = await read();
  if (known !== undefined) return known;
  const data = { key: Buffer.from(randomBytes(32).toString('base64url')).toString('base64') };
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: secretName, namespace }, type: 'Opaque', data };
  await client.create<KubeObject>(secretType, secret).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
  const created = await read();
  if (created === undefined) throw new Error(`Secret ${namespace}/${secretName} has no key \`key\``);
  return created;
}
