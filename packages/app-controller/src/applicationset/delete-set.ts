import { type Application, type ApplicationSet, applicationKind, applicationSetKind } from '@fairlead/api';
import { isNotFound } from '@fairlead/apimachinery';
import { done, type Outcome, requeueAfter } from '@fairlead/kube';
import { resourcesFinalizer } from './generate.ts';
import { allowedChanges } from './policy.ts';
import type { ApplicationSetEnv } from './reconcile-env.ts';
import { assignSteps } from './rollout/assign-steps.ts';
import { isDeletionReversed } from './rollout/rollout-strategy.ts';

/** How often a deletion in order looks again, besides when an Application goes. */
const pollMs = 10_000;

/** Lets an ApplicationSet go: its Applications are kept or deleted in order first; the garbage collector deletes the rest. */
export async function deleteSet(env: ApplicationSetEnv, set: ApplicationSet): Promise<Outcome> {
  const { namespace = '', name, finalizers = [] } = set.metadata;
  const current = env.applications.ownedBy(namespace, name);
  if (!allowedChanges(set, env.settings).delete) await disown(env, current);
  if (isDeletionReversed(set) && (await deleteNext(env, set, current))) return requeueAfter(pollMs);
  if (!finalizers.includes(resourcesFinalizer)) return done;
  const rest = finalizers.filter((finalizer) => finalizer !== resourcesFinalizer);
  const patch = { metadata: { finalizers: rest.length > 0 ? rest : null } };
  await ignoreGone(env.client.patch(applicationSetKind.type, { namespace, name }, 'merge', patch));
  return done;
}

/** Without an owner, Applications outlive the set. */
async function disown({ client }: ApplicationSetEnv, applications: readonly Application[]): Promise<void> {
  for (const { metadata } of applications) {
    const key = { namespace: metadata.namespace ?? '', name: metadata.name };
    await ignoreGone(client.patch(applicationKind.type, key, 'merge', { metadata: { ownerReferences: null } }));
  }
}

/** Deletes one Application of the last step that has any. Returns false if there is none left in a step. */
async function deleteNext(
  { client }: ApplicationSetEnv,
  set: ApplicationSet,
  current: readonly Application[],
): Promise<boolean> {
  const { stepOf } = assignSteps(set, current);
  const ordered = current
    .filter(({ metadata }) => stepOf.has(metadata.name))
    .sort((a, b) => {
      const steps = (stepOf.get(b.metadata.name) ?? 0) - (stepOf.get(a.metadata.name) ?? 0);
      return steps || (a.metadata.name < b.metadata.name ? -1 : 1);
    });
  const [next] = ordered;
  if (!next) return false;
  if (!next.metadata.deletionTimestamp) {
    const key = { namespace: next.metadata.namespace ?? '', name: next.metadata.name };
    await ignoreGone(client.delete(applicationKind.type, key));
  }
  return true;
}

async function ignoreGone(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}
