import { isNotFound, type KubeObject } from '@fairlead/apimachinery';
import { ConnectionProblem } from './connection-problem.ts';
import { secretType } from './connections.ts';
import type { Context } from './context.ts';

interface SecretObject extends KubeObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

/** The texts of a Secret in the tenant's own namespace. */
export async function readSecret(
  { client }: Pick<Context, 'client'>,
  { namespace, name, type }: { readonly namespace: string; readonly name: string; readonly type: string },
  signal: AbortSignal,
): Promise<{ readonly version: string; readonly text: (key: string) => string }> {
  const missing = new ConnectionProblem(
    'SecretNotFound',
    `there is no Secret ${JSON.stringify(name)} in this namespace`,
  );
  if (name === '' || name.includes('/')) throw missing;
  const secret = await client.get<SecretObject>(secretType, { namespace, name }, { signal }).catch((error: unknown) => {
    throw isNotFound(error) ? missing : error;
  });
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
