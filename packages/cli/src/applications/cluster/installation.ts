import { type Application, agentKind } from '@fairlead/api';
import { type ConfigMap, configMapType, isForbidden, isNotFound } from '@fairlead/apimachinery';
import { type GlobalProject, isWatchedNamespace, readGlobalProjects, SettingsReader } from '@fairlead/app-controller';
import type { ApiClient } from '@fairlead/kube';
import { controlPlaneNamespace } from '../../install.ts';

/** The global projects setting, as the controller reads it. */
export async function globalProjectsIn(
  client: Pick<ApiClient, 'get'>,
  namespace: string,
): Promise<readonly GlobalProject[]> {
  const name = 'argocd-cm';
  return readGlobalProjects(new SettingsReader(name, await dataOf(client, namespace, name)));
}

/** Additional namespaces whose Applications the controller reconciles. */
async function applicationNamespacesIn(client: Pick<ApiClient, 'get'>, namespace: string): Promise<readonly string[]> {
  const name = 'argocd-cmd-params-cm';
  return new SettingsReader(name, await dataOf(client, namespace, name)).list('application.namespaces');
}

/** The namespaces that the controller watches, if the Application is in none of them. */
export async function unwatched(
  client: Pick<ApiClient, 'get'>,
  { metadata, spec, status }: Application,
): Promise<string | undefined> {
  const home = status?.controllerNamespace ?? controlPlaneNamespace;
  const { namespace = '' } = metadata;
  if (namespace === home) return undefined;
  const applicationNamespaces = await applicationNamespacesIn(client, home);
  if (isWatchedNamespace({ namespace: home, applicationNamespaces }, namespace)) return undefined;
  const agents = [namespace, ...(spec.destination.name ? [spec.destination.name] : [])];
  for (const name of agents) if (await isAgent(client, home, name)) return undefined;
  return [home, ...applicationNamespaces].join(', ');
}

/** Applications in the namespace of an agent, or with an agent as destination, are reconciled on the agent's cluster. */
async function isAgent(client: Pick<ApiClient, 'get'>, home: string, name: string): Promise<boolean> {
  return client.get(agentKind.type, { namespace: home, name }).then(
    () => true,
    () => false,
  );
}

/** Without the right to read the settings, uses the defaults: the controller decides. */
async function dataOf(
  client: Pick<ApiClient, 'get'>,
  namespace: string,
  name: string,
): Promise<Readonly<Record<string, string>>> {
  try {
    return (await client.get<ConfigMap>(configMapType, { namespace, name })).data ?? {};
  } catch (error) {
    if (isNotFound(error) || isForbidden(error)) return {};
    throw error;
  }
}
