import {
  find,
  formatTime,
  isNotFound,
  messageOf,
  type Namespace,
  namespaceType,
  podType,
} from '@fairlead/apimachinery';
import { type ApiClient, Controller, done, listAll, type Outcome, requeueAfter } from '@fairlead/kube';
import type { ControllerParts, MakeController, ServedKind } from '../../parts.ts';
import { isFinished, type Pod } from '../objects.ts';
import { kindId } from '../served-kinds.ts';
import { deletionConditions, type Remaining } from './deletion-conditions.ts';

/** Time between the deletion of a namespace and its cleanup, so that all servers have observed the deletion. */
const graceMs = 5_000;
/** The expected duration of finalizers. */
const finalizerSeconds = 15;

/** Empties a namespace that is being deleted, pods first, and then removes its finalizer. */
export const namespaceDeleter: MakeController = (parts) => {
  const client = parts.client('namespace-controller');
  const namespaces = parts.informers.informer<Namespace>(namespaceType);
  const tries = new Map<string, number>();
  const controller = new Controller({
    name: 'namespace',
    concurrency: 10,
    clock: parts.clock,
    log: parts.log,
    async reconcile(key): Promise<Outcome> {
      const namespace = await read(client, key);
      if (!namespace?.metadata.deletionTimestamp || !namespace.spec?.finalizers?.length) {
        tries.delete(key);
        return done;
      }
      const { waitSeconds, remaining, failures } = await emptied(parts, client, namespace);
      const conditions = deletionConditions(
        namespace.status?.conditions ?? [],
        remaining,
        formatTime(parts.clock.now()),
      );
      if (conditions) {
        const status = { phase: 'Terminating', conditions };
        await client.patch(namespaceType, { name: key }, 'merge', { status }, { subresource: 'status' });
      }
      if (failures.length > 0) throw new Error(failures.join('; '));
      if (remaining.errors.length > 0 || waitSeconds > 0) return requeueAfter(retryDelay(tries, key, waitSeconds));
      tries.delete(key);
      await finalize(client, key);
      return done;
    },
  });
  namespaces.addHandler({
    onAdd: (namespace) => enqueue(namespace),
    onUpdate: (old, namespace) => {
      if (old.metadata.deletionTimestamp !== namespace.metadata.deletionTimestamp) enqueue(namespace);
    },
  });
  const enqueue = ({ metadata }: Namespace): void => {
    if (metadata.deletionTimestamp) controller.enqueueAfter(metadata.name, graceMs);
  };
  return controller;
};

/**
 * Backs off exponentially, up to the time that the remaining objects are expected to take. Objects that need no time were recreated by a
 * controller that has not observed the deletion yet, and are retried at once.
 */
function retryDelay(tries: Map<string, number>, key: string, waitSeconds: number): number {
  const count = tries.get(key) ?? 0;
  tries.set(key, count + 1);
  return Math.min((waitSeconds > 0 ? 500 : 10) * 2 ** count, (waitSeconds / 2 + 1) * 1000);
}

const read = (client: ApiClient, name: string): Promise<Namespace | undefined> =>
  find(client.get<Namespace>(namespaceType, { name }));

async function finalize(client: ApiClient, name: string): Promise<void> {
  const namespace = await read(client, name);
  if (!namespace?.metadata.deletionTimestamp) return;
  const finalizers = (namespace.spec?.finalizers ?? []).filter((finalizer) => finalizer !== 'kubernetes').sort();
  const finalized = { ...namespace, spec: { finalizers } };
  await find(client.replace<Namespace>(namespaceType, finalized, { subresource: 'finalize' }));
}

interface Emptied {
  /** The expected duration for the remaining objects; 0 if there are none. */
  readonly waitSeconds: number;
  readonly remaining: Remaining;
  /** Objects that could not be listed or deleted. */
  readonly failures: readonly string[];
}

/** Deletes all objects in the namespace. Nothing else is deleted while there are pods: they may need it to terminate. */
async function emptied(parts: ControllerParts, client: ApiClient, namespace: Namespace): Promise<Emptied> {
  const kinds = new Map<string, number>();
  const finalizers = new Map<string, number>();
  const failures: string[] = [];
  const unexpected: string[] = [];
  let waitSeconds = 0;
  const { name } = namespace.metadata;
  for (const kind of deletableKinds(parts.kinds())) {
    const isPods = kindId(kind) === '/pods';
    const estimate = isPods ? await podGrace(client, namespace, parts.clock.now()) : 0;
    const left = await deleteAll(client, kind, name, failures);
    if (left.length === 0) continue;
    const holding = left.flatMap(({ metadata }) => metadata.finalizers ?? []);
    if (estimate === 0 && holding.length === 0) {
      const gvr = `${kind.group}/${kind.version}, Resource=${kind.plural}`;
      const error = `unexpected items still remain in namespace: ${name} for gvr: ${gvr}`;
      unexpected.push(isPods ? `failed to delete pods for namespace: ${name}, err: ${error}` : error);
    }
    waitSeconds = Math.max(waitSeconds, estimate || (holding.length > 0 ? finalizerSeconds : 0));
    if (isPods) break;
    kinds.set(`${kind.plural}.${kind.group}`, left.length);
    for (const finalizer of holding) finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
  }
  return { waitSeconds, remaining: { kinds, finalizers, errors: [...failures, ...unexpected] }, failures };
}

function deletableKinds(served: readonly ServedKind[]): ServedKind[] {
  const kinds = new Map<string, ServedKind>();
  for (const kind of served) {
    if (kind.namespaced && kind.verbs.includes('delete') && !kinds.has(kindId(kind))) kinds.set(kindId(kind), kind);
  }
  return [...kinds.values()].sort((a, b) => Number(kindId(b) === '/pods') - Number(kindId(a) === '/pods'));
}

async function deleteAll(client: ApiClient, kind: ServedKind, namespace: string, failures: string[]) {
  const list = async () => (await listAll(client, kind, { namespace })).items;
  try {
    const there = await list();
    if (there.length === 0) return there;
    for (const { metadata } of there) {
      await find(client.delete(kind, metadata, { propagationPolicy: 'Background' }));
    }
    return await list();
  } catch (error) {
    // The kind itself may be deleted by now, with its objects.
    if (!isNotFound(error)) failures.push(messageOf(error));
    return [];
  }
}

/** The longest remaining termination grace period of a pod. */
async function podGrace(client: ApiClient, { metadata }: Namespace, now: number): Promise<number> {
  const { items } = await listAll<Pod>(client, podType, { namespace: metadata.name });
  const graces = items.filter((pod) => !isFinished(pod)).map(({ spec }) => spec.terminationGracePeriodSeconds ?? 0);
  const longest = Math.max(0, ...graces);
  return now - Date.parse(metadata.deletionTimestamp ?? '') >= longest * 1000 ? 0 : longest;
}
