/** The service, or one part of it, in a separate process: `node service-process.ts '{…}'`. Reports its memory on request. */
import { createLogger, fixedCredentials, HttpClient, paceCollections, systemClock, systemRandom } from '@fairlead/kube';
import { openPostgres } from '../../src/database/index.ts';
import { defaultServiceSettings, type ServiceSettings } from '../../src/settings.ts';
import { type ServicePart, startService } from '../../src/start-service.ts';
import { failing } from './failing.ts';

export interface ServiceProcessOptions {
  readonly server: string;
  readonly ca: string;
  readonly token: string;
  readonly databaseUrl: string;
  readonly parts?: readonly ServicePart[];
  readonly settings?: Partial<ServiceSettings>;
  /** The share of calls to the API and of statements that fail. */
  readonly failing?: number;
}

// As in the command.
paceCollections();
const options = JSON.parse(process.argv[2] ?? '{}') as ServiceProcessOptions;
const log = createLogger({ level: 'error' });
const client = new HttpClient({
  server: options.server,
  tls: { ca: options.ca },
  credentials: fixedCredentials({ token: options.token }),
});
const shared = { clock: systemClock, random: systemRandom, log };
const database = await openPostgres({ url: options.databaseUrl, ...shared });
const refuse = async (): Promise<never> => {
  throw new Error('nothing is to be reached here');
};
const broken = failing({ client, database }, options.failing ?? 0, systemRandom);
const stop = new AbortController();
const service = await startService(
  {
    ...broken,
    namespace: 'argocd',
    key: 'the key of processes under test',
    ...(options.parts ? { parts: options.parts } : {}),
    probeCluster: refuse,
    probeRepository: refuse,
    settings: { ...defaultServiceSettings, ...options.settings },
    ...shared,
  },
  stop.signal,
);
process.send?.({ ready: true });
process.on('message', (message) => {
  if (message === 'memory') {
    (globalThis as { gc?: () => void }).gc?.();
    process.send?.({ memory: process.memoryUsage(), cpu: process.cpuUsage() });
  } else if (message === 'audit') {
    void service.audit().then(
      (findings) => process.send?.({ findings }),
      (error: Error) => process.send?.({ findings: [{ about: 'the audit', problem: error.message }] }),
    );
  } else if (message === 'stop') stop.abort();
});
process.on('disconnect', () => process.exit(0));
await service.stopped;
await database.close();
await client.close();
process.exit(0);
