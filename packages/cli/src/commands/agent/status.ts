import { elementAt } from '@fairlead/apimachinery';
import { onCluster } from '../../applications/cluster/on-cluster.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { agentStatus } from '../../command-line/specs/agent.ts';
import { table } from '../../table.ts';
import { getAgent, namespaceOf } from './agents.ts';

/** `fairlead agent status` */
export const run: Handler<typeof agentStatus> = async (call) => {
  const { flags, args, terminal } = call;
  return onCluster(call, async (client) => {
    const { metadata, spec, status = {} } = await getAgent(client, namespaceOf(flags), elementAt(args, 0));
    const { certificate, brake, quarantined = [] } = status;
    const rows: [string, string | undefined][] = [
      [
        'agent',
        `${metadata.name} (${spec.mode}${spec.mapping === 'destination' ? ' by destination' : ''}${spec.blocked ? ', blocked' : spec.drained ? ', drained' : ''})`,
      ],
      ['cluster', status.cluster ?? 'not joined yet'],
      ['version', status.version],
      ['transport', `${status.transport ?? 'Down'}${status.connectedAt ? ` since ${status.connectedAt}` : ''}`],
      [
        'data',
        `${status.data ?? 'Unknown'}${status.comparedAt ? `, both sides compared at ${status.comparedAt}` : ''}`,
      ],
      ['live', status.live ?? 'Unknown'],
      ['certificate', certificate && `${certificate.fingerprint}, until ${certificate.expires}`],
      ['applications', String(status.applications ?? 0)],
      ['unsent events', String(status.pending ?? 0)],
      ['reason', status.reason],
      [
        'held',
        brake &&
          `${brake.deletions} deletions of ${brake.of} Applications: fairlead agent confirm ${metadata.name} ${brake.token}`,
      ],
    ];
    terminal.write(table(rows.filter((row): row is [string, string] => row[1] !== undefined)));
    for (const { kind, name, reason } of quarantined) terminal.write(`rejected: ${kind} ${name}: ${reason}\n`);
    return status.transport === 'Up' && status.data === 'Fresh' && !status.reason ? exitCodes.ok : exitCodes.degraded;
  });
};
