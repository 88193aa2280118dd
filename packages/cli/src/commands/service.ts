import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HostKind, hostKinds, type ServicePart } from '@fairlead/service';
import { CliError } from '../cli-error.ts';
import type { Handler } from '../command-line/command.ts';
import type { service } from '../command-line/specs/service.ts';
import { inNamespace } from '../environment.ts';
import { install } from '../install.ts';
import { readPort } from '../options.ts';
import { roleRun, runRoles } from '../roles/run-role.ts';
import { runUntilStopped } from '../roles/run-until-stopped.ts';
import { serviceAgentRole, serviceBackendRole } from '../roles/service.ts';

/** `fairlead service [backend|agent]` */
export const run: Handler<typeof service> = async (call) => {
  const { flags, args, terminal } = call;
  const environment = inNamespace(call.environment, flags.namespace);
  const parts = readParts(args[0]);
  const { databaseUrl } = environment;
  if (databaseUrl === undefined)
    throw new CliError(
      'DATABASE_URL is not set: set it to a PostgreSQL database, or use fairlead up, which includes one',
    );
  requirePostgresUrl(databaseUrl);
  const refusedHosts = readHostKinds(flags['refuse-hosts'] ?? 'loopback,link-local');
  const metricsPort = readPort(flags['metrics-port']);
  const options = {
    databaseUrl,
    dataDir: '',
    cacheDir: flags['cache-dir'] ?? join(tmpdir(), 'fairlead-cache'),
    selfHealing: flags['no-self-healing'] !== true,
    refusedHosts,
    allowedNetworks: flags['allow-networks'] ?? '',
  };
  return runUntilStopped(call, async (client, signal) => {
    await install(client, { own: false, signal, namespace: environment.namespace });
    const runs = parts.map((part) =>
      roleRun(partRoles[part], options, ({ database }) => `${part} is running on ${database}`),
    );
    terminal.write(`multi-tenant service (${parts.join(' and ')}): press Ctrl-C to stop\n`);
    const host = flags.host === undefined ? {} : { host: flags.host };
    const status = metricsPort === undefined ? undefined : { ...host, port: metricsPort };
    await runRoles(runs, { client, environment, terminal, status }, signal);
  });
};

/** The value is a secret, so the message does not contain it. */
function requirePostgresUrl(text: string): void {
  if (!URL.canParse(text) || !/^postgres(?:ql)?:$/u.test(new URL(text).protocol))
    throw new CliError('DATABASE_URL is not an address of PostgreSQL: use postgres://USER:PASSWORD@HOST:PORT/DATABASE');
}

const partRoles = { backend: serviceBackendRole, agent: serviceAgentRole } as const;

function readParts(word: string | undefined): readonly ServicePart[] {
  if (word === undefined) return ['backend', 'agent'];
  if (word === 'backend' || word === 'agent') return [word];
  throw new CliError(`unknown part ${word} of the service: use backend or agent`);
}

function readHostKinds(text: string): HostKind[] {
  const words = text.split(',').map((word) => word.trim());
  return words.flatMap((word) => {
    const kind = hostKinds.find((known) => known === word);
    if (!kind && word !== 'none')
      throw new CliError(`invalid --refuse-hosts ${word}: use ${hostKinds.join(', ')} or none`);
    return kind ?? [];
  });
}
