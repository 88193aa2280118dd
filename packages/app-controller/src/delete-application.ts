import { type Application, applicationKind } from '@fairlead/api';
import { idKey, ownerOf, type ResourceId, resourceIdOf, syncOptions, trackingName, waveOf } from '@fairlead/engine';
import { isNotFound, type KubeObject } from '@fairlead/kube';
import type { Cluster } from './cluster.ts';
import { isClusterProblem } from './clusters.ts';
import { setConditions } from './conditions.ts';
import { instant, keyOfApplication, type World } from './world.ts';
import { writeChange } from './write-status.ts';

const finalizer = 'resources-finalizer.argocd.argoproj.io';
const isOurs = (name: string): boolean =>
  name === finalizer || name === `${finalizer}/foreground` || name === `${finalizer}/background`;

export interface DeletionResult {
  /** Objects are still going: look again after so long. */
  readonly againMs?: number;
}

/** Deletes what belongs to an Application that is being deleted, the last wave first, then lets the Application go. */
export async function deleteApplication(
  world: World,
  application: Application,
  signal: AbortSignal,
): Promise<DeletionResult> {
  const ours = (application.metadata.finalizers ?? []).filter(isOurs);
  if (ours.length === 0) return {};
  const cluster = world.clusters.find(application.spec.destination ?? {});
  if (isClusterProblem(cluster)) {
    // Where there is no such cluster there is nothing to delete; one that will answer again still has everything.
    if (cluster.problem !== 'NotFound') {
      await report(world, application, [cluster.message], signal);
      return { againMs: world.settings.pollMs };
    }
  } else {
    const left = (await remaining(world, application, cluster, signal)).filter(isDeletable);
    if (left.length > 0) {
      const waves = left.map(waveOf);
      const last = left.filter((_, i) => waves[i] === Math.max(...waves));
      const propagationPolicy = ours.some((name) => name.endsWith('/background')) ? 'Background' : 'Foreground';
      const errors = await Promise.all(last.map((object) => remove(cluster, object, propagationPolicy, signal)));
      await report(
        world,
        application,
        errors.filter((error) => error !== undefined),
        signal,
      );
      return { againMs: world.settings.pollMs };
    }
  }
  await removeFinalizers(world, application, signal);
  return {};
}

/**
 * The Application's live objects: those that the watch knows, and those that its status names, asked of the server itself. A watch may
 * be behind a sync that ended a moment ago, and what is forgotten now stays for ever.
 */
async function remaining(
  world: World,
  application: Application,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<KubeObject[]> {
  const app = trackingName(keyOfApplication(application), world.settings.namespace);
  const found = new Map(cluster.live.objectsOf(app).map((object) => [idKey(resourceIdOf(object)), object]));
  const { resources = [], operationState } = application.status ?? {};
  const named = [...resources, ...(operationState?.syncResult?.resources ?? [])].map(
    ({ group = '', kind = '', namespace = '', name = '' }): ResourceId => ({ group, kind, namespace, name }),
  );
  for (const id of [...named, ...[...found.values()].map(resourceIdOf)]) {
    const type = cluster.kinds.findAny(id.group, id.kind);
    const live = type && (await read(cluster, id, type.namespaced, signal));
    if (live && ownerOf(live) === app) found.set(idKey(id), live);
    else found.delete(idKey(id));
  }
  return [...found.values()];
}

async function read(
  cluster: Cluster,
  { group, kind, namespace, name }: ResourceId,
  namespaced: boolean,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  try {
    return await cluster.client.get(cluster.kinds.findAny(group, kind)!, namespaced ? { namespace, name } : { name }, {
      signal,
    });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** A definition takes all objects of its kind with it, whoever they belong to: it is never deleted with an Application. */
function isDeletable(object: KubeObject): boolean {
  if (object.kind === 'CustomResourceDefinition') return false;
  const options = syncOptions([], object);
  if (options.get('Delete') === 'false' || options.get('Delete') === 'confirm') return false;
  return object.metadata.annotations?.['helm.sh/resource-policy'] !== 'keep';
}

async function remove(
  cluster: Cluster,
  object: KubeObject,
  propagationPolicy: 'Background' | 'Foreground',
  signal: AbortSignal,
): Promise<string | undefined> {
  if (object.metadata.deletionTimestamp) return undefined;
  const { group, kind, namespace, name } = resourceIdOf(object);
  try {
    const preconditions = object.metadata.uid ? { preconditions: { uid: object.metadata.uid } } : {};
    await cluster.client.delete(
      cluster.kinds.findAny(group, kind)!,
      namespace === '' ? { name } : { namespace, name },
      { propagationPolicy, ...preconditions, signal },
    );
    return undefined;
  } catch (error) {
    if (signal.aborted) throw error;
    return isNotFound(error) ? undefined : `${kind} ${name}: ${(error as Error).message}`;
  }
}

async function report(
  world: World,
  application: Application,
  errors: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const now = instant(world.clock.now());
  const conditions = errors.map((message) => ({ type: 'DeletionError' as const, message }));
  const status = {
    conditions: setConditions(application.status?.conditions, new Set(['DeletionError']), conditions, now),
  };
  if (errors.length > 0 || application.status?.conditions?.some(({ type }) => type === 'DeletionError')) {
    await writeChange(world, application, { status }, signal);
  }
}

async function removeFinalizers(world: World, application: Application, signal: AbortSignal): Promise<void> {
  const { finalizers = [], resourceVersion = '' } = application.metadata;
  const body = { metadata: { resourceVersion, finalizers: finalizers.filter((name) => !isOurs(name)) } };
  try {
    await world.client.patch(applicationKind.type, keyOfApplication(application), 'merge', body, { signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
