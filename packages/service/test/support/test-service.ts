import {
  type AppProject,
  appProjectKind,
  crdOf,
  type GitOpsDeployment,
  gitopsDeploymentKind,
  kinds,
} from '@fairlead/api';
import { crdType, isNotFound, type KubeObject, namespaceType, type ResourceType } from '@fairlead/apimachinery';
import { type ControlPlane, startControllers, startControlPlane } from '@fairlead/control-plane';
import { type ApiClient, createLogger, silentLogger, systemClock, systemRandom } from '@fairlead/kube';
import { FakeAppController } from '@fairlead/sim/service';
import { Backend, type BackendOptions } from '../../src/backend/backend.ts';
import { createCipher } from '../../src/cipher.ts';
import { migrate, type OpenDatabase } from '../../src/database/index.ts';
import { type Healer, healing } from '../../src/healing.ts';
import { serviceMetrics } from '../../src/metrics.ts';
import { OperationController } from '../../src/operation-controller/operation-controller.ts';
import { defaultServiceSettings, type ServiceSettings } from '../../src/settings.ts';
import { type ArgocdInstance, ensureArgocdInstance } from '../../src/store/index.ts';

const log = process.env['FAIRLEAD_LOG'] ? createLogger({ level: 'debug' }) : silentLogger;

/** The key that encrypts credentials. */
export const testKey = 'only for this test, nothing else';

/** The service on the embedded API server, with a fake application controller. */
export interface TestService {
  readonly client: ApiClient;
  readonly plane: ControlPlane;
  readonly database: OpenDatabase;
  readonly instance: ArgocdInstance;
  readonly appController: FakeAppController;
  namespace(name: string, annotations?: Record<string, string>): Promise<string>;
  /** Restarts a stopped part. */
  start(part: 'backend' | 'agent'): void;
  /** Stops a part gracefully. */
  stop(part: 'backend' | 'agent'): Promise<void>;
  find<T extends KubeObject>(type: ResourceType, namespace: string, name: string): Promise<T | undefined>;
  close(): Promise<void>;
}

export interface TestServiceOptions {
  readonly settings?: Partial<ServiceSettings>;
  readonly probeCluster?: BackendOptions['probeCluster'];
  readonly probeRepository?: BackendOptions['probeRepository'];
  readonly syncMs?: number;
}

export async function startTestService(database: OpenDatabase, options: TestServiceOptions = {}): Promise<TestService> {
  const plane = await startControlPlane();
  const client = plane.client('test');
  const controllers = await startControllers({
    client: plane.client,
    clock: systemClock,
    random: systemRandom,
    log: silentLogger,
    kinds: () => plane.api.registry.all(),
    onKindsChanged: (listener) => plane.api.registry.onChange(listener),
    ca: plane.ca,
    issueSecretToken: plane.issueSecretToken,
  });
  for (const kind of kinds) await client.create(crdType, crdOf(kind));
  const namespace = async (name: string, annotations: Record<string, string> = {}): Promise<string> => {
    const made = await client.create<KubeObject>(namespaceType, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, annotations },
    });
    return made.metadata.uid!;
  };
  const instance = { clusterUid: 'this-cluster', namespace: 'argocd', namespaceUid: await namespace('argocd') };
  await until(() => client.list<AppProject>(appProjectKind.type).then(() => true));
  await until(() => client.list<GitOpsDeployment>(gitopsDeploymentKind.type).then(() => true));
  await migrate(database.db);
  await ensureArgocdInstance(database.db, instance);
  const shared = {
    database,
    instance,
    cipher: createCipher(testKey),
    settings: { ...defaultServiceSettings, selfHealing: false, pollMs: 500, ...options.settings },
    metrics: serviceMetrics(),
    clock: systemClock,
    random: systemRandom,
    log,
  };
  const running = new Map<string, { stop(): Promise<void> }>();
  const begin = (name: string, part: { run(signal: AbortSignal): Promise<void> } & Partial<Healer>): void => {
    const stop = new AbortController();
    const healer = part.heal ? healing(shared, part as Healer, stop.signal) : undefined;
    const ended = Promise.all([part.run(stop.signal), healer]);
    running.set(name, {
      async stop() {
        stop.abort();
        await ended;
        running.delete(name);
      },
    });
  };
  const refuse = async (): Promise<never> => {
    throw new Error('nothing is to be reached in this test');
  };
  const start = (part: 'backend' | 'agent'): void => {
    if (part === 'agent') {
      const owner = `agent-${Math.random()}`;
      begin(part, new OperationController({ ...shared, client: plane.client('agent'), owner }));
    } else {
      const { probeCluster = refuse, probeRepository = refuse } = options;
      begin(part, new Backend({ ...shared, client: plane.client('backend'), probeCluster, probeRepository }));
    }
  };
  const appController = new FakeAppController({
    ...shared,
    client: plane.client('instance'),
    namespace: 'argocd',
    ...(options.syncMs === undefined ? {} : { syncMs: options.syncMs }),
  });
  begin('instance', appController);
  start('backend');
  start('agent');
  return {
    client,
    plane,
    database,
    instance,
    appController,
    namespace,
    start,
    stop: async (part) => running.get(part)?.stop(),
    async find<T extends KubeObject>(type: ResourceType, inNamespace: string, name: string): Promise<T | undefined> {
      try {
        return await client.get<T>(type, { namespace: inNamespace, name });
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    },
    async close() {
      for (const part of [...running.values()]) await part.stop();
      await controllers.stop();
      await plane.close();
    },
  };
}

export async function until(holds: () => boolean | Promise<boolean>, withinMs = 60_000, why = () => ''): Promise<void> {
  const end = Date.now() + withinMs;
  for (;;) {
    const met = await Promise.resolve()
      .then(holds)
      .catch((error: unknown) => {
        if (Date.now() > end) throw error;
        return false;
      });
    if (met) return;
    if (Date.now() > end) throw new Error(`not within ${withinMs} ms ${why()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export const deployment = (
  namespace: string,
  name: string,
  change: Partial<GitOpsDeployment['spec']> = {},
  finalizers: string[] = [],
): GitOpsDeployment => ({
  apiVersion: 'managed-gitops.redhat.com/v1alpha1',
  kind: 'GitOpsDeployment',
  metadata: { namespace, name, ...(finalizers.length > 0 ? { finalizers } : {}) },
  spec: { source: { repoURL: 'https://git.example.com/shop.git', path: 'deploy' }, type: 'automated', ...change },
});
