import { text } from 'node:stream/consumers';
import { type AgentIdentity, clusterId, decodeInvitation, type Invitation, join, writeIdentity } from '@fairlead/agent';
import { elementAt, messageOf } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import { onCluster } from '../../applications/cluster/on-cluster.ts';
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { agentJoin } from '../../command-line/specs/agent.ts';
import { install } from '../../install.ts';
import { namespaceOf } from './agents.ts';

/** `fairlead agent join` */
export const run: Handler<typeof agentJoin> = async (call) => {
  const { flags, args, terminal } = call;
  const token = args[0] === '-' ? await text(process.stdin) : elementAt(args, 0);
  read(token);
  return onCluster(call, async (client) => {
    await install(client, { own: false, signal: terminal.stopped() });
    const identity = await joinWith(client, namespaceOf(flags), token);
    terminal.write(
      `joined ${identity.address} as ${identity.agent} (${identity.mode}); start the agent with fairlead agent run\n`,
    );
    return exitCodes.ok;
  });
};

/** Joins with a token, and stores the identity in the cluster. */
export async function joinWith(client: ApiClient, namespace: string, token: string): Promise<AgentIdentity> {
  const identity = await join(read(token), await clusterId(client)).catch((error: Error) => {
    throw new CliError(`the hub rejected the join request: ${error.message}`, { cause: error });
  });
  await writeIdentity(client, namespace, identity);
  return identity;
}

function read(token: string): Invitation {
  try {
    return decodeInvitation(token);
  } catch (error) {
    throw new CliError(messageOf(error));
  }
}
