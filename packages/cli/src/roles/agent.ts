import { type AgentIdentity, ClusterAgent, clusterId, journalsIn } from '@fairlead/agent';
import { ApiError } from '@fairlead/apimachinery';
import { type HttpClient, type Logger, type MetricsRegistry, systemClock, systemRandom } from '@fairlead/kube';
import { controlPlaneNamespace } from '../install.ts';
import { wireVersion } from './principal.ts';

export interface AgentRoleOptions {
  readonly client: HttpClient;
  readonly identity: AgentIdentity;
  readonly namespace?: string;
  /** Dials here, and not where the cluster joined. */
  readonly address?: string;
  readonly registry?: MetricsRegistry;
  /** Where it writes down what the principal has still to be told; nowhere when absent. */
  readonly outboxDir?: string;
  /** Patterns of further namespaces in which the hub may have Applications here. */
  readonly applicationNamespaces?: readonly string[];
  readonly log: Logger;
}

/** The agent of one cluster. `stopped` resolves when it has ended after the signal. */
export async function startAgent(
  options: AgentRoleOptions,
  signal: AbortSignal,
): Promise<{ readonly agent: ClusterAgent; readonly stopped: Promise<void> }> {
  const {
    client,
    identity,
    namespace = controlPlaneNamespace,
    address,
    registry,
    outboxDir,
    log,
    applicationNamespaces,
  } = options;
  const agent = new ClusterAgent({
    client,
    identity,
    namespace,
    cluster: await clusterId(client),
    version: wireVersion(),
    clock: systemClock,
    random: systemRandom,
    log,
    read: (path) => read(client, path),
    ...(registry ? { registry } : {}),
    ...(address ? { address } : {}),
    ...(applicationNamespaces ? { applicationNamespaces } : {}),
    ...(outboxDir ? { link: { journal: journalsIn(outboxDir) } } : {}),
  });
  return { agent, stopped: agent.run(signal) };
}

async function read(client: HttpClient, path: string): Promise<{ status: number; text: string }> {
  try {
    return { status: 200, text: (await client.read(path)).text };
  } catch (error) {
    if (error instanceof ApiError) return { status: error.code, text: JSON.stringify(error.status) };
    throw error;
  }
}
