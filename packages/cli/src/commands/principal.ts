import { hostname } from 'node:os';
import type { Handler } from '../command-line/command.ts';
import type { principal } from '../command-line/specs/agent.ts';
import { inNamespace } from '../environment.ts';
import { install } from '../install.ts';
import { readPort } from '../options.ts';
import { roles } from '../roles/index.ts';
import { roleRun, runRoles } from '../roles/run-role.ts';
import { runUntilStopped } from '../roles/run-until-stopped.ts';
import { namespacesIn } from './agent/agents.ts';

/** `fairlead principal` */
export const run: Handler<typeof principal> = async (call) => {
  const { flags, terminal } = call;
  const environment = inNamespace(call.environment, flags.namespace);
  const port = readPort(flags.port) ?? 8_443;
  const statusPort = readPort(flags['status-port']);
  const names = flags.name && flags.name.length > 0 ? flags.name : [hostname()];
  const options = {
    host: flags.host ?? '0.0.0.0',
    port,
    names,
    ...namespacesIn(flags),
    ...(flags['outbox-dir'] ? { outboxDir: flags['outbox-dir'] } : {}),
    ...(statusPort === undefined
      ? {}
      : { status: { port: statusPort, ...(flags['status-host'] ? { host: flags['status-host'] } : {}) } }),
  };
  return runUntilStopped(call, async (client, signal) => {
    await install(client, { own: false, signal, namespace: environment.namespace });
    const run = roleRun(roles.principal, options, (running) => {
      const status = running.statusPort === undefined ? '' : `  status http://127.0.0.1:${running.statusPort}`;
      return `ready  principal ${running.address}${status}`;
    });
    await runRoles([run], { client, environment, terminal }, signal);
  });
};
