import { readFile } from 'node:fs/promises';
import { type AgentIdentity, readIdentity } from '@fairlead/agent';
import { type ApiClient, createLogger, MetricsRegistry, startStatusServer } from '@fairlead/kube';
import type { Handler } from '../../command-line/command.ts';
import type { agentRun } from '../../command-line/specs/agent.ts';
import { Complaint } from '../../complaint.ts';
import { readPort } from '../../options.ts';
import { startAgent } from '../../roles/agent.ts';
import { untilStopped } from '../../roles/until-stopped.ts';
import { namespaceOf, namespacesIn } from './agents.ts';
import { joinWith } from './join.ts';

/** `fairlead agent run` */
export const run: Handler<typeof agentRun> = async (call) => {
  const { flags, environment, terminal } = call;
  const statusPort = readPort(flags['status-port']);
  const namespace = namespaceOf(flags);
  return untilStopped(call, async (client, signal) => {
    const identity =
      (await readIdentity(client, namespace)) ?? (await join(client, namespace, flags['join-token-file']));
    const registry = new MetricsRegistry();
    const log = createLogger({ level: environment.logLevel });
    const address = flags.principal ? { address: flags.principal } : {};
    const kept = flags['outbox-dir'] ? { outboxDir: flags['outbox-dir'] } : {};
    const { agent, stopped } = await startAgent(
      { client, identity, namespace, registry, log, ...address, ...kept, ...namespacesIn(flags) },
      signal,
    );
    const status =
      statusPort === undefined
        ? undefined
        : await startStatusServer({
            port: statusPort,
            registry,
            live: new Map([['ping', () => undefined]]),
            ready: new Map([['stream', () => agent.reason]]),
          });
    terminal.write(
      `ready  agent ${identity.agent} (${identity.mode}) of ${address.address ?? identity.address}${status ? `  status http://127.0.0.1:${status.port}` : ''}\n`,
    );
    await stopped;
    await status?.close();
  });
};

async function join(client: ApiClient, namespace: string, file: string | undefined): Promise<AgentIdentity> {
  if (file === undefined)
    throw new Complaint(
      'this cluster has joined no hub: fairlead agent join TOKEN does, with a token from fairlead agent invite',
    );
  const token = await readFile(file, 'utf8').catch((error: Error) => {
    throw new Complaint(`the join token cannot be read: ${error.message}`, { cause: error });
  });
  return joinWith(client, namespace, token);
}
