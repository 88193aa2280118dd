import { encodeInvitation, type Invitation, invite, type Mapping } from '@fairlead/agent';
import { ApiError, elementAt, find, namespaceType } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import { onCluster } from '../../applications/cluster/on-cluster.ts';
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { agentInvite } from '../../command-line/specs/agent.ts';
import { durationFlag } from '../../duration.ts';
import { namespaceOf } from './agents.ts';

/** `fairlead agent invite` */
export const run: Handler<typeof agentInvite> = async (call) => {
  const { flags, args, terminal } = call;
  const agent = elementAt(args, 0);
  return onCluster(call, async (client) => {
    const { invitation, minutes } = await inviteAsAsked(client, agent, flags);
    const token = encodeInvitation(invitation);
    if (flags.quiet) terminal.write(`${token}\n`);
    else {
      terminal.write(`Run on the cluster that joins as ${agent} (${invitation.mode}), within ${minutes} minutes:\n\n`);
      terminal.write(
        `  fairlead agent join ${token}\n  fairlead agent run\n\nThen check on the hub: fairlead agent status ${agent}\n`,
      );
    }
    return exitCodes.ok;
  });
};

interface Asked {
  readonly mode?: string;
  readonly mapping?: string;
  readonly 'valid-for'?: string;
  readonly namespace?: string;
}

/** Creates or updates the Agent as the flags specify, with a token that is valid for the given minutes. */
export async function inviteAsAsked(
  client: ApiClient,
  agent: string,
  flags: Asked,
): Promise<{ invitation: Invitation; minutes: number }> {
  const mode = flags.mode === 'autonomous' ? 'autonomous' : 'managed';
  const mapping = flags.mapping as Mapping | undefined;
  if (mapping === 'destination' && mode === 'autonomous')
    throw new CliError(
      '--mapping is only for managed agents: an autonomous agent uses the Applications that are on its cluster',
    );
  const minutes = (durationFlag('valid-for', flags['valid-for']) ?? 3_600_000) / 60_000;
  const asked = { agent, mode, minutes, ...(mapping ? { mapping } : {}) } as const;
  const invitation = await invite(client, namespaceOf(flags), asked).catch((error: Error) => {
    throw error.name === 'Error' ? new CliError(error.message) : error;
  });
  if (mapping !== 'destination') await createNamespace(client, agent);
  return { invitation, minutes };
}

/** The Applications of the agent are in the namespace of its name. */
async function createNamespace(client: ApiClient, name: string): Promise<void> {
  try {
    await client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  } catch (error) {
    if (error instanceof ApiError && error.code === 409) return;
    if (!(error instanceof ApiError) || error.code !== 403) throw error;
    if (await find(client.get(namespaceType, { name })).catch(() => undefined)) return;
    throw new CliError(
      `the agent is invited, and its namespace ${name} cannot be created: ${error.message}. Create it before the agent connects`,
    );
  }
}
