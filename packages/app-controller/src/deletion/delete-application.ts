import { type Application, applicationKind } from '@fairlead/api';
import { find, formatTime, type KubeObject, messageOf } from '@fairlead/apimachinery';
import {
  describeId,
  explainFailure,
  helmAnnotations,
  hookFinalizer,
  idKey,
  isDefinition,
  knownAnnotations,
  type ResourceId,
  readObject,
  resourceIdOf,
  syncOptions,
  trackingName,
  waveOf,
} from '@fairlead/engine';
import type { Cluster } from '../cluster/cluster.ts';
import { isClusterProblem } from '../cluster/clusters.ts';
import { concurrently } from '../concurrently.ts';
import { isResourcePermitted } from '../project/project.ts';
import { keyOfApplication, projectOf, type ReconcileEnv } from '../reconcile-env.ts';
import { conditionTypesWhere, setConditions } from '../status/conditions.ts';
import { awaitsConfirmation } from '../status/resource-status.ts';
import { readResources } from '../status/resource-store.ts';
import { writeChange } from '../status/write-status.ts';
import { retryTransient } from '../sync/retry-transient.ts';
import { deletingCluster } from './deleting-cluster.ts';
import { isApproved } from './deletion-approval.ts';
import { isBackground, type Stage, stageOf, stages, writeFinalizers } from './deletion-finalizers.ts';
import { cleanUpDeletionHooks, runDeletionHooks } from './deletion-hooks.ts';
import { deleteOwned, releaseHook } from './object-deletion.ts';

export interface DeletionResult {
  /** Not finished: reconcile again after this delay. */
  readonly requeueAfter?: number;
}

/** The progress of one stage of a deletion. Without new problems, the previous ones are kept. */
type StageProgress = 'done' | { readonly problems?: readonly string[]; readonly requeueAfter: number };

/**
 * Continues the deletion of an Application: PreDelete hooks, its objects with the last wave first, PostDelete hooks, cleanup. Each stage
 * has a finalizer on the Application, which is removed when the stage is done, so the progress is visible.
 */
export async function deleteApplication(
  env: ReconcileEnv,
  seen: Application,
  signal: AbortSignal,
): Promise<DeletionResult> {
  let application: Application | undefined = seen;
  for (;;) {
    application = await reread(env, application, signal);
    const stage = application?.metadata.deletionTimestamp && stageOf(application);
    if (!application || !stage) return {};
    const project = application.spec.project || 'default';
    if (!projectOf(env)(project)) {
      const message = `error getting app project "${project}": appproject.argoproj.io "${project}" not found`;
      await writeProblems(env, application, [message], signal);
      return { requeueAfter: env.settings.pollMs };
    }
    const cluster = env.clusters.find(application.spec.destination ?? {});
    if (isClusterProblem(cluster)) {
      if (cluster.problem !== 'NotFound') {
        await writeProblems(env, application, [cluster.message], signal);
        return { requeueAfter: env.settings.pollMs };
      }
      warnOfLeftovers(env, application, cluster.message);
      await writeFinalizers(env, application, without(application, Object.values(stages).flat()), signal);
      continue;
    }
    const progress = await runStageAs(env, application, stage, cluster, signal);
    if (progress !== 'done') {
      if (progress.problems) await writeProblems(env, application, progress.problems, signal);
      return { requeueAfter: progress.requeueAfter };
    }
    await writeFinalizers(env, application, without(application, stages[stage]), signal);
  }
}

const without = ({ metadata: { finalizers = [] } }: Application, names: readonly string[]): string[] =>
  finalizers.filter((name) => !names.includes(name));

async function reread(
  env: ReconcileEnv,
  application: Application,
  signal: AbortSignal,
): Promise<Application | undefined> {
  const key = keyOfApplication(application);
  const found = await find(env.client.get<Application>(applicationKind.type, key, { signal }));
  return found?.metadata.uid === application.metadata.uid ? found : undefined;
}

/** A stage with the permissions of the service account that the project names. */
async function runStageAs(
  env: ReconcileEnv,
  application: Application,
  stage: Stage,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<StageProgress> {
  let acting: Cluster;
  try {
    acting = deletingCluster(env, application, cluster);
  } catch (error) {
    const problem = `cannot apply impersonation: error deriving service account to impersonate: ${messageOf(error)}`;
    return { problems: [problem], requeueAfter: env.settings.pollMs };
  }
  return runStage(env, application, stage, acting, signal);
}

async function runStage(
  env: ReconcileEnv,
  application: Application,
  stage: Stage,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<StageProgress> {
  switch (stage) {
    case 'preDelete':
    case 'postDelete':
      return runHooks(env, application, stage, cluster, signal);
    case 'preDeleteCleanup':
    case 'postDeleteCleanup':
      await cleanUpDeletionHooks(
        env,
        application,
        stage === 'preDeleteCleanup' ? 'PreDelete' : 'PostDelete',
        cluster,
        signal,
      );
      return 'done';
    case 'resources':
      return deleteResources(env, application, cluster, signal);
  }
}

/** How long a failed deletion hook is kept for inspection before it is retried, in reconciles. */
const pollsBeforeRetry = 5;

async function runHooks(
  env: ReconcileEnv,
  application: Application,
  stage: 'preDelete' | 'postDelete',
  cluster: Cluster,
  signal: AbortSignal,
): Promise<StageProgress> {
  const kind = stage === 'preDelete' ? 'PreDelete' : 'PostDelete';
  const hookRetryMs = pollsBeforeRetry * env.settings.pollMs;
  const failed = (problem: string): string =>
    `${problem}: fix it, or remove the finalizer ${stages[stage][0]} from the Application to continue without it`;
  try {
    const progress = await runDeletionHooks(env, application, kind, cluster, signal);
    if (progress.done) return 'done';
    if ('waiting' in progress) return { requeueAfter: env.settings.pollMs };
    const problem = failed(`${kind} hook: ${progress.failure}`);
    const said = application.status?.conditions?.find(({ message }) => message === problem)?.lastTransitionTime;
    if (said === undefined || env.clock.now() < Date.parse(said) + hookRetryMs) {
      return { problems: [problem], requeueAfter: hookRetryMs };
    }
    await progress.again?.();
    return { requeueAfter: env.settings.pollMs };
  } catch (error) {
    if (signal.aborted) throw error;
    const problem = `${kind} hooks cannot be loaded from the source: ${messageOf(error)}`;
    return { problems: [failed(problem)], requeueAfter: hookRetryMs };
  }
}

async function deleteResources(
  env: ReconcileEnv,
  application: Application,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<StageProgress> {
  const left = (await remaining(env, application, cluster, signal)).filter((object) =>
    isDeletable(env, application, cluster, object),
  );
  if (left.length === 0) return 'done';
  const requeueAfter = env.settings.pollMs;
  const unapproved = left.filter((object) => awaitsConfirmation(object, application.spec.syncPolicy?.syncOptions));
  if (unapproved.length > 0 && !isApproved(application, Date.parse(application.metadata.deletionTimestamp ?? ''))) {
    const names = unapproved.map((object) => describeId(resourceIdOf(object))).join(', ');
    const how = `annotate the Application with ${knownAnnotations.deletionApproved.name}: ${application.metadata.deletionTimestamp}`;
    return { problems: [`${names} may be deleted only with approval: ${how}`], requeueAfter: requeueAfter };
  }
  const last = Math.max(...left.map(waveOf));
  const propagation = isBackground(application) ? 'Background' : 'Foreground';
  const access = { cluster, clock: env.clock, signal };
  const app = trackingName(keyOfApplication(application), env.settings.namespace);
  const errors = await concurrently(
    left.filter((object) => waveOf(object) === last),
    async (object) => {
      try {
        if (object.metadata.finalizers?.includes(hookFinalizer)) await releaseHook(access, object);
        const { uid } = object.metadata;
        await deleteOwned(access, () => readById(env, cluster, resourceIdOf(object), signal), {
          isOurs: (live) => cluster.live.tracker.ownerOf(live) === app && isDeletable(env, application, cluster, live),
          propagation,
          ...(uid ? { uid } : {}),
        });
        return [];
      } catch (error) {
        if (signal.aborted) throw error;
        return [`${describeId(resourceIdOf(object))}: ${explainFailure(error)}`];
      }
    },
  );
  return { problems: errors.flat(), requeueAfter: requeueAfter };
}

/**
 * The live objects of the Application: those in the cache, and those in its status, read from the server. A watch may be behind a sync that
 * has just ended, and an object that is missed now would stay forever.
 */
async function remaining(
  env: ReconcileEnv,
  application: Application,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<KubeObject[]> {
  const app = trackingName(keyOfApplication(application), env.settings.namespace);
  const results = application.status?.operationState?.syncResult?.resources ?? [];
  const named = [...(await readResources(env.client, application, signal)), ...results].map(
    ({ group = '', kind = '', namespace = '', name = '' }): ResourceId => ({ group, kind, namespace, name }),
  );
  const ids = new Map([...named, ...cluster.live.objectsOf(app).map(resourceIdOf)].map((id) => [idKey(id), id]));
  const found = await concurrently([...ids.values()], async (id) => {
    const live = await readById(env, cluster, id, signal);
    return live && cluster.live.tracker.ownerOf(live) === app ? [live] : [];
  });
  // Results list objects without a namespace in that of the destination.
  return [...new Map(found.flat().map((object) => [idKey(resourceIdOf(object)), object])).values()];
}

const readById = (
  { clock }: ReconcileEnv,
  cluster: Cluster,
  id: ResourceId,
  signal: AbortSignal,
): Promise<KubeObject | undefined> => retryTransient({ clock, signal }, () => readObject(cluster, id, { signal }));

const optionOf = ({ spec }: Application, object: KubeObject): string | undefined =>
  syncOptions(spec.syncPolicy?.syncOptions, object).get('Delete');

/**
 * Deleting a CustomResourceDefinition deletes all objects of its kind, of any Application: it is never deleted with an Application. Neither
 * are objects with Delete=false, objects that the project does not permit, or the Application itself, if it is among its own objects.
 */
function isDeletable(env: ReconcileEnv, application: Application, cluster: Cluster, object: KubeObject): boolean {
  if (isDefinition(object) || optionOf(application, object) === 'false') return false;
  const policy = object.metadata.annotations?.[helmAnnotations.resourcePolicy] ?? '';
  if (policy.split(',').some((word) => word.trim() === 'keep')) return false;
  if (object.metadata.uid === application.metadata.uid) return false;
  const project = projectOf(env)(application.spec.project || 'default');
  return !project || isResourcePermitted(project, cluster, resourceIdOf(object));
}

async function writeProblems(
  env: ReconcileEnv,
  application: Application,
  problems: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { conditions: before = [] } = application.status ?? {};
  if (problems.length === 0 && !before.some(({ type }) => type === 'DeletionError')) return;
  const conditions = setConditions(
    before,
    conditionTypesWhere(({ writer }) => writer === 'deletion'),
    problems.map((message) => ({ type: 'DeletionError' as const, message })),
    formatTime(env.clock.now()),
  );
  for (const message of problems) {
    if (before.some((one) => one.type === 'DeletionError' && one.message === message)) continue;
    warn(env, application, message);
  }
  await writeChange(env, application, { status: { conditions } }, signal);
}

/** On an unknown cluster nothing can be deleted; the user should know which objects may remain. */
function warnOfLeftovers(env: ReconcileEnv, application: Application, problem: string): void {
  const app = trackingName(keyOfApplication(application), env.settings.namespace);
  warn(
    env,
    application,
    `${problem}. The Application is deleted without its objects: those that remain have the annotation ${knownAnnotations.trackingId.name} starting with ${app}:`,
  );
}

function warn(env: ReconcileEnv, regarding: Application, note: string): void {
  env.log.warn('the deletion of an Application is blocked', { application: regarding.metadata.name, note });
  env.events.record({
    regarding,
    type: 'Warning',
    reason: 'DeletionError',
    action: 'Delete',
    note: note.slice(0, 1000),
  });
}
