import { elementAt } from '@fairlead/apimachinery';
import { onCluster } from '../../applications/cluster/on-cluster.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { agentBlock } from '../../command-line/specs/agent.ts';
import { getAgent, namespaceOf, patchAgent } from './agents.ts';

/** `fairlead agent block` */
export const run: Handler<typeof agentBlock> = async (call) => {
  const { flags, args, terminal } = call;
  const name = elementAt(args, 0);
  const namespace = namespaceOf(flags);
  return onCluster(call, async (client) => {
    const { spec } = await getAgent(client, namespace, name);
    const print = flags.certificate?.replaceAll(':', '').toLowerCase();
    if (print) {
      const others = (spec.blockedCertificates ?? []).filter((known) => known !== print);
      await patchAgent(client, namespace, name, { blockedCertificates: flags.undo ? others : [...others, print] });
      terminal.write(`certificate ${print} is ${flags.undo ? 'accepted again' : 'blocked'}\n`);
    } else {
      await patchAgent(client, namespace, name, { blocked: flags.undo ? null : true });
      terminal.write(flags.undo ? `agent ${name} is accepted again\n` : `agent ${name} is blocked\n`);
    }
    return exitCodes.ok;
  });
};
