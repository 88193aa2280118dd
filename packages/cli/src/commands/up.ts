import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '@fairlead/apimachinery';
import {
  aborted,
  createLogger,
  HttpClient,
  type Logger,
  loadKubeconfig,
  MetricsRegistry,
  stopSignal,
} from '@fairlead/kube';
import { startGitServer } from '@fairlead/source/git-server';
import { pagesFolder } from '@fairlead/ui';
import { CliError } from '../cli-error.ts';
import {
  type DataDir,
  dataDirAt,
  defaultDataDir,
  loadInstanceState,
  lockDataDir,
  saveInstanceState,
} from '../data-dir.ts';
import { demoAgentNamespaces, startDemoAgents } from '../demo/agents.ts';
import { announceApplications } from '../demo/announce.ts';
import { demoApplication } from '../demo/application.ts';
import { fileToEdit } from '../demo/files.ts';
import { createFleet, readFleet } from '../demo/fleet.ts';
import { hints } from '../demo/hints.ts';
import { startDemoImages } from '../demo/images.ts';
import { seedDemoRepository } from '../demo/seed-repository.ts';
import { createDemoTenants } from '../demo/tenants.ts';
import { type Environment, inNamespace } from '../environment.ts';
import { controlPlaneNamespace, createApplication, install } from '../install.ts';
import type { Command } from '../main.ts';
import { readOptions, readPort } from '../options.ts';
import { findGit } from '../preflight.ts';
import { serveAudits } from '../roles/audit-socket.ts';
import { startEmbeddedCluster } from '../roles/embedded-cluster.ts';
import { whileHoldingLeases } from '../roles/hold-leases.ts';
import { roles } from '../roles/index.ts';
import { roleLeases } from '../roles/leases.ts';
import type { RoleContext } from '../roles/role.ts';
import { RoleHost } from '../roles/role-host.ts';
import { shutDown, stopAll } from '../shutdown.ts';
import { ShutdownSequence } from '../shutdown-sequence.ts';

interface Options {
  readonly dir: DataDir;
  readonly port: number | undefined;
  readonly kubeconfig: string | undefined;
  /** The number of Applications to create in addition to those of the demo. */
  readonly fleet: number;
  /** Whether to start two more clusters with agents. */
  readonly agents: boolean;
  /** The folder with config management plugins, if any. */
  readonly plugins: { readonly plugins?: string };
}

export const run: Command = async (args, environment) => {
  const { values } = readOptions(() =>
    parseArgs({
      args: [...args],
      options: {
        'data-dir': { type: 'string' },
        port: { type: 'string' },
        kubeconfig: { type: 'string' },
        fleet: { type: 'string' },
        'no-agents': { type: 'boolean' },
        plugins: { type: 'string' },
      },
    }),
  );
  const options: Options = {
    dir: dataDirAt(values['data-dir'] ?? environment.dataDir ?? defaultDataDir),
    port: readPort(values.port),
    kubeconfig: values.kubeconfig,
    fleet: readFleet(values.fleet),
    plugins: values.plugins === undefined ? {} : { plugins: values.plugins },
    agents: !values['no-agents'] && values.kubeconfig === undefined,
  };
  const signal = stopSignal();
  const started = new ShutdownSequence();
  try {
    await start(options, environment, signal, started);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await shutDown(started);
  }
  console.log('stopped');
  return 0;
};

/** Starts everything in the order of dependencies, and adds each step to the shutdown sequence. */
async function start(
  options: Options,
  environment: Environment,
  signal: AbortSignal,
  started: ShutdownSequence,
): Promise<void> {
  const { dir } = options;
  const version = await findGit(environment.processes);
  const lock = lockDataDir(dir);
  started.add('the lock', () => lock.release());
  say(`git ${version}, node ${process.versions.node}, data in ${dir.root}`);
  const log = createLogger({ level: environment.logLevel ?? 'warn', format: environment.logFormat });

  const cluster = await connect(options, started, log);
  const client = new HttpClient((await clusterAccess(cluster.kubeconfig)).client);
  started.add('connections', () => client.close());
  say(`Kubernetes API ${cluster.address}`);
  await install(client, { own: options.kubeconfig === undefined, signal });
  say('CRDs, namespace and default project');

  const demo = { bare: join(dir.repositories, 'demo.git'), clone: dir.demo };
  await seedDemoRepository(demo, environment.processes);
  const gitServer = await startOnPort(loadInstanceState(dir).gitPort, (port) =>
    startGitServer({ root: dir.repositories, port, environment: environment.processes }),
  );
  started.add('the Git server', () => gitServer.close());
  saveInstanceState(dir, {
    ...loadInstanceState(dir),
    ...cluster.instanceState,
    gitPort: Number(new URL(gitServer.url).port),
  });
  const repositoryUrl = `${gitServer.url}/demo.git`;
  say(`Git repository ${repositoryUrl}`);

  const context: RoleContext = {
    client,
    environment: inNamespace(environment, controlPlaneNamespace),
    registry: new MetricsRegistry(),
    log,
  };
  const identity = loadInstanceState(dir).identity ?? `up-${randomUUID()}`;
  saveInstanceState(dir, { ...loadInstanceState(dir), identity });
  const holding = {
    client,
    namespace: controlPlaneNamespace,
    leases: Object.values(roleLeases),
    identity,
    log,
    onWait: (lease: string, holder: string) =>
      console.log(
        `! waiting for Lease ${controlPlaneNamespace}/${lease}, which ${holder} holds: stop that process, or wait`,
      ),
  };
  await whileHoldingLeases(holding, signal, async (term) => {
    const parts = new ShutdownSequence();
    try {
      await startRoles({ ...options, cluster, demo, repositoryUrl, context, environment }, term, parts);
      await aborted(term);
      console.log(
        signal.aborted ? 'stopping' : '! a Lease was lost: standing by until this process holds all of them again',
      );
    } catch (error) {
      if (!term.aborted) throw error;
    } finally {
      await stopAll(parts);
    }
  });
}

interface RolesOptions extends Options {
  readonly cluster: ConnectedCluster;
  readonly demo: { readonly bare: string; readonly clone: string };
  readonly repositoryUrl: string;
  readonly context: RoleContext;
  readonly environment: Environment;
}

/** Starts every role, in the order of dependencies. */
async function startRoles(
  { dir, fleet, agents, plugins, cluster, demo, repositoryUrl, context, environment }: RolesOptions,
  signal: AbortSignal,
  started: ShutdownSequence,
): Promise<void> {
  const { client } = context;
  const host = new RoleHost(context, started);
  await host.start(roles.prepull, {}, signal);
  const controller = await host.start(
    roles.controller,
    {
      cacheDir: dir.cache,
      allowLocalRepositories: true,
      pollMs: 3_000,
      ...plugins,
      status: { port: loadInstanceState(dir).statusPort ?? 0 },
      anyStatusPort: true,
    },
    signal,
  );
  const statusUrl = `http://127.0.0.1:${controller.statusPort}`;
  saveInstanceState(dir, {
    ...loadInstanceState(dir),
    ...(controller.statusPort ? { statusPort: controller.statusPort } : {}),
  });
  say(`application controller, webhooks ${statusUrl}/api/webhook, metrics ${statusUrl}/metrics`);
  await host.start(
    roles.applicationset,
    { cacheDir: dir.cache, allowLocalRepositories: true, pollMs: 3_000, sources: controller.sources },
    signal,
  );
  say('ApplicationSet controller');
  const pages = await pagesFolder(say);
  const server = await host.start(
    roles.server,
    {
      cacheDir: dir.cache,
      allowLocalRepositories: true,
      port: loadInstanceState(dir).serverPort ?? 0,
      anyPort: true,
      applicationNamespaces: agents ? demoAgentNamespaces : [],
      ...plugins,
      pages,
    },
    signal,
  );
  saveInstanceState(dir, { ...loadInstanceState(dir), serverPort: server.port });
  say(
    `${pages === undefined ? 'API server' : 'web page and API server'} http://127.0.0.1:${server.port}, ${signInHint(server.adminPassword)}`,
  );
  const link = server.oneTimeLink();
  if (link !== undefined) say(`sign in once, within ten minutes: ${link}`);
  await host.start(roles.notifications, { cacheDir: dir.cache, allowLocalRepositories: true }, signal);
  say('notifications controller');
  await seedApplication(dir, client, demo.bare);
  say(await startDemoImages({ client, dir, bare: demo.bare, host }, signal, started));
  console.log(`ready  api ${cluster.address}  git ${repositoryUrl}  kubeconfig ${cluster.kubeconfig}`);
  const file = join(demo.clone, fileToEdit);
  console.log(hints({ dir, kubeconfig: cluster.kubeconfig, file, byNpm: environment.byNpm }));
  if (fleet > 0)
    void createFleet(client, demo.bare, fleet).then(
      () => say(`a fleet of ${fleet} Applications: label fleet=demo`),
      (error: unknown) => signal.aborted || console.error(`fairlead: cannot create the fleet: ${messageOf(error)}`),
    );
  announceApplications(client, (line) => console.log(line), signal);
  startTenants({ context, repositoryUrl, dir }, signal, started);
  if (agents) startDemoAgents({ context, dir, bare: demo.bare, say }, signal, started);
}

interface TenantsOptions {
  readonly context: RoleContext;
  readonly repositoryUrl: string;
  readonly dir: DataDir;
}

/** Starts the multi-tenant service and the demo's tenants in the background: the database takes a moment to start. */
function startTenants(
  { context, repositoryUrl, dir }: TenantsOptions,
  signal: AbortSignal,
  started: ShutdownSequence,
): void {
  started.startInBackground('the multi-tenant service', signal, async (working, parts) => {
    const { database, audit } = await new RoleHost(context, parts).start(
      roles.service,
      {
        databaseUrl: context.environment.databaseUrl,
        dataDir: dir.database,
        cacheDir: dir.cache,
        selfHealing: true,
        // The tenants of the demo belong to the user of this machine, and the demo's repository is on loopback.
        refusedHosts: [],
        allowedNetworks: '*',
      },
      working,
    );
    if (working.aborted) return;
    parts.add('the socket for audits', await serveAudits(dir, audit));
    say(`multi-tenant service on ${database}`);
    await once(join(dir.run, 'tenants-created'), () => createDemoTenants(context.client, repositoryUrl));
  });
}

const signInHint = (password: string | undefined): string =>
  password === undefined
    ? 'the first password of admin is in Secret argocd-initial-admin-secret'
    : `user admin, password ${password}`;

const say = (line: string): void => console.log(`✔ ${line}`);

interface ConnectedCluster {
  readonly address: string;
  readonly kubeconfig: string;
  readonly instanceState: { readonly apiPort?: number; readonly token?: string };
}

/** The cluster of the given kubeconfig, or an embedded one. */
async function connect(
  { dir, port, kubeconfig }: Options,
  started: ShutdownSequence,
  log: Logger,
): Promise<ConnectedCluster> {
  if (kubeconfig !== undefined) {
    const access = await clusterAccess(kubeconfig);
    return { address: access.client.server, kubeconfig, instanceState: {} };
  }
  const last = loadInstanceState(dir);
  const plane = await startEmbeddedCluster({
    dataDir: dir.controlPlane,
    log,
    ...(port === undefined ? {} : { port }),
    ...(last.apiPort === undefined ? {} : { lastPort: last.apiPort }),
    ...(last.token === undefined ? {} : { token: last.token }),
    report: (message) => console.log(`! ${message}`),
  });
  started.add('the Kubernetes API', () => plane.close());
  writeFileSync(dir.kubeconfig, plane.kubeconfig(), { mode: 0o600 });
  return {
    address: plane.url,
    kubeconfig: dir.kubeconfig,
    instanceState: { apiPort: Number(new URL(plane.url).port), token: plane.token },
  };
}

async function clusterAccess(path: string) {
  try {
    return await loadKubeconfig({ path });
  } catch (error) {
    throw new CliError(`kubeconfig ${path} cannot be used: ${messageOf(error)}`, { cause: error });
  }
}

/** The port of the last start, or a free one if it is in use. */
async function startOnPort<T>(last: number | undefined, startAt: (port: number) => Promise<T>): Promise<T> {
  if (last === undefined) return startAt(0);
  return startAt(last).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') return startAt(0);
    throw error;
  });
}

/** Once: an Application that the user has deleted stays deleted. */
const seedApplication = (dir: DataDir, client: HttpClient, bare: string): Promise<void> =>
  once(join(dir.run, 'demo-created'), () => createApplication(client, demoApplication(bare)));

async function once(marker: string, create: () => Promise<void>): Promise<void> {
  if (existsSync(marker)) return;
  await create();
  writeFileSync(marker, '');
}
