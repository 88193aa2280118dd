import {
  type GitOpsDeployment,
  gitopsDeploymentKind,
  gitopsDeploymentManagedEnvironmentKind,
  gitopsDeploymentRepositoryCredentialKind,
} from '@fairlead/api';
import type { KubeObject } from '@fairlead/apimachinery';
import { type ApiClient, listAll } from '@fairlead/kube';
import { onCluster } from '../../applications/cluster/on-cluster.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { tenantList } from '../../command-line/specs/service.ts';
import { table } from '../../table.ts';
import { problemOf } from '../../tenants/deployment-table.ts';

interface Tenant {
  readonly name: string;
  readonly deployments: number;
  readonly synced: number;
  readonly healthy: number;
  readonly wrong: number;
  readonly environments: number;
  readonly credentials: number;
}

/** `fairlead tenant list` */
export const run: Handler<typeof tenantList> = async (call) => {
  const { flags, terminal } = call;
  return onCluster(call, async (client) => {
    const tenants = await listTenants(client);
    if (flags.output === 'json') terminal.write(`${JSON.stringify(tenants, null, 2)}\n`);
    else if (flags.output === 'name') for (const { name } of tenants) terminal.write(`${name}\n`);
    else if (tenants.length === 0) terminal.write('no namespace has a GitOpsDeployment\n');
    else {
      const rows = tenants.map((tenant) => Object.values(tenant).map(String));
      terminal.write(
        table([['TENANT', 'DEPLOYMENTS', 'SYNCED', 'HEALTHY', 'WRONG', 'ENVIRONMENTS', 'CREDENTIALS'], ...rows]),
      );
    }
    return exitCodes.ok;
  });
};

async function listTenants(client: ApiClient): Promise<Tenant[]> {
  const [deployments, environments, credentials] = await Promise.all([
    listAll<GitOpsDeployment>(client, gitopsDeploymentKind.type),
    listAll(client, gitopsDeploymentManagedEnvironmentKind.type),
    listAll(client, gitopsDeploymentRepositoryCredentialKind.type),
  ]);
  const namespaceOf = ({ metadata }: KubeObject): string => metadata.namespace ?? '';
  const names = new Set([...deployments.items, ...environments.items, ...credentials.items].map(namespaceOf));
  return [...names].sort().map((name) => {
    const own = deployments.items.filter((one) => namespaceOf(one) === name);
    const count = (holds: (one: GitOpsDeployment) => boolean): number => own.filter(holds).length;
    return {
      name,
      deployments: own.length,
      synced: count(({ status }) => status?.sync?.status === 'Synced'),
      healthy: count(({ status }) => status?.health?.status === 'Healthy'),
      wrong: count((one) => problemOf(one) !== ''),
      environments: environments.items.filter((one) => namespaceOf(one) === name).length,
      credentials: credentials.items.filter((one) => namespaceOf(one) === name).length,
    };
  });
}
