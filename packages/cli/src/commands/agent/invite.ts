import { encodeInvitation, type Invitation, invite, type Mapping } from '@fairlead/agent';
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
  const agent = args[0]!;
  return onCluster(call, async (client) => {
    const { invitation, minutes } = await inviteAsAsked(client, agent, flags);
    const token = encodeInvitation(invitation);
    if (flags.quiet) terminal.write(`${token}\n`);
    else {
      terminal.write(
        `On the cluster that is to join as ${agent} (${invitation.mode}), within ${minutes} minutes and once:\n\n`,
      );
      terminal.write(
        `  fairlead agent join ${token}\n  fairlead agent run\n\nThen, here: fairlead agent status ${agent}\n`,
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

/** Makes the agent known to the hub as the flags say, with a token that is good for so many minutes. */
export async function inviteAsAsked(
  client: ApiClient,
  agent: string,
  flags: Asked,
): Promise<{ invitation: Invitation; minutes: number }> {
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/u.test(agent)) {
    throw new CliError(
      `${agent} is no name for an agent: it is also that of a namespace, so small letters, digits and dashes`,
    );
  }
  const mode = flags.mode === 'autonomous' ? 'autonomous' : 'managed';
  const mapping = flags.mapping as Mapping | undefined;
  if (mapping === 'destination' && mode === 'autonomous')
    throw new CliError('an autonomous agent has the Applications of its own cluster: nothing is mapped to it');
  const minutes = (durationFlag('valid-for', flags['valid-for']) ?? 3_600_000) / 60_000;
  const asked = { agent, mode, minutes, ...(mapping ? { mapping } : {}) } as const;
  const invitation = await invite(client, namespaceOf(flags), asked).catch((error: Error) => {
    throw error.name === 'Error' ? new CliError(error.message) : error;
  });
  return { invitation, minutes };
}
