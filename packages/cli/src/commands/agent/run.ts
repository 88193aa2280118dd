import { readFile } from 'node:fs/promises';
import { type AgentIdentity, readIdentity } from '@fairlead/agent';
import type { ApiClient } from '@fairlead/kube';
import { CliError } from '../../cli-error.ts';
import type { Handler } from '../../command-line/command.ts';
import type { agentRun } from '../../command-line/specs/agent.ts';
import { readPort } from '../../options.ts';
import { roles } from '../../roles/index.ts';
import { roleRun, runRoles } from '../../roles/run-role.ts';
import { runUntilStopped } from '../../roles/run-until-stopped.ts';
import { liveLevelIn, namespaceOf, namespacesIn } from './agents.ts';
import { joinWith } from './join.ts';

/** `fairlead agent run` */
export const run: Handler<typeof agentRun> = async (call) => {
  const { flags, environment, terminal } = call;
  const statusPort = readPort(flags['status-port']);
  const namespace = namespaceOf(flags);
  return runUntilStopped(call, async (client, signal) => {
    const identity =
      (await readIdentity(client, namespace)) ?? (await join(client, namespace, flags['join-token-file']));
    const options = {
      identity,
      namespace,
      ...(flags.principal ? { address: flags.principal } : {}),
      ...(flags['outbox-dir'] ? { outboxDir: flags['outbox-dir'] } : {}),
      ...(statusPort === undefined
        ? {}
        : { status: { port: statusPort, ...(flags['status-host'] ? { host: flags['status-host'] } : {}) } }),
      liveAccess: liveLevelIn(flags),
      ...(flags['peer-version'] ? { peerVersion: flags['peer-version'] } : {}),
      ...(flags['live-secrets'] ? { liveSecrets: true } : {}),
      ...namespacesIn(flags),
    };
    const run = roleRun(roles.agent, options, (running) => {
      const status = running.statusPort === undefined ? '' : `  status http://127.0.0.1:${running.statusPort}`;
      return `ready  agent ${identity.agent} (${identity.mode}) of ${flags.principal ?? identity.address}${status}`;
    });
    await runRoles([run], { client, environment, terminal }, signal);
  });
};

async function join(client: ApiClient, namespace: string, file: string | undefined): Promise<AgentIdentity> {
  if (file === undefined)
    throw new CliError(
      'this cluster has not joined a hub: run fairlead agent join TOKEN with a token from fairlead agent invite',
    );
  const token = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CliError(`the join token cannot be read: ${error.message}`, { cause: error });
  });
  return joinWith(client, namespace, token);
}
