import { type JsonObject, messageOf } from '@fairlead/apimachinery';
import { type ClusterAccess, HttpClient, loadKubeconfig } from '@fairlead/kube';
import { inClusterServer } from '../../applications/cluster/in-cluster.ts';
import { readNumber } from '../../applications/operations/sync-operation.ts';
import { pair } from '../../applications/spec/source-from-flags.ts';
import { withApi } from '../../backend/with-api.ts';
import { CliError } from '../../cli-error.ts';
import { managerToken } from '../../clusters/manager-account.ts';
import { type Call, exitCodes, type Handler } from '../../command-line/command.ts';
import type { clusterAdd } from '../../command-line/specs/cluster.ts';
import { confirmed } from '../../terminal/confirm.ts';

type AddCall = Call<typeof clusterAdd.flags>;

/** `fairlead cluster add CONTEXT` */
export const run: Handler<typeof clusterAdd> = async (call) => {
  const { flags, args, terminal } = call;
  const [context = ''] = args;
  const access = await accessOf(call, context);
  const name = flags.name ?? context;
  const what = flags.namespace ? `in ${flags.namespace.join(', ')}` : 'in all of it';
  const question = `A service account with all rights ${what} will be created in ${access.client.server}. Continue?`;
  if (flags['service-account'] === undefined && !(await confirmed(terminal, question, flags.yes)))
    return exitCodes.error;
  const token = await tokenFor(call, access);
  return withApi(call, async (api) => {
    const body = clusterMessage(call, access, name, token);
    await api.call({ method: 'POST', path: '/api/v1/clusters', query: { upsert: flags.upsert }, body });
    terminal.write(`${terminal.style.good('✔')} cluster ${name} at ${body['server']} added\n`);
    return exitCodes.ok;
  });
};

async function accessOf({ flags, environment }: AddCall, context: string): Promise<ClusterAccess> {
  try {
    return await loadKubeconfig({
      env: environment.processes,
      context,
      ...(flags.from === undefined ? {} : { path: flags.from }),
    });
  } catch (error) {
    throw new CliError(`context ${context} cannot be used: ${messageOf(error)}`, { cause: error });
  }
}

async function tokenFor({ flags }: AddCall, access: ClusterAccess): Promise<string> {
  const client = new HttpClient(access.client);
  try {
    return await managerToken(client, {
      namespace: flags['system-namespace'] ?? 'kube-system',
      namespaces: flags.namespace ?? [],
      clusterResources: flags['cluster-resources'] ?? false,
      ...(flags['service-account'] === undefined ? {} : { existing: flags['service-account'] }),
    });
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(
      `the service account could not be created in ${access.client.server}: ${messageOf(error)}. The context needs the rights of an administrator`,
      { cause: error },
    );
  } finally {
    await client.close();
  }
}

function clusterMessage({ flags }: AddCall, { client }: ClusterAccess, name: string, token: string): JsonObject {
  const { tls = {}, proxyUrl } = client;
  const pairs = (flag: string, texts: readonly string[] = []) =>
    Object.fromEntries(texts.map((text) => pair(flag, text)));
  return {
    server: flags['in-cluster'] ? inClusterServer : client.server,
    name,
    config: {
      bearerToken: token,
      tlsClientConfig: {
        insecure: tls.insecure ?? false,
        ...(tls.serverName === undefined ? {} : { serverName: tls.serverName }),
        // Kubernetes refuses a CA together with an unchecked certificate.
        ...(tls.ca === undefined || tls.insecure ? {} : { caData: Buffer.from(tls.ca).toString('base64') }),
      },
      ...(proxyUrl === undefined ? {} : { proxyUrl }),
    },
    ...(flags.namespace ? { namespaces: [...flags.namespace] } : {}),
    ...(flags['cluster-resources'] ? { clusterResources: true } : {}),
    ...(flags.label ? { labels: pairs('label', flags.label) } : {}),
    ...(flags.annotation ? { annotations: pairs('annotation', flags.annotation) } : {}),
    ...(flags.project === undefined ? {} : { project: flags.project }),
    ...(flags.shard === undefined ? {} : { shard: readNumber('shard', flags.shard) }),
  };
}
