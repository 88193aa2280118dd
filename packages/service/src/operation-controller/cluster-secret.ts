import type { Secret } from '@fairlead/apimachinery';
import { readClusterLogin } from '../backend/probes.ts';
import { clusterNameOf, projectNameOf } from '../deployments/application-spec.ts';
import { type EnvironmentRow, environmentById, type OperationRow } from '../store/index.ts';
import type { OperationContext } from './context.ts';
import { tenantLabel } from './observed-application.ts';
import { ensureProject } from './project.ts';
import { encoded, putSecret, removeSecret, secretTypeLabel } from './secrets.ts';
import { reached, type Step } from './step.ts';

export const loginPlace = (id: string): string => `ClusterCredentials/${id}`;

/** Argo CD's Secret for a tenant's cluster. It is for the tenant's project only. */
export function desiredClusterSecret(
  { instance, cipher }: Pick<OperationContext, 'instance' | 'cipher'>,
  row: EnvironmentRow,
): Secret {
  const login = readClusterLogin(JSON.parse(cipher.decrypt(row.login, loginPlace(row.id))));
  const { token, certificate, basic, ca, insecure } = login;
  const config = {
    ...(token ? { bearerToken: token } : {}),
    ...(basic ? basic : {}),
    tlsClientConfig: {
      insecure,
      ...(ca && !insecure ? { caData: Buffer.from(ca).toString('base64') } : {}),
      ...(certificate
        ? {
            certData: Buffer.from(certificate.cert).toString('base64'),
            keyData: Buffer.from(certificate.key).toString('base64'),
          }
        : {}),
    },
  };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: clusterNameOf(row.id),
      namespace: instance.namespace,
      labels: { [secretTypeLabel]: 'cluster', [tenantLabel]: row.tenant },
    },
    data: encoded({
      name: clusterNameOf(row.id),
      // Argo CD identifies clusters by address, and another tenant's environment may have the same one.
      server: addressOf(row),
      project: projectNameOf(row.tenant),
      config: JSON.stringify(config),
      ...(row.namespaces.length > 0
        ? { namespaces: row.namespaces.join(','), clusterResources: String(row.clusterResources) }
        : {}),
    }),
  };
}

export const addressOf = ({ host, id }: Pick<EnvironmentRow, 'host' | 'id'>): string =>
  `${host}${host.includes('?') ? '&' : '?'}managedEnvironment=${id}`;

export async function reconcileEnvironment(
  context: OperationContext,
  operation: OperationRow,
  signal: AbortSignal,
): Promise<Step> {
  const { resource_id: id, operation_owner_user_id: tenant } = operation;
  const row = await environmentById(context.db, id);
  if (row) await putSecret(context, desiredClusterSecret(context, row), signal);
  await ensureProject(context, tenant, signal);
  if (!row) await removeSecret(context, clusterNameOf(id), signal);
  return reached;
}
