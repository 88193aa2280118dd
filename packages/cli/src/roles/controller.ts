import { availableParallelism, hostname } from 'node:os';
import { join } from 'node:path';
import {
  AppController,
  defaultSettings,
  inClusterName,
  inClusterServer,
  onlyCluster,
  openCluster,
} from '@fairlead/app-controller';
import { Discovery, EventRecorder, type HttpClient, type Logger, systemClock, systemRandom } from '@fairlead/kube';
import { createManifestCache, createRenderPool } from '@fairlead/render';
import { createSources } from '@fairlead/source';
import { followTrust } from './trust.ts';

export interface ControllerRoleOptions {
  readonly client: HttpClient;
  /** Where mirrors of repositories and archives of charts are kept. */
  readonly cacheDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether Applications may name repositories on this machine's disk. */
  readonly allowLocalRepositories: boolean;
  /** How often repositories that cannot be watched are asked for new commits. */
  readonly pollMs: number;
  readonly log: Logger;
}

/** The application controller of one cluster. Resolves once it works; `stopped` resolves when it has ended after the signal. */
export async function startController(
  options: ControllerRoleOptions,
  signal: AbortSignal,
): Promise<{ readonly stopped: Promise<void> }> {
  const { client, log } = options;
  const shared = { clock: systemClock, random: systemRandom, log };
  const discovery = new Discovery(client);
  const discover = async () => {
    discovery.invalidate();
    const { groups, failures } = await discovery.catalogue();
    for (const failure of failures) log.warn('an API of the cluster does not answer', { ...failure });
    return groups.flatMap(({ versions }) => versions.flatMap(({ resources }) => resources));
  };
  const version = async (): Promise<string> => {
    const answer: unknown = JSON.parse((await client.read('/version')).text);
    return String((answer as { gitVersion?: unknown }).gitVersion ?? '').replace(/\+.*$/u, '');
  };
  const cluster = await openCluster(
    { name: inClusterName, server: inClusterServer, client, discover, version, ...shared },
    signal,
  );
  const sources = createSources({
    cacheDir: join(options.cacheDir, 'sources'),
    clock: systemClock,
    environment: options.environment,
    pollMs: options.pollMs,
    allowLocal: options.allowLocalRepositories,
    trust: await followTrust(client, shared, signal),
  });
  const events = new EventRecorder(client, {
    controller: 'fairlead.dev/app-controller',
    instance: `${hostname()}-${process.pid}`,
    log,
  });
  // At least two, so that one source that is slow to render does not hold up all others.
  const renders = createRenderPool({ workers: Math.max(2, Math.min(4, availableParallelism() - 1)) });
  const manifests = createManifestCache({ renderer: renders.render });
  const settings = defaultSettings;
  const controller = new AppController({
    client,
    clusters: onlyCluster(cluster),
    sources,
    manifests,
    events,
    settings,
    ...shared,
  });
  const stopped = controller.run(signal).finally(async () => {
    sources.close();
    await renders.close();
    await events.close();
  });
  return { stopped };
}
