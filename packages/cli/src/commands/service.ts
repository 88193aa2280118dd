import { randomUUID } from 'node:crypto';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, LeaderElector, Manager, type Runnable } from '@fairlead/kube';
import { type HostKind, hostKinds, type ServicePart } from '@fairlead/service';
import type { Handler } from '../command-line/command.ts';
import type { service } from '../command-line/specs/service.ts';
import { Complaint } from '../complaint.ts';
import { controlPlaneNamespace, install } from '../install.ts';
import { readPort } from '../options.ts';
import { startService } from '../roles/service.ts';
import { untilStopped } from '../roles/until-stopped.ts';

/** `fairlead service [backend|agent]` */
export const run: Handler<typeof service> = async (call) => {
  const { flags, args, environment, terminal } = call;
  const parts = readParts(args[0]);
  const { databaseUrl } = environment;
  if (databaseUrl === undefined)
    throw new Complaint('DATABASE_URL is not set: give the service a PostgreSQL, or use fairlead up, which brings one');
  const refusedHosts = readHostKinds(flags['refuse-hosts'] ?? 'loopback,link-local');
  const metricsPort = readPort(flags['metrics-port']);
  return untilStopped(call, async (client, signal) => {
    const log = createLogger({ level: environment.logLevel });
    await install(client, { own: false, signal });
    const lease = { namespace: controlPlaneNamespace, name: 'fairlead-service-backend' };
    const elector = new LeaderElector(client, { lease, identity: `${hostname()}-${process.pid}-${randomUUID()}`, log });
    const manager = new Manager({
      ...(parts.includes('backend') ? { elector } : {}),
      ...(metricsPort === undefined ? {} : { status: { port: metricsPort } }),
      log,
    });
    const part = (name: ServicePart): Runnable => ({
      name,
      async run(term) {
        const { stopped, database } = await startService(
          {
            client,
            databaseUrl,
            dataDir: '',
            cacheDir: flags['cache-dir'] ?? join(tmpdir(), 'fairlead-cache'),
            environment: environment.processes,
            key: environment.key,
            selfHealing: flags['no-self-healing'] !== true,
            refusedHosts,
            parts: [name],
            registry: manager.registry,
            log,
          },
          term,
        );
        terminal.write(`${name} works on ${database}\n`);
        await stopped;
      },
    });
    if (parts.includes('backend')) manager.add(part('backend'));
    // Agents claim what they work on, so that all of them may.
    if (parts.includes('agent')) manager.addEverywhere(part('agent'));
    terminal.write(`multi-tenant service (${parts.join(' and ')}): Ctrl-C stops\n`);
    await manager.run(signal);
  });
};

function readParts(word: string | undefined): readonly ServicePart[] {
  if (word === undefined) return ['backend', 'agent'];
  if (word === 'backend' || word === 'agent') return [word];
  throw new Complaint(`the service has no part ${word}: backend or agent`);
}

function readHostKinds(text: string): HostKind[] {
  const words = text.split(',').map((word) => word.trim());
  return words.flatMap((word) => {
    const kind = hostKinds.find((known) => known === word);
    if (!kind && word !== 'none')
      throw new Complaint(`--refuse-hosts: ${word} is none of ${hostKinds.join(', ')}, none`);
    return kind ?? [];
  });
}
