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
    if (!brake) throw new CliError(`no deletion of agent ${name} is held`);
    if (token === undefined) {
      terminal.write(
        `${brake.deletions} deletions of ${brake.of} are held. If they are meant: fairlead agent confirm ${name} ${brake.token}\n`,
      );
      return exitCodes.ok;
    }
    if (token !== brake.token)
      throw new CliError(
        `what is held has changed: ${brake.deletions} deletions of ${brake.of}, and its token is ${brake.token} now`,
      );
    await patchAgent(client, namespaceOf(flags), name, { confirmDeletions: token });
    terminal.write(`${brake.deletions} deletions of agent ${name} go through\n`);
    return exitCodes.ok;
  });
};
