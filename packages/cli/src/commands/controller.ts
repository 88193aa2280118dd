import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDuration } from '@fairlead/apimachinery';
import { CliError } from '../cli-error.ts';
import type { Handler } from '../command-line/command.ts';
import type { controller } from '../command-line/specs/controller.ts';
import { inNamespace } from '../environment.ts';
import { install } from '../install.ts';
import { readPort } from '../options.ts';
import { roles } from '../roles/index.ts';
import { roleRun, runRoles } from '../roles/run-role.ts';
import { runUntilStopped } from '../roles/run-until-stopped.ts';

/** `fairlead controller` */
export const run: Handler<typeof controller> = async (call) => {
  const { flags, terminal } = call;
  const environment = inNamespace(call.environment, flags.namespace);
  const metricsPort = readPort(flags['metrics-port']);
  const webhookPort = readPort(flags['webhook-port']);
  const pollMs = readPoll(flags['repo-poll']);
  const host = flags.host === undefined ? {} : { host: flags.host };
  const options = {
    cacheDir: flags['cache-dir'] ?? join(tmpdir(), 'fairlead-cache'),
    allowLocalRepositories: false,
    pollMs,
    ...(flags.plugins === undefined ? {} : { plugins: flags.plugins }),
    shards: { namespace: environment.namespace },
    ...(webhookPort === undefined ? {} : { status: { ...host, port: webhookPort } }),
  };
  return runUntilStopped(call, async (client, signal) => {
    await install(client, { own: false, signal, namespace: environment.namespace });
    terminal.write('application controller: joining its shards; press Ctrl-C to stop\n');
    const run = roleRun(
      roles.controller,
      options,
      ({ statusPort }) => `working; ${statusPort === undefined ? 'no webhooks' : `webhooks on port ${statusPort}`}`,
    );
    const status = metricsPort === undefined ? undefined : { ...host, port: metricsPort };
    await runRoles([run], { client, environment, terminal, status }, signal);
  });
};

export function readPoll(text: string | undefined): number {
  if (text === undefined) return 120_000;
  const ms = parseDuration(text);
  if (ms === undefined || ms < 1_000)
    throw new CliError(`invalid --repo-poll ${text}: use a duration of at least 1s, such as 90s`);
  return ms;
}
