import type { Agent } from '@fairlead/api';
import { onCluster } from '../../applications/cluster/on-cluster.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { agentList } from '../../command-line/specs/agent.ts';
import { ageOf } from '../../duration.ts';
import { table } from '../../table.ts';
import { listAgents, namespaceOf } from './agents.ts';

/** `fairlead agent list` */
export const run: Handler<typeof agentList> = async (call) => {
  const { flags, terminal } = call;
  return onCluster(call, async (client) => {
    const agents = [...(await listAgents(client, namespaceOf(flags)))].sort((a, b) =>
      a.metadata.name < b.metadata.name ? -1 : 1,
    );
    if (flags.output === 'json') terminal.write(`${JSON.stringify(agents, undefined, 2)}\n`);
    else if (flags.output === 'name') for (const { metadata } of agents) terminal.write(`${metadata.name}\n`);
    else if (agents.length === 0)
      terminal.write('this hub has no agents yet: fairlead agent invite NAME creates one\n');
    else
      terminal.write(
        table([['NAME', 'MODE', 'TRANSPORT', 'DATA', 'LIVE', 'APPS', 'COMPARED', 'REASON'], ...agents.map(row)]),
      );
    return exitCodes.ok;
  });
};

function row({ metadata, spec, status }: Agent): string[] {
  const {
    transport = 'Down',
    data = 'Unknown',
    live = 'Unknown',
    applications = 0,
    comparedAt,
    reason = '',
  } = status ?? {};
  const never = status ? reason : 'not joined yet';
  return [metadata.name, spec.mode, transport, data, live, String(applications), ageOf(comparedAt, Date.now()), never];
}
