import { type Application, type ApplicationStatus, applicationKind } from '@fairlead/api';
import { equalJson } from '@fairlead/engine';
import { ApiError, isConflict, isNotFound, type Json } from '@fairlead/kube';
import { RenderError } from '@fairlead/render';
import { type AutoSync, decideAutoSync } from './auto-sync.ts';
import { type Condition, type ConditionType, setConditions } from './conditions.ts';
import { type DesiredState, sourcesOf, unlessUnchanged } from './desired-state.ts';
import { statusChanges, syncStarted } from './events.ts';
import { guard } from './guard.ts';
import { type Observation, observe } from './observe.ts';
import { comparedTo, type Refresh, refreshAnnotation } from './refresh.ts';
import { resourceStatus, summaryOf } from './resource-status.ts';
import { heldBy, warnings } from './unsupported.ts';
import { instant, keyOfApplication, projectOf, type World } from './world.ts';
import { writeChange } from './write-status.ts';

/** The conditions that a refresh speaks for. */
const owned: ReadonlySet<ConditionType> = new Set<ConditionType>([
  'InvalidSpecError',
  'ComparisonError',
  'SyncError',
  'UnknownError',
  'SharedResourceWarning',
  'RepeatedResourceWarning',
  'ExcludedResourceWarning',
  'OrphanedResourceWarning',
  'InvalidAnnotationWarning',
  'NotSupportedWarning',
  'NondeterministicWarning',
  'OutOfSync',
  'NotHealthy',
]);

export interface RefreshResult {
  /** Look again after so long, if nothing happens before. */
  readonly retryMs?: number;
  /** What the sources said, to be given to the next refresh. */
  readonly desired?: DesiredState;
}

/** Compares an Application with its cluster, says in its status what was found, and starts a sync where that is its policy. */
export async function refreshApplication(
  world: World,
  seen: Application,
  refresh: Refresh,
  before: DesiredState | undefined,
  signal: AbortSignal,
): Promise<RefreshResult> {
  const application = await withoutRefreshAnnotation(world, seen, signal);
  const guarded = guard(application, {
    project: projectOf(world),
    clusters: world.clusters,
    controlPlaneNamespace: world.settings.namespace,
  });
  if (!guarded.permitted) {
    await writeFailure(world, application, guarded.conditions, { sync: 'Unknown', health: 'Unknown' }, signal);
    return {};
  }
  let observation: Observation;
  try {
    // Where the last look at the source failed, its revision is not known, and an older one is no answer.
    const known = application.status?.sync?.status !== 'Unknown';
    const revisions = refresh.level < 2 && known ? lastRevisions(application) : undefined;
    observation = await observe(world, application, guarded, sourcesOf(application.spec), {
      ...(revisions ? { revisions } : {}),
      fresh: refresh.level === 3,
      hard: refresh.hard,
      signal,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    // What is live has not changed because the source cannot be read: health and resources stay as they were last seen.
    const conditions: Condition[] = [{ type: 'ComparisonError', message: (error as Error).message }];
    await writeFailure(world, application, conditions, { sync: 'Unknown' }, signal);
    return mayPass(error) ? { retryMs: 10_000 } : {};
  }
  const { comparison } = observation;
  const desired = unlessUnchanged(before, observation.desired);
  const held = heldBy(guarded.project);
  const decision = decideAutoSync({
    application,
    comparison,
    revisions: desired.revisions,
    now: world.clock.now(),
    ...(held ? { held } : {}),
  });
  const conditions = [
    ...comparison.conditions,
    ...warnings(application, guarded.project),
    ...chanceOf(desired),
    ...(decision.kind === 'refuse' ? [decision.condition] : []),
  ];
  const updated = await writeChange(
    world,
    application,
    { status: statusOf(world, application, { desired, comparison }, conditions) },
    signal,
  );
  for (const event of statusChanges(application, updated)) world.events.record(event);
  return { desired, ...(await startSync(world, updated, decision, signal)) };
}

const lastRevisions = ({ status }: Application): readonly string[] | undefined =>
  status?.sync?.revisions ?? (status?.sync?.revision ? [status.sync.revision] : undefined);

/** An error that says that trying again may help. What cannot be rendered stays so until the source or the Application changes. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof RenderError) &&
  (error instanceof ApiError ? error.retriable : (error as { retriable?: boolean }).retriable !== false);

/** What templates make anew at every render cannot be compared with what was made before. */
const chanceOf = ({ rendered }: DesiredState): Condition[] => {
  const names = [...new Set(rendered.flatMap((one) => one?.nondeterministic ?? []))].sort();
  if (names.length === 0) return [];
  return [
    {
      type: 'NondeterministicWarning',
      message: `templates use ${names.join(', ')}, which give something else at every render: set the value, or keep it in a Secret`,
    },
  ];
};

async function startSync(
  world: World,
  application: Application,
  decision: AutoSync,
  signal: AbortSignal,
): Promise<RefreshResult> {
  if (decision.kind === 'later') return { retryMs: decision.ms };
  if (decision.kind !== 'sync') return {};
  try {
    await writeChange(world, application, { status: {}, operation: decision.operation, exact: true }, signal);
    const { revisions, revision = '' } = decision.operation.sync ?? {};
    world.events.record(syncStarted(application, revisions?.join(', ') ?? revision));
    return {};
  } catch (error) {
    // Someone else wrote meanwhile, perhaps an operation: decide again on what is there now.
    if (isConflict(error)) return { retryMs: 100 };
    throw error;
  }
}

function statusOf(
  world: World,
  application: Application,
  { desired, comparison }: Observation,
  conditions: readonly Condition[],
): Partial<ApplicationStatus> {
  const { spec, status = {} } = application;
  const now = instant(world.clock.now());
  const many = (spec.sources ?? []).length > 0;
  const compared: Partial<ApplicationStatus> = {
    sync: {
      status: comparison.sync,
      comparedTo: comparedTo(spec),
      ...(many ? { revisions: [...desired.revisions] } : { revision: desired.revisions[0] ?? '' }),
    },
    health: { status: comparison.health, lastTransitionTime: transition(status.health, comparison.health, now) },
    resources: comparison.resources.map(resourceStatus),
    conditions: setConditions(status.conditions, owned, conditions, now),
    summary: summaryOf(application, comparison.resources),
    controllerNamespace: world.settings.namespace,
    ...(many ? { sourceTypes: [...desired.types] } : desired.types[0] ? { sourceType: desired.types[0] } : {}),
  };
  return isNew(status, compared) ? { ...compared, reconciledAt: now } : compared;
}

const transition = (before: ApplicationStatus['health'], status: string, now: string): string =>
  before?.status === status && before.lastTransitionTime ? before.lastTransitionTime : now;

/** The time of a comparison is written with its outcome; one that came to the same is not worth a write. */
const isNew = (before: ApplicationStatus, after: Partial<ApplicationStatus>): boolean =>
  Object.entries(after).some(
    ([name, value]) => !equalJson(before[name as keyof ApplicationStatus] as Json | undefined, value as Json),
  );

async function writeFailure(
  world: World,
  application: Application,
  conditions: readonly Condition[],
  codes: { readonly sync: string; readonly health?: string },
  signal: AbortSignal,
): Promise<void> {
  const now = instant(world.clock.now());
  const { status = {} } = application;
  const health = codes.health ?? status.health?.status ?? 'Unknown';
  const { revision, revisions } = status.sync ?? {};
  const updated = await writeChange(
    world,
    application,
    {
      status: {
        sync: {
          status: codes.sync,
          comparedTo: comparedTo(application.spec),
          ...(revision ? { revision } : {}),
          ...(revisions ? { revisions } : {}),
        },
        health: { status: health, lastTransitionTime: transition(status.health, health, now) },
        conditions: setConditions(status.conditions, owned, conditions, now),
      },
    },
    signal,
  );
  for (const event of statusChanges(application, updated)) world.events.record(event);
}

/** Taken away only if it is still the one that was seen: a newer request is not lost. */
async function withoutRefreshAnnotation(
  world: World,
  application: Application,
  signal: AbortSignal,
): Promise<Application> {
  const value = application.metadata.annotations?.[refreshAnnotation];
  if (value === undefined) return application;
  const path = `/metadata/annotations/${refreshAnnotation.replaceAll('/', '~1')}`;
  const patch = [
    { op: 'test', path, value },
    { op: 'remove', path },
  ];
  try {
    const written = await world.client.patch<Application>(
      applicationKind.type,
      keyOfApplication(application),
      'json',
      patch,
      { signal },
    );
    world.applications.wrote(written);
    return written;
  } catch (error) {
    if (isNotFound(error) || isConflict(error) || (error instanceof ApiError && error.code === 422)) return application;
    throw error;
  }
}
