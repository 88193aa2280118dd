import { isMappedByDestination } from '@fairlead/agent';
import type { Application, AppProject, ResourceStatus } from '@fairlead/api';
import { ApiError, type KubeObject } from '@fairlead/apimachinery';
import { readResources, withGlobals } from '@fairlead/app-controller';
import { idKey, OutsideNamespaces, type ResourceId, resourceIdOf, trackingName } from '@fairlead/engine';
import type { FoundApplication } from '../applications/application-access.ts';
import { rpcErrorOf } from '../rpc/kube-error.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { Server } from '../server.ts';
import type { ClusterLease } from './live-clusters.ts';

/** An Application with its live objects. */
export interface LiveApplication extends FoundApplication {
  readonly lease: ClusterLease;
  /** Its name in tracking ids. */
  readonly app: string;
  /** With the rules of its global projects. */
  readonly project: AppProject;
  /** The objects that the controller has found to be its own, and those with its mark. */
  readonly roots: readonly KubeObject[];
  /** Objects that are in the target state and not live. */
  readonly missing: readonly ResourceStatus[];
  /** Objects that the agent of the cluster does not show. */
  readonly hidden: readonly ResourceStatus[];
  /** The Application as the controller of its cluster has it. */
  readonly reconciled: Application;
}

const noTree = 'error getting cached app resource tree';
const noResource = `error getting app resources: ${noTree}`;
const noManaged = 'error getting cached app managed resources';

/** What a request needs live objects for, as the message of a failure begins. */
export const purposes = { tree: noTree, resource: noResource, managed: noManaged } as const;

/**
 * Runs work with the live objects of an Application. Where its spec is invalid, the controller reads none, and neither does the server:
 * `undefined`.
 */
export async function withLive<T>(
  server: Server,
  found: FoundApplication,
  { signal, purpose }: { readonly signal: AbortSignal; readonly purpose: keyof typeof purposes },
  work: (live: LiveApplication | undefined) => Promise<T>,
): Promise<T> {
  const lease = await leaseFor(server, found.application, purpose);
  if (!lease) return work(undefined);
  try {
    return await work(await readLive(server, found, lease, signal));
  } finally {
    lease.release();
  }
}

/** Throws an RpcError if the cluster of the Application is not known or does not answer. */
export async function leaseFor(
  server: Server,
  application: Application,
  purpose: keyof typeof purposes,
): Promise<ClusterLease | undefined> {
  const { clusters } = server.options;
  if (!clusters) throw new RpcError('Unavailable', 'this server does not read clusters');
  let lease: ClusterLease;
  try {
    lease = await clusters.lease(application);
  } catch (error) {
    const { code, message } = rpcErrorOf(error);
    throw new RpcError(code, `${purposes[purpose]}: ${message}`);
  }
  const isInvalid = application.status?.conditions?.some(({ type }) => type === 'InvalidSpecError') ?? false;
  if (!isInvalid) return lease;
  lease.release();
  return undefined;
}

export async function readLive(
  server: Server,
  { application, project }: FoundApplication,
  lease: ClusterLease,
  signal: AbortSignal,
): Promise<LiveApplication> {
  const { state } = server;
  const reconciled = asReconciled(application, lease, state.namespace);
  const app = trackingName(nameOf(reconciled), state.namespace);
  const { cluster, installation } = lease;
  const tracked = cluster.live.objectsOf(app);
  const known = new Set(tracked.map((object) => idKey(resourceIdOf(object))));
  const listed = await readResources(state.client, application, signal);
  const found = await Promise.all(
    listed
      .filter((one) => !known.has(idKey(idOf(one))))
      .map(async (one) => ({ one, object: await readOrNothing(lease, idOf(one), signal) })),
  );
  return {
    application,
    project: withGlobals(project, installation.globalProjects, (name) => state.project(name)),
    lease,
    app,
    reconciled,
    roots: [...tracked, ...found.flatMap(({ object }) => (object === 'hidden' ? [] : (object ?? [])))],
    // What was to be pruned or ran as a hook is not missed once it is gone.
    missing: found.flatMap(({ one, object }) => (object || one.requiresPruning || one.hook ? [] : [one])),
    hidden: found.flatMap(({ one, object }) => (object === 'hidden' ? [one] : [])),
  };
}

export const nameOf = ({ metadata: { namespace = '', name } }: Application): { namespace: string; name: string } => ({
  namespace,
  name,
});

export const idOf = ({ group = '', kind = '', namespace = '', name = '' }: ResourceStatus): ResourceId => ({
  group,
  kind,
  namespace,
  name,
});

/** Applications of an agent are in the control plane's namespace of its cluster, unless the agent is mapped by destination. */
function asReconciled(application: Application, { agent }: ClusterLease, namespace: string): Application {
  if (!agent || isMappedByDestination(agent)) return application;
  return { ...application, metadata: { ...application.metadata, namespace } };
}

/**
 * The server may not read all namespaces of a cluster: what is elsewhere counts as missing. An agent may not show an object: whether that is
 * live is not known.
 */
export async function readOrNothing(
  { cluster: { live }, agent }: ClusterLease,
  id: ResourceId,
  signal?: AbortSignal,
): Promise<KubeObject | 'hidden' | undefined> {
  try {
    return await live.read(id, signal);
  } catch (error) {
    if (error instanceof OutsideNamespaces) return undefined;
    if (agent && error instanceof ApiError && error.code === 403) return 'hidden';
    throw error;
  }
}
