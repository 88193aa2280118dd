import { find, type Secret, secretType } from '@fairlead/apimachinery';
import { ConnectionProblem } from './connection-problem.ts';
import type { Context } from './context.ts';

/** The values of a Secret in the tenant's namespace. */
export async function readSecret(
  { client }: Pick<Context, 'client'>,
  { namespace, name, type }: { readonly namespace: string; readonly name: string; readonly type: string },
  signal: AbortSignal,
): Promise<{ readonly version: string; readonly text: (key: string) => string }> {
  const canExist = name !== '' && !name.includes('/');
  const secret = canExist ? await find(client.get<Secret>(secretType, { namespace, name }, { signal })) : undefined;
  if (!secret)
    throw new ConnectionProblem('SecretNotFound', `there is no Secret ${JSON.stringify(name)} in this namespace`);
  const given = secret.type ?? 'Opaque';
  if (given !== type && given !== 'Opaque')
    throw new ConnectionProblem(
      'InvalidSecretType',
      `the Secret ${name} is of type ${given}: it must be ${type} or Opaque`,
    );
  return {
    version: `${secret.metadata.uid}/${secret.metadata.resourceVersion}`,
    text: (key) => Buffer.from(secret.data?.[key] ?? '', 'base64').toString(),
  };
}
