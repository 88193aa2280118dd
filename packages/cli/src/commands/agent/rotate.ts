import { randomUUID } from 'node:crypto';
import { elementAt } from '@fairlead/apimachinery';
import { onCluster } from '../../applications/cluster/on-cluster.ts';
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { agentRotate } from '../../command-line/specs/agent.ts';
import { durationFlag } from '../../duration.ts';
import { awaitAgent, getAgent, namespaceOf, patchAgent } from './agents.ts';

/** `fairlead agent rotate` */
export const run: Handler<typeof agentRotate> = async (call) => {
  const { flags, args, terminal } = call;
  const name = elementAt(args, 0);
  const namespace = namespaceOf(flags);
  const withinMs = durationFlag('timeout', flags.timeout) ?? 30_000;
  return onCluster(call, async (client) => {
    const { status, spec } = await getAgent(client, namespace, name);
    if (status?.transport !== 'Up')
      throw new CliError(`agent ${name} is not connected: it receives its new certificate through its stream`);
    const old = status.certificate?.fingerprint;
    await patchAgent(client, namespace, name, { renew: randomUUID() });
    const isNew = (fingerprint: string | undefined) => fingerprint !== undefined && fingerprint !== old;
    const renewed = await awaitAgent(
      client,
      namespace,
      name,
      (agent) => isNew(agent.status?.certificate?.fingerprint),
      withinMs,
      terminal.stopped(),
    );
    if (!renewed) {
      terminal.writeError(`timeout: agent ${name} did not request its new certificate`);
      return exitCodes.timeout;
    }
    if (flags['block-old'] && old) {
      await patchAgent(client, namespace, name, { blockedCertificates: [...(spec.blockedCertificates ?? []), old] });
    }
    const { certificate } = (await getAgent(client, namespace, name)).status ?? {};
    terminal.write(
      `agent ${name} has a new certificate, until ${certificate?.expires}${flags['block-old'] ? '; the old one is blocked' : ''}\n`,
    );
    return exitCodes.ok;
  });
};
