import type { Application } from '@fairlead/api';
import { find, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import {
  apply,
  describeId,
  explainFailure,
  fieldManager,
  hasDeletePolicy,
  hookKinds,
  hookObject,
  isSameRun,
  keyIn,
  resourceIdOf,
  trackingName,
  waveOf,
} from '@fairlead/engine';
import { sleep } from '@fairlead/kube';
import type { Cluster } from '../cluster/cluster.ts';
import { concurrently } from '../concurrently.ts';
import { keyOfApplication, projectOf, type ReconcileEnv } from '../reconcile-env.ts';
import { projectNameOf } from '../refresh/application-states.ts';
import { guard } from '../refresh/guard.ts';
import { observe } from '../refresh/observe.ts';
import { sourcesOf } from '../source/desired-state.ts';
import { retryTransient } from '../sync/retry-transient.ts';
import { type ClusterAccess, deleteObject, releaseHook } from './object-deletion.ts';

export type DeletionHook = 'PreDelete' | 'PostDelete';

/** Why hooks block a deletion; undefined when they have all succeeded. */
export type HookProgress =
  | { readonly done: true }
  | { readonly done: false; readonly waiting: string }
  /** `again` deletes the hooks for a retry. */
  | { readonly done: false; readonly failure: string; readonly again?: () => Promise<void> };

/**
 * Runs the hooks of a deletion, wave by wave. Each runs once per deletion, regardless of the number of reconciles: it is marked with the
 * deletion that it belongs to, and kept until the deletion has continued.
 */
export async function runDeletionHooks(
  env: ReconcileEnv,
  application: Application,
  kind: DeletionHook,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<HookProgress> {
  const access = { cluster, clock: env.clock, signal };
  const guarded = guard(application, {
    project: projectOf(env),
    clusters: env.clusters,
    controlPlaneNamespace: env.settings.namespace,
  });
  if (!guarded.permitted) {
    return { done: false, failure: guarded.conditions.map(({ message }) => message).join('; ') };
  }
  const { desired, comparison } = await observe(env, application, guarded, sourcesOf(application.spec), { signal });
  const { uid = '', deletionTimestamp = '' } = application.metadata;
  const run = {
    revision: desired.revisions[0] ?? '',
    startedAt: Date.parse(deletionTimestamp),
    attempt: `${uid}/${deletionTimestamp}`,
  };
  const asked = comparison.hooks.filter(({ object }) => hookKinds(object).includes(kind));
  const refusal = asked.find((hook) => hook.refusal)?.refusal;
  if (refusal) return { done: false, failure: `${refusal.message}: ${refusal.advice}` };
  const hooks = asked.map(({ object }) => hookObject(object, kind, run)).sort((a, b) => waveOf(a) - waveOf(b));
  for (const wave of new Set(hooks.map(waveOf))) {
    const outcomes = await concurrently(
      hooks.filter((hook) => waveOf(hook) === wave),
      (hook) => runHook(access, hook, projectNameOf(application)),
    );
    const held = outcomes.find((one) => 'failure' in one) ?? outcomes.find(({ done }) => !done);
    if (held) return held;
  }
  return { done: true };
}

async function runHook(
  access: ClusterAccess & { readonly cluster: Cluster },
  hook: KubeObject,
  project: string,
): Promise<HookProgress> {
  const { cluster, signal } = access;
  const name = describeId(resourceIdOf(hook));
  const type = cluster.kinds.find(hook.apiVersion, hook.kind);
  if (!type) return { done: false, failure: `${name}: the cluster has no ${hook.apiVersion} ${hook.kind}` };
  const live = await read(access, type, hook);
  if (!live || (!isSameRun(live, hook) && !hasDeletePolicy(hook, 'BeforeHookCreation'))) {
    try {
      // As Argo CD does, and unlike the hooks of a sync: created, without the last-applied annotation.
      if (!live) await retryTransient(access, () => cluster.client.create(type, hook, { signal, fieldManager }));
      else {
        await retryTransient(access, () =>
          apply(cluster.client, type, hook, { signal, wait: (ms) => sleep(access.clock, ms, signal) }),
        );
      }
    } catch (error) {
      if (signal.aborted) throw error;
      return { done: false, failure: `${name}: ${explainFailure(error)}` };
    }
    return { done: false, waiting: name };
  }
  if (!isSameRun(live, hook)) {
    await releaseHook(access, live);
    await deleteObject(access, live);
    return { done: false, waiting: name };
  }
  const health = (await cluster.evaluator.assess([live], project))(live);
  if (!health || health.status === 'Healthy') return { done: true };
  if (health.status !== 'Degraded' && health.status !== 'Unknown') return { done: false, waiting: name };
  const again = async (): Promise<void> => {
    await releaseHook(access, live);
    await deleteObject(access, live);
  };
  return { done: false, failure: `${name} failed${health.message ? `: ${health.message}` : ''}`, again };
}

const read = (
  { cluster, clock, signal }: ClusterAccess,
  type: ResourceType,
  { metadata }: KubeObject,
): Promise<KubeObject | undefined> =>
  retryTransient({ clock, signal }, () => find(cluster.client.get(type, keyIn(type, metadata), { signal })));

/** After a deletion its hooks are deleted by their policies, and their finalizers are removed. */
export async function cleanUpDeletionHooks(
  env: ReconcileEnv,
  application: Application,
  kind: DeletionHook,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<void> {
  const access = { cluster, clock: env.clock, signal };
  const app = trackingName(keyOfApplication(application), env.settings.namespace);
  const ours = cluster.live.objectsOf(app).filter((object) => cluster.live.tracker.ownerOf(object) === app);
  const hooks = ours.filter((object) => hookKinds(object).includes(kind));
  await concurrently(hooks, async (seen) => {
    const type = cluster.kinds.find(seen.apiVersion, seen.kind);
    const live = type && (await read(access, type, seen));
    if (!live || live.metadata.uid !== seen.metadata.uid) return;
    await releaseHook(access, live);
    const assess = await cluster.evaluator.assess([live], projectNameOf(application));
    const status = assess(live)?.status ?? 'Healthy';
    const due =
      (status === 'Healthy' && hasDeletePolicy(live, 'HookSucceeded')) ||
      (status === 'Degraded' && hasDeletePolicy(live, 'HookFailed'));
    if (due) await deleteObject(access, live);
  });
}
