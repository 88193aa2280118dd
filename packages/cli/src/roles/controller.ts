import { randomUUID } from 'node:crypto';
import { availableParallelism, hostname } from 'node:os';
import { join } from 'node:path';
import { agentOfApplication } from '@fairlead/agent';
import { type Agent, type Application, agentKind } from '@fairlead/api';
import { secretType } from '@fairlead/apimachinery';
import {
  AppController,
  askForRefresh,
  type ClusterConnection,
  ClusterSet,
  connectionOver,
  connectTo,
  createAppMetrics,
  createClusterMetrics,
  createShardMetrics,
  createSignatures,
  createWebhookHandler,
  defaultSettings,
  followInstallation,
  inClusterServer,
  readWebhookSecrets,
  referredSecretSelector,
  refreshAffected,
  reportSettingProblems,
  reportUnsupportedSettings,
  type WebhookSecret,
  webhookPath,
  webhookSecretName,
  withInstallation,
} from '@fairlead/app-controller';
import { createJq, createLua } from '@fairlead/engine';
import {
  type ApiClient,
  type Clock,
  EventRecorder,
  Informer,
  type Logger,
  type Random,
  ShardMember,
  type StatusServer,
  sleep,
  startStatusServer,
  systemClock,
  systemRandom,
} from '@fairlead/kube';
import { createSyncGate, prepullSavings } from '@fairlead/prepull';
import { createManifestCache, createRenderPool } from '@fairlead/render';
import { createGpg, createSources, type Sources } from '@fairlead/source';
import { type ShutdownSequence, startTogether } from '../shutdown-sequence.ts';
import { createHydrationWriter } from './hydration-writer.ts';
import { followKnownKeys } from './known-keys.ts';
import { roleLeases } from './leases.ts';
import { rendererWithPlugins } from './plugins.ts';
import type { Role, RoleContext, RunningRole } from './role.ts';
import { runAsShard } from './run-as-shard.ts';
import { followTrust } from './trust.ts';

export interface ControllerOptions {
  /** The folder for mirrors of repositories and chart archives. */
  readonly cacheDir: string;
  /** Whether Applications may use repositories on the local disk. */
  readonly allowLocalRepositories: boolean;
  /** How often repositories are polled for new commits. */
  readonly pollMs: number;
  /** The address of webhooks, `/metrics`, `/healthz` and `/readyz`; not served by default. */
  readonly status?: { readonly host?: string; readonly port: number };
  /** Whether to use another port if that one is in use. */
  readonly anyStatusPort?: boolean;
  /** The folder with config management plugins; none is run by default. */
  readonly plugins?: string;
  /** Whether replicas share the Applications, by Leases in this namespace; otherwise this process works on all. */
  readonly shards?: { readonly namespace: string };
  /** The number of render workers; depends on the number of cores by default. */
  readonly renderWorkers?: number;
}

export interface RunningController extends RunningRole {
  /** The port of webhooks and metrics, if they are served. */
  readonly statusPort?: number;
  /** For other roles of the process: a repository is fetched once for all. */
  readonly sources: Sources;
}

/** The application controller of one cluster. */
export const controllerRole: Role<ControllerOptions, RunningController> = {
  id: 'controller',
  name: 'application controller',
  lease: roleLeases.controller,
  electsItself: true,
  async start(options, context, signal) {
    const { parts, end } = await startTogether(signal, (working, started) =>
      startParts(options, context, working, started),
    );
    return { ...parts, stopped: parts.stopped.finally(end) };
  },
};

async function startParts(
  options: ControllerOptions,
  context: RoleContext,
  signal: AbortSignal,
  started: ShutdownSequence,
): Promise<RunningController> {
  const { client, registry, log } = context;
  const shared = { clock: systemClock, random: systemRandom, log };
  const { namespace } = context.environment;
  const metrics = createAppMetrics(registry);
  const installation = await followInstallation(client, namespace, shared, signal);
  const settings = withInstallation({ ...defaultSettings, namespace }, installation);
  void reportUnsupportedSettings(client, namespace, 'controller', log);
  const jq = createJq({ timeMs: installation.current.jqTimeMs });
  started.add('jq', () => jq.close());
  const lua = createLua();
  started.add('health scripts', () => lua.close());
  const counted = (connection: ClusterConnection, server: string): ClusterConnection => ({
    ...connection,
    client: metrics.counted(connection.client, server),
    as: (user) => ({ client: metrics.counted(connection.as(user).client, server) }),
  });
  const environment = context.environment.processes;
  const clusters = new ClusterSet({
    client,
    namespace: settings.namespace,
    inCluster: counted(connectionOver(client, log), inClusterServer),
    connect: (config) => counted(connectTo(config, { environment, clock: systemClock, log }), config.server),
    installation,
    jq,
    lua,
    ...shared,
  });
  await clusters.start(signal);
  const trust = await followTrust(client, namespace, shared, signal);
  const sources = createSources({
    cacheDir: join(options.cacheDir, 'sources'),
    clock: systemClock,
    environment,
    pollMs: options.pollMs,
    allowLocal: options.allowLocalRepositories,
    trust,
  });
  started.add('sources', () => sources.close());
  const events = new EventRecorder(client, {
    controller: 'fairlead.dev/app-controller',
    instance: `${hostname()}-${process.pid}`,
    log,
  });
  started.add('events', () => events.close());
  reportSettingProblems(installation, events, settings.namespace);
  // At least two, so that one source that is slow to render does not delay all others.
  const { renderTimeMs } = installation.current;
  const renders = createRenderPool({
    ...(renderTimeMs ? { timeMs: renderTimeMs } : {}),
    workers: options.renderWorkers ?? Math.max(2, Math.min(4, availableParallelism() - 1)),
  });
  started.add('rendering', () => renders.close());
  const manifests = createManifestCache({ renderer: await rendererWithPlugins(options, context, renders.render) });
  createClusterMetrics(registry, {
    clusters,
    list: () => clusters.list(),
    unreachable: () => clusters.unreachable(),
    clock: systemClock,
  });
  const hydration = createHydrationWriter({
    dir: join(options.cacheDir, 'hydrator'),
    environment,
    trust,
    allowLocal: options.allowLocalRepositories,
    ...shared,
  });
  started.add('the hydrator', () => hydration.close());
  const gpg = createGpg({ dir: join(options.cacheDir, 'gnupg'), environment });
  started.add('signatures', () => gpg.close());
  const member =
    options.shards &&
    new ShardMember(client, {
      lease: { namespace: options.shards.namespace, name: roleLeases.controller },
      identity: `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`,
      pins: () => clusters.shards(),
      groupOf: (key) => {
        const application = controller.applications.get(key);
        return application && clusters.serverOf(application.spec.destination ?? {});
      },
      ...shared,
    });
  const controller: AppController = new AppController({
    client,
    clusters,
    sources,
    signatures: createSignatures(gpg, await followKnownKeys(client, namespace, shared, signal), systemClock),
    manifests,
    events,
    registry,
    metrics,
    hydration: { writer: hydration, commit: (...request) => sources.commit(...request) },
    gate: createSyncGate(systemClock, { onOpen: prepullSavings(registry) }),
    isElsewhere: await followAgents(client, settings.namespace, shared, signal),
    ...(member ? { shard: member } : {}),
    settings,
    onSettingsChange: installation.onChange,
    ...shared,
  });
  if (context.report) controller.reportTo(context.report);
  if (member) createShardMetrics(registry, member, () => controller.applications.list().length);
  const secrets = followWebhookSecrets(client, settings.namespace, shared, signal);
  const webhooks = createWebhookHandler({
    secrets,
    deliver: refreshAffected({
      applicationsAt: (location) => controller.applications.at(location),
      refreshRepository: (repoUrl) => sources.invalidate(repoUrl),
      request: (key, level) => {
        const application = controller.applications.get(key);
        if (!member || member.owns(key)) controller.request(key, level);
        else if (application) void askForRefresh({ client, log }, application);
      },
      log,
    }),
    registry,
    clock: systemClock,
    log,
  });
  const serve = (at: NonNullable<ControllerOptions['status']>): Promise<StatusServer> =>
    startStatusServer({
      ...at,
      registry,
      live: new Map([['ping', () => undefined]]),
      ready: new Map([['live state', () => unread(clusters.list().flatMap(({ live }) => live.unsynced))]]),
      routes: new Map([[webhookPath, webhooks]]),
    });
  const status =
    options.status &&
    (await serve(options.status).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' && options.anyStatusPort) return serve({ ...options.status, port: 0 });
      throw error;
    }));
  if (status) started.add('webhooks and metrics', () => status.close());
  const run = (working: AbortSignal): Promise<void> => controller.run(working);
  const { stopped } = member ? await runAsShard(member, run, signal) : { stopped: run(signal) };
  return { stopped, sources, ...(status ? { statusPort: status.port } : {}) };
}

const unread = (kinds: readonly string[]): string | undefined =>
  kinds.length === 0 ? undefined : `not read yet: ${kinds.join(', ')}`;

/** Whether an Application belongs to an agent, whose controller reconciles it. */
async function followAgents(
  client: ApiClient,
  namespace: string,
  shared: { readonly clock: Clock; readonly random: Random; readonly log: Logger },
  signal: AbortSignal,
): Promise<(application: Application) => boolean> {
  const agents = new Informer<Agent>(client, agentKind.type, { namespace }, shared);
  void agents.run(signal);
  // A cluster without the CRD has no agents: do not wait for the informer.
  await Promise.race([agents.waitForSync(signal), sleep(shared.clock, 1_000, signal)]).catch(() => {});
  return (application) =>
    agentOfApplication(application, namespace, (name) => agents.get(`${namespace}/${name}`)) !== undefined;
}

/** The Secret that authenticates webhooks, and the Secrets that it may refer to. */
function followWebhookSecrets(
  client: ApiClient,
  namespace: string,
  shared: { readonly clock: Clock; readonly random: Random; readonly log: Logger },
  signal: AbortSignal,
): () => ReturnType<typeof readWebhookSecrets> {
  const follow = (selection: { fieldSelector?: string; labelSelector?: string }): Informer<WebhookSecret> => {
    const informer = new Informer<WebhookSecret>(client, secretType, { namespace, ...selection }, shared);
    void informer.run(signal);
    return informer;
  };
  const own = follow({ fieldSelector: `metadata.name=${webhookSecretName}` });
  const referred = follow({ labelSelector: referredSecretSelector });
  return () =>
    readWebhookSecrets(own.get(`${namespace}/${webhookSecretName}`), (name) => referred.get(`${namespace}/${name}`));
}
