import { Readable } from 'node:stream';
import {
  type AgentIdentity,
  ClusterAgent,
  clusterId,
  journalsIn,
  type LiveLevel,
  type LiveWrite,
  readOnly,
} from '@fairlead/agent';
import { ApiError } from '@fairlead/apimachinery';
import { type HttpClient, startStatusServer, systemClock, systemRandom } from '@fairlead/kube';
import { wireVersion } from './principal.ts';
import type { Role, RunningRole } from './role.ts';

export interface AgentOptions {
  readonly identity: AgentIdentity;
  /** Reads the identity again before each connection, if another program renews it. */
  readonly reload?: () => Promise<AgentIdentity | undefined>;
  readonly namespace?: string;
  /** The principal's address; the one that the cluster joined when absent. */
  readonly address?: string;
  /** The address of `/metrics`, `/healthz` and `/readyz`; not served if absent. */
  readonly status?: { readonly host?: string; readonly port: number };
  /** The directory of the outbox; only in memory if absent. */
  readonly outboxDir?: string;
  /** Patterns of additional namespaces in which the hub may create Applications. */
  readonly applicationNamespaces?: readonly string[];
  /** What live access through the agent permits; reading by default. */
  readonly liveAccess?: LiveLevel;
  /** Announced to the principal in place of the own version. */
  readonly peerVersion?: string;
  /** Whether live access shows Secrets. */
  readonly liveSecrets?: boolean;
}

export interface RunningAgent extends RunningRole {
  readonly statusPort?: number;
}

/** The agent of one cluster. */
export const agentRole: Role<AgentOptions, RunningAgent> = {
  id: 'agent',
  name: 'agent',
  async start(options, { client, environment, registry, log, report }, signal) {
    const { identity, namespace = environment.namespace, address, outboxDir, applicationNamespaces } = options;
    const agent = new ClusterAgent({
      client,
      identity,
      namespace,
      cluster: await clusterId(client),
      version: wireVersion(),
      clock: systemClock,
      random: systemRandom,
      log,
      registry,
      read: (path, write) => (write ? send(client, path, write) : read(client, path)),
      ...(options.peerVersion ? { peerVersion: options.peerVersion } : {}),
      live: client,
      policy: {
        level: options.liveAccess ?? readOnly.level,
        hidden: options.liveSecrets ? [] : readOnly.hidden,
      },
      ...(options.reload ? { reload: options.reload } : {}),
      ...(address ? { address } : {}),
      ...(applicationNamespaces ? { applicationNamespaces } : {}),
      ...(outboxDir ? { link: { journal: journalsIn(outboxDir) } } : {}),
    });
    report?.problem(() => agent.reason);
    const status =
      options.status &&
      (await startStatusServer({
        ...options.status,
        registry,
        live: new Map([['ping', () => undefined]]),
        ready: new Map([['stream', () => agent.reason]]),
      }));
    const stopped = agent.run(signal).finally(() => status?.close());
    return { stopped, ...(status ? { statusPort: status.port } : {}) };
  },
};

async function read(client: HttpClient, path: string): Promise<{ status: number; text: string }> {
  try {
    return { status: 200, text: (await client.read(path)).text };
  } catch (error) {
    if (error instanceof ApiError) return { status: error.code, text: JSON.stringify(error.status) };
    throw error;
  }
}

async function send(
  client: HttpClient,
  path: string,
  { method, contentType, body }: LiveWrite,
): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': contentType, 'content-length': String(Buffer.byteLength(body)) };
  const content = body === '' ? {} : { body: Readable.from([body]) };
  const answer = await client.forward({ method, path, headers: body === '' ? {} : headers, ...content });
  return { status: answer.statusCode, text: await answer.body.text() };
}
