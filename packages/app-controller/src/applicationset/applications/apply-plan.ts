import { type Application, type ApplicationSet, applicationKind } from '@fairlead/api';
import { isNotFound, messageOf } from '@fairlead/apimachinery';
import { createMergePatch } from '@fairlead/engine';
import { concurrently } from '../../concurrently.ts';
import { resourcesFinalizer } from '../generate.ts';
import { findDestination, type KnownCluster } from '../known-clusters.ts';
import type { ApplicationSetEnv } from '../reconcile-env.ts';
import type { ApplicationPlan, PlannedUpdate } from './plan.ts';

type ApplyEnv = Pick<ApplicationSetEnv, 'client' | 'events' | 'log'>;

/** Applications that were written or are gone, by name; undefined for one that is gone. */
export type Written = Map<string, Application | undefined>;

const { type } = applicationKind;

const keyOf = ({ metadata }: Application): { namespace: string; name: string } => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
});

/** Creates and updates. An Application that fails does not stop the others: the first message, by name, is thrown at the end. */
export async function writeApplications(
  env: ApplyEnv,
  set: ApplicationSet,
  plan: Pick<ApplicationPlan, 'create' | 'update' | 'refused'>,
  written: Written,
): Promise<void> {
  const failures = new Map<string, unknown>([...plan.refused].map(([name, why]) => [name, new Error(why)]));
  const attempt = async (
    name: string,
    verb: 'created' | 'updated',
    work: () => Promise<Application>,
  ): Promise<void> => {
    try {
      written.set(name, await work());
      record(env, set, verb, `${verb} Application ${JSON.stringify(name)}`);
    } catch (error) {
      failures.set(name, error);
    }
  };
  await concurrently(plan.create, (application) =>
    attempt(application.metadata.name, 'created', () => env.client.create<Application>(type, application)),
  );
  await concurrently(plan.update, (update) =>
    attempt(update.live.metadata.name, 'updated', () => patchApplication(env, update)),
  );
  throwFirst(failures);
}

async function patchApplication({ client }: ApplyEnv, { live, from, to }: PlannedUpdate): Promise<Application> {
  const patch = createMergePatch(from, to);
  return patch ? client.patch<Application>(type, keyOf(live), 'merge', patch) : live;
}

export interface DeleteEnv extends ApplyEnv {
  readonly clusters: readonly KnownCluster[];
  readonly inCluster: boolean;
}

/** Deletes Applications. One whose cluster is gone does not wait for its resources, which nobody can reach. */
export async function deleteApplications(
  env: DeleteEnv,
  set: ApplicationSet,
  applications: readonly Application[],
  written: Written,
): Promise<void> {
  const failures = new Map<string, unknown>();
  await concurrently(applications, async (application) => {
    const { name, finalizers = [] } = application.metadata;
    try {
      const left = await releaseResources(env, application);
      await env.client.delete(type, keyOf(application)).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
      if ((left.metadata.finalizers ?? finalizers).length === 0) written.set(name, undefined);
      record(env, set, 'Deleted', `Deleted Application ${JSON.stringify(name)}`);
    } catch (error) {
      failures.set(name, error);
    }
  });
  throwFirst(failures);
}

async function releaseResources(env: DeleteEnv, application: Application): Promise<Application> {
  const { finalizers = [] } = application.metadata;
  const destination = findDestination(application.spec.destination, env.clusters, env.inCluster);
  if ('cluster' in destination || !finalizers.includes(resourcesFinalizer)) return application;
  const rest = finalizers.filter((finalizer) => finalizer !== resourcesFinalizer);
  const patch = { metadata: { finalizers: rest.length > 0 ? rest : null } };
  env.log.info('the destination of a deleted Application is not known: its resources are left', {
    application: application.metadata.name,
  });
  return env.client.patch<Application>(type, keyOf(application), 'merge', patch);
}

function throwFirst(failures: ReadonlyMap<string, unknown>): void {
  const [first] = [...failures].sort(([a], [b]) => (a < b ? -1 : 1));
  if (first) throw first[1] instanceof Error ? first[1] : new Error(messageOf(first[1]));
}

function record({ events }: ApplyEnv, set: ApplicationSet, reason: string, note: string): void {
  events.record({ regarding: set, type: 'Normal', reason, action: 'Reconcile', note });
}
