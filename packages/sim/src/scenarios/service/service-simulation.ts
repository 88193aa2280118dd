import {
  applicationKind,
  type GitOpsDeployment,
  type GitOpsDeploymentSyncRun,
  gitopsDeploymentKind,
  gitopsDeploymentSyncRunKind,
} from '@fairlead/api';
import type { KubeObject, ResourceType } from '@fairlead/apimachinery';
import { type ApiClient, silentLogger } from '@fairlead/kube';
import {
  type ArgocdInstance,
  audit,
  Backend,
  createCipher,
  defaultServiceSettings,
  ensureArgocdInstance,
  type Finding,
  healing,
  OperationController,
  type ServiceSettings,
  serviceMetrics,
} from '@fairlead/service';
import { type FaultProfile, noFaults } from '../../fault-profile.ts';
import { SimApiServer } from '../../sim-api-server.ts';
import type { SimProcess } from '../../sim-process.ts';
import { resourceOf } from '../../sim-store.ts';
import type { Simulation } from '../../simulation.ts';
import { settle } from '../../virtual-clock.ts';
import { FakeAppController } from './fake-app-controller.ts';
import {
  type AroundWrite,
  type DatabaseFaults,
  emptyTables,
  type Misquote,
  noDatabaseFaults,
  SimDatabase,
} from './sim-database.ts';

export const namespaceType: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};

export type Part = 'backend' | 'agent';

export interface ServiceSimulationOptions {
  readonly faults?: FaultProfile;
  readonly databaseFaults?: DatabaseFaults;
  readonly aroundWrite?: AroundWrite;
  readonly settings?: Partial<ServiceSettings>;
  readonly mistake?: Mistake;
}

/** A deliberate bug, to check that it is found. */
export interface Mistake {
  readonly misquote?: Misquote;
  readonly client?: (client: ApiClient) => ApiClient;
}

/** The two processes of the service, their database, an API server, and a fake application controller, in one simulation. */
export class ServiceSimulation {
  readonly sim: Simulation;
  readonly server: SimApiServer;
  readonly database: SimDatabase;
  readonly fake: FakeAppController;
  readonly #instance: ArgocdInstance;
  readonly #settings: ServiceSettings;
  readonly #aroundWrite: AroundWrite;
  readonly #mistaken: (client: ApiClient) => ApiClient;
  readonly #cipher = createCipher('the key of a simulated sim');
  readonly #running = new Map<Part, { readonly process: SimProcess; readonly stop: AbortController }>();
  #starts = 0;

  private constructor(sim: Simulation, server: SimApiServer, database: SimDatabase, options: ServiceSimulationOptions) {
    this.sim = sim;
    this.server = server;
    this.database = database;
    this.#settings = { ...defaultServiceSettings, selfHealing: false, ...options.settings };
    this.#aroundWrite = options.aroundWrite ?? (() => {});
    this.#mistaken = options.mistake?.client ?? ((client) => client);
    const uidOf = (name: string): string => server.store.find(namespaceType, { name })?.metadata.uid ?? '';
    this.#instance = { clusterUid: uidOf('kube-system'), namespace: 'argocd', namespaceUid: uidOf('argocd') };
    const process = sim.process('engine');
    const shared = { clock: process.clock, random: process.random, log: silentLogger };
    this.fake = new FakeAppController({
      client: server.client(process),
      namespace: 'argocd',
      syncMs: 2_000,
      ...shared,
    });
  }

  static async open(sim: Simulation, options: ServiceSimulationOptions = {}): Promise<ServiceSimulation> {
    const server = new SimApiServer(sim, options.faults ?? noFaults);
    for (const name of ['kube-system', 'argocd', 'blue', 'green']) {
      server.store.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
    const { aroundWrite, mistake } = options;
    const database = await SimDatabase.open(sim, options.databaseFaults ?? noDatabaseFaults, {
      ...(aroundWrite ? { aroundWrite } : {}),
      ...(mistake?.misquote ? { misquote: mistake.misquote } : {}),
    });
    watchFinalizers(sim, server);
    await emptyTables(database);
    const service = new ServiceSimulation(sim, server, database, options);
    await ensureArgocdInstance(database.truth, service.#instance);
    void service.fake.run(new AbortController().signal);
    return service;
  }

  isUp(part: Part): boolean {
    const running = this.#running.get(part);
    return running !== undefined && !running.process.crashed;
  }

  start(part: Part): void {
    this.#starts += 1;
    const process = this.sim.process(`${part}-${this.#starts}`);
    const stop = new AbortController();
    const refuse = async (): Promise<never> => {
      throw new Error('nothing is to be reached here');
    };
    const shared = {
      client: this.#mistaken(this.#writing(process, this.server.client(process))),
      database: this.database.for(process),
      instance: this.#instance,
      cipher: this.#cipher,
      settings: this.#settings,
      metrics: serviceMetrics(),
      clock: process.clock,
      random: process.random,
      log: silentLogger,
    };
    const runnable =
      part === 'backend'
        ? new Backend({ ...shared, probeCluster: refuse, probeRepository: refuse })
        : new OperationController({ ...shared, owner: process.name });
    void healing(shared, runnable, stop.signal);
    void runnable.run(stop.signal).catch((error: unknown) => {
      if (!stop.signal.aborted) this.sim.check(false, `the ${part} ended: ${error}`);
    });
    this.#running.set(part, { process, stop });
  }

  crash(part: Part): void {
    const running = this.#running.get(part);
    if (running && !running.process.crashed) running.process.crash();
  }

  /** Whether resources, database rows and Applications agree; undefined while the audit is running. */
  async audit(): Promise<Finding[]> {
    const process = this.sim.process('auditor');
    let findings: Finding[] | undefined;
    let failure: unknown;
    audit({
      client: this.server.client(process),
      db: this.database.truth,
      instance: this.#instance,
      cipher: this.#cipher,
      settings: this.#settings,
      clock: process.clock,
    }).then(
      (found) => (findings = found),
      (error: unknown) => (failure = error),
    );
    await this.sim.reach(() => findings !== undefined || failure !== undefined, 600_000);
    if (failure) throw failure;
    return findings!;
  }

  /** Waits until an audit finds nothing, and returns the findings otherwise. */
  async comesToRest(limitMs: number): Promise<Finding[]> {
    const end = this.sim.clock.now() + limitMs;
    for (;;) {
      await this.sim.pass(5_000);
      await settle();
      const findings = await this.audit();
      if (findings.length === 0 || this.sim.clock.now() >= end) return findings;
    }
  }

  /** A client whose process can crash around each write. */
  #writing(process: SimProcess, client: ApiClient): ApiClient {
    const around = async <T>(what: string, write: () => Promise<T>): Promise<T> => {
      this.#aroundWrite(process, what, 'before');
      if (process.crashed) return new Promise(() => {});
      const result = await write();
      this.#aroundWrite(process, what, 'after');
      return process.crashed ? new Promise(() => {}) : result;
    };
    return {
      get: client.get.bind(client),
      list: client.list.bind(client),
      watch: client.watch.bind(client),
      deleteCollection: client.deleteCollection.bind(client),
      create: (type, object, options) => around(`create ${type.kind}`, () => client.create(type, object, options)),
      replace: (type, object, options) => around(`replace ${type.kind}`, () => client.replace(type, object, options)),
      patch: (type, key, patchType, body, options) =>
        around(`patch ${type.kind}`, () => client.patch(type, key, patchType, body, options)),
      delete: (type, key, options) => around(`delete ${type.kind}`, () => client.delete(type, key, options)),
    };
  }
}

export const deploymentFinalizer = 'resources-finalizer.managed-gitops.redhat.com';

/** A deployment with the finalizer exists as long as its Application. */
function watchFinalizers(sim: Simulation, { store }: SimApiServer): void {
  store.onEvent(({ type, resource, object, previous }) => {
    if (type !== 'DELETED' || resource !== resourceOf(gitopsDeploymentKind.type)) return;
    if (!previous?.metadata.finalizers?.includes(deploymentFinalizer)) return;
    const key = { namespace: 'argocd', name: `gitopsdepl-${object.metadata.uid}` };
    sim.check(
      store.find(applicationKind.type, key) === undefined,
      `${object.metadata.namespace}/${object.metadata.name} is gone, and its Application is still there`,
    );
  });
}

export const deployment = (
  namespace: string,
  name: string,
  { type = 'automated', path = 'deploy', held = true }: { type?: string; path?: string; held?: boolean } = {},
): GitOpsDeployment => ({
  apiVersion: 'managed-gitops.redhat.com/v1alpha1',
  kind: 'GitOpsDeployment',
  metadata: { namespace, name, ...(held ? { finalizers: [deploymentFinalizer] } : {}) },
  spec: { source: { repoURL: `https://git.example.com/${namespace}.git`, path }, type },
});

export const syncRun = (namespace: string, name: string, gitopsDeploymentName: string): GitOpsDeploymentSyncRun => ({
  apiVersion: 'managed-gitops.redhat.com/v1alpha1',
  kind: 'GitOpsDeploymentSyncRun',
  metadata: { namespace, name },
  spec: { gitopsDeploymentName },
});

/** The actions of tenants, on the server itself. */
export class Tenants {
  readonly #server: SimApiServer;

  constructor(server: SimApiServer) {
    this.#server = server;
  }

  find(namespace: string, name: string): GitOpsDeployment | undefined {
    return this.#server.store.find<GitOpsDeployment>(gitopsDeploymentKind.type, { namespace, name });
  }

  put(object: GitOpsDeployment): void {
    const { namespace = '', name } = object.metadata;
    const known = this.find(namespace, name);
    if (!known) this.#server.store.create(gitopsDeploymentKind.type, object);
    else if (!known.metadata.deletionTimestamp)
      this.#server.store.replace(gitopsDeploymentKind.type, { ...known, spec: object.spec } as KubeObject);
  }

  remove(namespace: string, name: string): void {
    if (this.find(namespace, name)) this.#server.store.delete(gitopsDeploymentKind.type, { namespace, name });
  }

  sync(namespace: string, name: string, deploymentName: string): void {
    const type = gitopsDeploymentSyncRunKind.type;
    if (!this.#server.store.find(type, { namespace, name }))
      this.#server.store.create(type, syncRun(namespace, name, deploymentName));
  }

  unsync(namespace: string, name: string): void {
    const type = gitopsDeploymentSyncRunKind.type;
    if (this.#server.store.find(type, { namespace, name })) this.#server.store.delete(type, { namespace, name });
  }

  run(namespace: string, name: string): GitOpsDeploymentSyncRun | undefined {
    return this.#server.store.find(gitopsDeploymentSyncRunKind.type, { namespace, name }) as
      | GitOpsDeploymentSyncRun
      | undefined;
  }
}
