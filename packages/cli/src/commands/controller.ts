import { randomUUID } from 'node:crypto';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDuration } from '@fairlead/apimachinery';
import { createLogger, LeaderElector, Manager } from '@fairlead/kube';
import type { Handler } from '../command-line/command.ts';
import type { controller } from '../command-line/specs/controller.ts';
import { Complaint } from '../complaint.ts';
import { controlPlaneNamespace, install } from '../install.ts';
import { readPort } from '../options.ts';
import { startController } from '../roles/controller.ts';
import { untilStopped } from '../roles/until-stopped.ts';

/** `fairlead controller` */
export const run: Handler<typeof controller> = async (call) => {
  const { flags, environment, terminal } = call;
  const metricsPort = readPort(flags['metrics-port']);
  const webhookPort = readPort(flags['webhook-port']);
  const pollMs = readPoll(flags['repo-poll']);
  const host = flags.host === undefined ? {} : { host: flags.host };
  return untilStopped(call, async (client, signal) => {
    const log = createLogger({ level: environment.logLevel });
    await install(client, { own: false, signal });
    const lease = { namespace: controlPlaneNamespace, name: 'fairlead-app-controller' };
    const elector = new LeaderElector(client, { lease, identity: `${hostname()}-${process.pid}-${randomUUID()}`, log });
    const manager = new Manager({
      elector,
      ...(metricsPort === undefined ? {} : { status: { ...host, port: metricsPort } }),
      log,
    });
    manager.add({
      name: 'application controller',
      async run(term) {
        const { stopped, statusPort } = await startController(
          {
            client,
            cacheDir: flags['cache-dir'] ?? join(tmpdir(), 'fairlead-cache'),
            environment: environment.processes,
            allowLocalRepositories: false,
            pollMs,
            registry: manager.registry,
            ...(webhookPort === undefined ? {} : { status: { ...host, port: webhookPort } }),
            log,
          },
          term,
        );
        terminal.write(`leads; ${statusPort === undefined ? 'no webhooks' : `webhooks on port ${statusPort}`}\n`);
        await stopped;
      },
    });
    terminal.write('application controller: waiting to lead; Ctrl-C stops\n');
    await manager.run(signal);
  });
};

function readPoll(text: string | undefined): number {
  if (text === undefined) return 120_000;
  const ms = parseDuration(text);
  if (ms === undefined || ms < 1_000)
    throw new Complaint(`--repo-poll ${text} is no time from 1s on: give such as 90s`);
  return ms;
}
