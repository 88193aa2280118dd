import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Handler } from '../command-line/command.ts';
import type { notifications } from '../command-line/specs/notifications.ts';
import { inNamespace } from '../environment.ts';
import { install } from '../install.ts';
import { readPort } from '../options.ts';
import { roles } from '../roles/index.ts';
import { roleRun, runRoles } from '../roles/run-role.ts';
import { runUntilStopped } from '../roles/run-until-stopped.ts';

/** `fairlead notifications` */
export const run: Handler<typeof notifications> = async (call) => {
  const { flags, terminal } = call;
  const environment = inNamespace(call.environment, flags.namespace);
  const metricsPort = readPort(flags['metrics-port']);
  const host = flags.host === undefined ? {} : { host: flags.host };
  const options = {
    cacheDir: flags['cache-dir'] ?? join(tmpdir(), 'fairlead-cache'),
    allowLocalRepositories: false,
  };
  return runUntilStopped(call, async (client, signal) => {
    await install(client, { own: false, signal, namespace: environment.namespace });
    terminal.write('notifications controller: waiting for leadership; press Ctrl-C to stop\n');
    const run = roleRun(roles.notifications, options, () => 'leader; sending notifications');
    const status = metricsPort === undefined ? undefined : { ...host, port: metricsPort };
    await runRoles([run], { client, environment, terminal, status }, signal);
  });
};
