import { type Application, applicationKind } from '@fairlead/api';
import { isNotFound, type KubeObject } from '@fairlead/apimachinery';
import {
  describeId,
  explainFailure,
  hookFinalizer,
  idKey,
  isDefinition,
  type ResourceId,
  resourceIdOf,
  syncOptions,
  trackingName,
  waveOf,
} from '@fairlead/engine';
import type { Cluster } from '../cluster/cluster.ts';
import { isClusterProblem } from '../cluster/clusters.ts';
import { concurrently } from '../concurrently.ts';
import { isResourcePermitted } from '../project/project.ts';
import { instant, keyOfApplication, projectOf, type World } from '../reconcile-env.ts';
import { setConditions } from '../status/conditions.ts';
import { readResources } from '../status/resource-store.ts';
import { writeChange } from '../status/write-status.ts';
import { patiently } from '../sync/retry-transient.ts';
import { isApproved } from './deletion-approval.ts';
import { isBackground, type Stage, stageOf, stages, writeFinalizers } from './deletion-finalizers.ts';
import { cleanUpDeletionHooks, runDeletionHooks } from './deletion-hooks.ts';
import { deleteOwned, releaseHook } from './object-deletion.ts';

export interface DeletionResult {
  /** It is not over: look again after so long. */
  readonly againMs?: number;
}

/** Where one stage of a deletion stands. Without problems named, those that were found before stay as they are. */
type StageProgress = 'done' | { readonly problems?: readonly string[]; readonly againMs: number };

/**
 * Carries the deletion of an Application on: PreDelete hooks, its objects with the last wave first, PostDelete hooks, cleaning up. Each
 * stage is held by a finalizer of the Application, which goes when the stage is done: so it is known everywhere how far things are.
 */
export async function deleteApplication(world: World, seen: Application, signal: AbortSignal): Promise<DeletionResult> {
  let application: Application | undefined = seen;
  for (;;) {
    application = await reread(world, application, signal);
    const stage = application?.metadata.deletionTimestamp && stageOf(application);
    if (!application || !stage) return {};
    const cluster = world.clusters.find(application.spec.destination ?? {});
    if (isClusterProblem(cluster)) {
      if (cluster.problem !== 'NotFound') {
        await report(world, application, [cluster.message], signal);
        return { againMs: world.settings.pollMs };
      }
      letGo(world, application, cluster.message);
      await writeFinalizers(world, application, without(application, Object.values(stages).flat()), signal);
      continue;
    }
    const progress = await carryOn(world, application, stage, cluster, signal);
    if (progress !== 'done') {
      if (progress.problems) await report(world, application, progress.problems, signal);
      return { againMs: progress.againMs };
    }
    await writeFinalizers(world, application, without(application, stages[stage]), signal);
  }
}

const without = ({ metadata: { finalizers = [] } }: Application, names: readonly string[]): string[] =>
  finalizers.filter((name) => !names.includes(name));

function reread(world: World, application: Application, signal: AbortSignal): Promise<Application | undefined> {
  return world.client
    .get<Application>(applicationKind.type, keyOfApplication(application), { signal })
    .then((found) => (found.metadata.uid === application.metadata.uid ? found : undefined))
    .catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
}

async function carryOn(
  world: World,
  application: Application,
  stage: Stage,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<StageProgress> {
  switch (stage) {
    case 'preDelete':
    case 'postDelete':
      return runHooks(world, application, stage, cluster, signal);
    case 'preDeleteCleanup':
    case 'postDeleteCleanup':
      await cleanUpDeletionHooks(
        world,
        application,
        stage === 'preDeleteCleanup' ? 'PreDelete' : 'PostDelete',
        cluster,
        signal,
      );
      return 'done';
    case 'resources':
      return deleteResources(world, application, cluster, signal);
  }
}

/** How long a failed hook of a deletion is left for a person to look at before it is tried again, in looks. */
const looksBeforeRetry = 5;

async function runHooks(
  world: World,
  application: Application,
  stage: 'preDelete' | 'postDelete',
  cluster: Cluster,
  signal: AbortSignal,
): Promise<StageProgress> {
  const kind = stage === 'preDelete' ? 'PreDelete' : 'PostDelete';
  const hookRetryMs = looksBeforeRetry * world.settings.pollMs;
  const failed = (problem: string): string =>
    `${problem}: put it right, or take the finalizer ${stages[stage][0]} from the Application to go on without`;
  try {
    const progress = await runDeletionHooks(world, application, kind, cluster, signal);
    if (progress.done) return 'done';
    if ('waiting' in progress) return { againMs: world.settings.pollMs };
    const problem = failed(`${kind} hook: ${progress.failure}`);
    const said = application.status?.conditions?.find(({ message }) => message === problem)?.lastTransitionTime;
    if (said === undefined || world.clock.now() < Date.parse(said) + hookRetryMs) {
      return { problems: [problem], againMs: hookRetryMs };
    }
    await progress.again?.();
    return { againMs: world.settings.pollMs };
  } catch (error) {
    if (signal.aborted) throw error;
    const problem = `${kind} hooks cannot be read from the source: ${(error as Error).message}`;
    return { problems: [failed(problem)], againMs: hookRetryMs };
  }
}

async function deleteResources(
  world: World,
  application: Application,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<StageProgress> {
  const left = (await remaining(world, application, cluster, signal)).filter((object) =>
    isDeletable(world, application, cluster, object),
  );
  if (left.length === 0) return 'done';
  const againMs = world.settings.pollMs;
  const unapproved = left.filter((object) => optionOf(application, object) === 'confirm');
  if (unapproved.length > 0 && !isApproved(application, Date.parse(application.metadata.deletionTimestamp!))) {
    const names = unapproved.map((object) => describeId(resourceIdOf(object))).join(', ');
    const how = `annotate the Application with argocd.argoproj.io/deletion-approved: ${application.metadata.deletionTimestamp}`;
    return { problems: [`${names} may be deleted only with approval: ${how}`], againMs };
  }
  const last = Math.max(...left.map(waveOf));
  const propagation = isBackground(application) ? 'Background' : 'Foreground';
  const reach = { cluster, clock: world.clock, signal };
  const app = trackingName(keyOfApplication(application), world.settings.namespace);
  const errors = await concurrently(
    left.filter((object) => waveOf(object) === last),
    async (object) => {
      try {
        if (object.metadata.finalizers?.includes(hookFinalizer)) await releaseHook(reach, object);
        const { uid } = object.metadata;
        await deleteOwned(reach, () => readById(world, cluster, resourceIdOf(object), signal), {
          isOurs: (live) =>
            cluster.live.tracker.ownerOf(live) === app && isDeletable(world, application, cluster, live),
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
  return { problems: errors.flat(), againMs };
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
  const results = application.status?.operationState?.syncResult?.resources ?? [];
  const named = [...(await readResources(world.client, application, signal)), ...results].map(
    ({ group = '', kind = '', namespace = '', name = '' }): ResourceId => ({ group, kind, namespace, name }),
  );
  const ids = new Map([...named, ...cluster.live.objectsOf(app).map(resourceIdOf)].map((id) => [idKey(id), id]));
  const found = await concurrently([...ids.values()], async (id) => {
    const live = await readById(world, cluster, id, signal);
    return live && cluster.live.tracker.ownerOf(live) === app ? [live] : [];
  });
  return found.flat();
}

async function readById(
  { clock }: World,
  { kinds, client }: Cluster,
  { group, kind, namespace, name }: ResourceId,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const type = kinds.findAny(group, kind);
  if (!type) return undefined;
  return patiently({ clock, signal }, () =>
    client.get(type, type.namespaced ? { namespace, name } : { name }, { signal }).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    }),
  );
}

const optionOf = ({ spec }: Application, object: KubeObject): string | undefined =>
  syncOptions(spec.syncPolicy?.syncOptions, object).get('Delete');

/**
 * A definition takes all objects of its kind with it, whoever they belong to: it is never deleted with an Application. Nor is what asks to
 * be kept, what the project does not let us touch, or the Application itself, where it is among its own objects.
 */
function isDeletable(world: World, application: Application, cluster: Cluster, object: KubeObject): boolean {
  if (isDefinition(object) || optionOf(application, object) === 'false') return false;
  const policy = object.metadata.annotations?.['helm.sh/resource-policy'] ?? '';
  if (policy.split(',').some((word) => word.trim() === 'keep')) return false;
  if (object.metadata.uid === application.metadata.uid) return false;
  const project = projectOf(world)(application.spec.project || 'default');
  return !project || isResourcePermitted(project, cluster, resourceIdOf(object));
}

async function report(
  world: World,
  application: Application,
  problems: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { conditions: before = [] } = application.status ?? {};
  if (problems.length === 0 && !before.some(({ type }) => type === 'DeletionError')) return;
  const conditions = setConditions(
    before,
    new Set(['DeletionError']),
    problems.map((message) => ({ type: 'DeletionError' as const, message })),
    instant(world.clock.now()),
  );
  for (const message of problems) {
    if (before.some((one) => one.type === 'DeletionError' && one.message === message)) continue;
    warn(world, application, message);
  }
  await writeChange(world, application, { status: { conditions } }, signal);
}

/** Where nobody knows the cluster there is nothing that we could delete; a person should know what may still be there. */
function letGo(world: World, application: Application, problem: string): void {
  const app = trackingName(keyOfApplication(application), world.settings.namespace);
  warn(
    world,
    application,
    `${problem}. The Application goes without its objects: what is left of them has the annotation argocd.argoproj.io/tracking-id beginning with ${app}:`,
  );
}

function warn(world: World, regarding: Application, note: string): void {
  world.log.warn('the deletion of an Application is held up', { application: regarding.metadata.name, note });
  world.events.record({
    regarding,
    type: 'Warning',
    reason: 'DeletionError',
    action: 'Delete',
    note: note.slice(0, 1000),
  });
}
