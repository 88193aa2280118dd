import { readFile } from 'node:fs/promises';
import { type AgentIdentity, readArgocdAgentIdentity, readIdentity } from '@fairlead/agent';
import { messageOf } from '@fairlead/apimachinery';
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
    const { identity, reload } = await identityFor(client, namespace, flags);
    const options = {
      identity,
      ...(reload ? { reload } : {}),
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

interface Asked {
  readonly principal?: string;
  readonly mode?: string;
  readonly 'join-token-file'?: string;
}

interface Identified {
  readonly identity: AgentIdentity;
  readonly reload?: () => Promise<AgentIdentity | undefined>;
}

/** The identity of a cluster that has joined, or on which argocd-agent was set up, or that joins now. */
async function identityFor(client: ApiClient, namespace: string, flags: Asked): Promise<Identified> {
  const joined = await readIdentity(client, namespace);
  if (joined) return { identity: joined };
  const settings = {
    ...(flags.principal ? { address: flags.principal } : {}),
    ...(flags.mode ? { mode: flags.mode } : {}),
  };
  const reload = () => readArgocdAgentIdentity(client, namespace, settings);
  const theirs = await reload().catch((error: unknown) => {
    throw new CliError(`the settings of argocd-agent cannot be used: ${messageOf(error)}`, { cause: error });
  });
  if (theirs) return { identity: theirs, reload };
  return { identity: await join(client, namespace, flags['join-token-file']) };
}

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
