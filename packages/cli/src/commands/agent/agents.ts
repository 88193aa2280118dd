import { type LiveLevel, liveLevels, readOnly } from '@fairlead/agent';
import { type Agent, agentKind } from '@fairlead/api';
import { ApiError, find } from '@fairlead/apimachinery';
import { type ApiClient, sleep, systemClock } from '@fairlead/kube';
import { CliError } from '../../cli-error.ts';
import { controlPlaneNamespace } from '../../install.ts';

export const namespaceOf = ({ namespace }: { readonly namespace?: string }): string =>
  namespace ?? controlPlaneNamespace;

/** `--application-namespaces`: each value is a comma-separated list, as in Argo CD. */
export function namespacesIn(flags: { readonly 'application-namespaces'?: readonly string[] }): {
  applicationNamespaces?: readonly string[];
} {
  const patterns = (flags['application-namespaces'] ?? [])
    .flatMap((list) => list.split(','))
    .map((part) => part.trim());
  const named = patterns.filter(Boolean);
  return named.length > 0 ? { applicationNamespaces: named } : {};
}

/** `--live-access` and `--no-live`; reading by default. */
export function liveLevelIn(flags: { readonly 'live-access'?: string; readonly 'no-live'?: boolean }): LiveLevel {
  if (flags['no-live']) return 'none';
  return liveLevels.find((level) => level === flags['live-access']) ?? readOnly.level;
}

export async function getAgent(client: ApiClient, namespace: string, name: string): Promise<Agent> {
  const agent = await find(client.get<Agent>(agentKind.type, { namespace, name }));
  if (!agent) throw new CliError(`agent ${name} not found on this hub: fairlead agent invite ${name} creates it`);
  return agent;
}

export async function listAgents(client: ApiClient, namespace: string): Promise<readonly Agent[]> {
  try {
    return (await client.list<Agent>(agentKind.type, { namespace })).items;
  } catch (error) {
    if (error instanceof ApiError && error.code === 404)
      throw new CliError('the cluster has no CRD for Agents: it is not a Fairlead hub');
    throw error;
  }
}

export const patchAgent = (client: ApiClient, namespace: string, name: string, spec: object): Promise<Agent> =>
  client.patch<Agent>(agentKind.type, { namespace, name }, 'merge', { spec });

/** Waits until the condition holds for the agent. Returns false on a timeout. */
export async function awaitAgent(
  client: ApiClient,
  namespace: string,
  name: string,
  condition: (agent: Agent) => boolean,
  withinMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const end = Date.now() + withinMs;
  while (!signal.aborted && Date.now() < end) {
    if (condition(await getAgent(client, namespace, name))) return true;
    await sleep(systemClock, 200);
  }
  return false;
}
