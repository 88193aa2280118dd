import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Handler } from '../command-line/command.ts';
import type { applicationset } from '../command-line/specs/applicationset.ts';
import { inNamespace } from '../environment.ts';
import { install } from '../install.ts';
import { readPort } from '../options.ts';
import { roles } from '../roles/index.ts';
import { roleRun, runRoles } from '../roles/run-role.ts';
import { runUntilStopped } from '../roles/run-until-stopped.ts';
import { readPoll } from './controller.ts';

/** `fairlead applicationset` */
export const run: Handler<typeof applicationset> = async (call) => {
  const { flags, terminal } = call;
  const environment = inNamespace(call.environment, flags.namespace);
  const metricsPort = readPort(flags['metrics-port']);
  const webhookPort = readPort(flags['webhook-port']);
  const host = flags.host === undefined ? {} : { host: flags.host };
  const options = {
    cacheDir: flags['cache-dir'] ?? join(tmpdir(), 'fairlead-cache'),
    allowLocalRepositories: false,
    pollMs: readPoll(flags['repo-poll']),
    ...(webhookPort === undefined ? {} : { webhooks: { ...host, port: webhookPort } }),
  };
  return runUntilStopped(call, async (client, signal) => {
    await install(client, { own: false, signal, namespace: environment.namespace });
    terminal.write('ApplicationSet controller: waiting for leadership; press Ctrl-C to stop\n');
    const run = roleRun(
      roles.applicationset,
      options,
      ({ webhookPort: port }) => `leader; ${port === undefined ? 'no webhooks' : `webhooks on port ${port}`}`,
    );
    const status = metricsPort === undefined ? undefined : { ...host, port: metricsPort };
    await runRoles([run], { client, environment, terminal, status }, signal);
  });
};
