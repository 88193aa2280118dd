import type { Secret } from '@fairlead/apimachinery';
import { stringsAt } from '@fairlead/apimachinery';
import { projectNameOf } from '../deployments/application-spec.ts';
import { type CredentialRow, credentialById, credentialSecretOf, type OperationRow } from '../store/index.ts';
import type { OperationContext } from './context.ts';
import { tenantLabel } from './observed-application.ts';
import { ensureProject } from './project.ts';
import { encoded, putSecret, removeSecret, secretTypeLabel } from './secrets.ts';
import { reached, type Step } from './step.ts';

export const credentialPlace = (id: string): string => `RepositoryCredentials/${id}`;

export interface RepositoryLogin {
  readonly username?: string;
  readonly password?: string;
  readonly sshPrivateKey?: string;
}

/** Argo CD's Secret for a repository. It is for one tenant's project only. */
export function desiredRepositorySecret(
  { instance, cipher }: Pick<OperationContext, 'instance' | 'cipher'>,
  row: CredentialRow,
): Secret {
  const login = stringsAt(JSON.parse(cipher.decrypt(row.secretData, credentialPlace(row.id))));
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: row.secretName,
      namespace: instance.namespace,
      labels: { [secretTypeLabel]: 'repository', [tenantLabel]: row.tenant },
    },
    data: encoded({ type: 'git', url: row.url, project: projectNameOf(row.tenant), ...login }),
  };
}

export async function reconcileCredentials(
  context: OperationContext,
  operation: OperationRow,
  signal: AbortSignal,
): Promise<Step> {
  const { resource_id: id, operation_owner_user_id: tenant } = operation;
  const row = await credentialById(context.db, id);
  await ensureProject(context, tenant, signal);
  if (row) await putSecret(context, desiredRepositorySecret(context, row), signal);
  else await removeSecret(context, credentialSecretOf(id), signal);
  return reached;
}
