import { readLiveAccess } from '@fairlead/agent';
import { onCluster } from '../../applications/cluster/on-cluster.ts';
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { agentGet } from '../../command-line/specs/agent.ts';
import { namespaceOf } from './agents.ts';

/** `fairlead agent get` */
export const run: Handler<typeof agentGet> = async (call) => {
  const { flags, args, terminal } = call;
  const [agent = '', path = ''] = args;
  return onCluster(call, async (client) => {
    const access = await readLiveAccess(client, namespaceOf(flags));
    if (!access)
      throw new CliError('the principal of this hub does not serve live access: start it with --status-port');
    const url = new URL('/look', flags.principal ?? access.url);
    url.searchParams.set('agent', agent);
    url.searchParams.set('path', path);
    const response = await fetch(url, { headers: { authorization: `Bearer ${access.token}` } }).catch(
      (error: Error) => {
        throw new CliError(`principal at ${url.origin} does not respond: ${error.message}`);
      },
    );
    const body = await response.text();
    if (response.status !== 200) throw new CliError(`agent ${agent} answered ${response.status}: ${body}`);
    terminal.write(body.endsWith('\n') ? body : `${body}\n`);
    return exitCodes.ok;
  });
};
