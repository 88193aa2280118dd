import { onCluster } from '../../applications/cluster/on-cluster.ts';
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { agentConfirm } from '../../command-line/specs/agent.ts';
import { getAgent, namespaceOf, patchAgent } from './agents.ts';

/** `fairlead agent confirm` */
export const run: Handler<typeof agentConfirm> = async (call) => {
  const { flags, args, terminal } = call;
  const [name = '', token] = args;
  return onCluster(call, async (client) => {
    const { brake } = (await getAgent(client, namespaceOf(flags), name)).status ?? {};
    if (!brake) throw new CliError(`no deletions of agent ${name} are held`);
    if (token === undefined) {
      terminal.write(
        `${brake.deletions} of ${brake.of} Applications would be deleted; the deletions are held. To confirm: fairlead agent confirm ${name} ${brake.token}\n`,
      );
      return exitCodes.ok;
    }
    if (token !== brake.token)
      throw new CliError(
        `the held deletions have changed: now ${brake.deletions} of ${brake.of} Applications, with token ${brake.token}`,
      );
    await patchAgent(client, namespaceOf(flags), name, { confirmDeletions: token });
    terminal.write(`${brake.deletions} deletions of agent ${name} confirmed\n`);
    return exitCodes.ok;
  });
};
