import { isAlreadyExists, type ResourceType } from '@fairlead/apimachinery';
import {
  type ApiClient,
  type Clock,
  type Logger,
  seededRandom,
  silentLogger,
  sleep,
  systemRandom,
} from '@fairlead/kube';
import { type ControlPlane, type ControlPlaneOptions, startControlPlane } from './control-plane.ts';
import { simStorageClass } from './controllers/cluster/index.ts';
import { startControllers } from './controllers/index.ts';
import { storageClassType } from './controllers/resource-types.ts';
import { type Fleet, hostAt, startFleet } from './nodes/fleet.ts';
import type { NodeShape } from './nodes/node-object.ts';
import type { Registries } from './nodes/registry-model.ts';
import { simDefinitions } from './nodes/sim-kinds.ts';
import { scaledClock } from './scaled-clock.ts';

export interface EmbeddedClusterOptions extends Omit<ControlPlaneOptions, 'random' | 'podLog'> {
  /** The number of simulated nodes; 3 by default. */
  readonly nodes?: number;
  /** The speed of its clock relative to the wall clock. */
  readonly speed?: number;
  /** Its clock, instead of the wall clock and `speed`. */
  readonly clock?: Clock;
  /** The seed of the simulation. */
  readonly seed?: number;
  readonly registries?: Registries;
  /** Events of simulated kubelets; off for very large fleets. */
  readonly nodeEvents?: boolean;
  /** Whether containers start without their image, and pass their probes without the initial delay. */
  readonly readyAtOnce?: boolean;
  /** How often autoscalers are reconciled; 15 s by default. */
  readonly autoscalerPeriodMs?: number;
  readonly log?: Logger;
}

export interface EmbeddedCluster extends ControlPlane {
  readonly fleet: Fleet;
}

/** A whole Kubernetes in this process: API server, controllers and simulated nodes. */
export async function startEmbeddedCluster(options: EmbeddedClusterOptions = {}): Promise<EmbeddedCluster> {
  const clock = options.clock ?? scaledClock(options.speed ?? 1);
  const random = options.seed === undefined ? systemRandom : seededRandom(options.seed);
  const log = options.log ?? silentLogger;
  let fleet: Fleet | undefined;
  const plane = await startControlPlane({
    // Cluster installers enable it: node agents of many charts need it.
    allowPrivileged: true,
    ...options,
    clock,
    random,
    podLog: (namespace, name, query) => fleet?.log(namespace, name, query) ?? '',
  });
  await installDefinitions(plane);
  const controllers = await startControllers({
    client: plane.client,
    clock,
    random,
    log,
    kinds: () => plane.api.registry.all(),
    onKindsChanged: (listener) => plane.api.registry.onChange(listener),
    ca: plane.ca,
    issueSecretToken: plane.issueSecretToken,
    ...(options.autoscalerPeriodMs ? { autoscalerPeriodMs: options.autoscalerPeriodMs } : {}),
  });
  fleet = await startFleet({
    client: plane.client('kubelet', { canonical: true }),
    clock,
    random,
    nodes: shapes(options.nodes ?? 3),
    ...(options.registries ? { registries: options.registries } : {}),
    ...(options.nodeEvents === undefined ? {} : { events: options.nodeEvents }),
    readyAtOnce: options.readyAtOnce ?? false,
    log,
  });
  return {
    ...plane,
    fleet,
    async close() {
      await fleet!.stop();
      await controllers.stop();
      await plane.close();
    },
  };
}

const shapes = (count: number): NodeShape[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `node-${index + 1}`,
    zone: `zone-${'abc'[index % 3]}`,
    address: hostAt(index + 1),
  }));

const crdType: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** The kinds of the simulation, served before they are used, and its storage. */
async function installDefinitions(plane: ControlPlane): Promise<void> {
  const client: ApiClient = plane.client('fairlead');
  for (const definition of simDefinitions) {
    try {
      await client.create(crdType, definition);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }
  try {
    await client.create(storageClassType, simStorageClass);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const served = () => plane.api.registry.all().filter(({ group }) => group === 'sim.fairlead.dev').length;
  while (served() < simDefinitions.length) await sleep(plane.api.clock, 5);
}
