import { elementAt } from '@fairlead/apimachinery';
import { onCluster } from '../../applications/cluster/on-cluster.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { agentDrain } from '../../command-line/specs/agent.ts';
import { getAgent, namespaceOf, patchAgent } from './agents.ts';

/** `fairlead agent drain` */
export const run: Handler<typeof agentDrain> = async (call) => {
  const { flags, args, terminal } = call;
  const name = elementAt(args, 0);
  return onCluster(call, async (client) => {
    await getAgent(client, namespaceOf(flags), name);
    await patchAgent(client, namespaceOf(flags), name, { drained: flags.undo ? null : true });
    terminal.write(
      flags.undo
        ? `agent ${name} is accepted again\n`
        : `agent ${name} is drained: nothing more is sent to it, its workloads keep running\n`,
    );
    return exitCodes.ok;
  });
};
