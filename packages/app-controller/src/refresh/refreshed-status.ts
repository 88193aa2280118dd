import type { Application, ApplicationStatus, ResourceStatus } from '@fairlead/api';
import { at, equalJson, formatTime } from '@fairlead/apimachinery';
import { sourcesOf } from '../source/desired-state.ts';
import { conditionTypesWhere, type NewCondition, setConditions, truncateConditions } from '../status/conditions.ts';
import { summaryOf, type Trees } from '../status/resource-status.ts';
import type { Observation } from './observe.ts';
import { comparedTo, type RefreshLevel } from './refresh.ts';

const owned = conditionTypesWhere(({ writer }) => writer === 'refresh');

export interface Refreshed extends Pick<Observation, 'desired' | 'comparison'> {
  readonly resources: ResourceStatus[];
  readonly conditions: readonly NewCondition[];
  readonly level: RefreshLevel;
  readonly now: number;
  readonly controllerNamespace: string;
  /** The dependents of the objects of the Application. */
  readonly live?: Trees;
}

/** The status of an Application that was compared. */
export function refreshedStatus(application: Application, refreshed: Refreshed): Partial<ApplicationStatus> {
  const { desired, comparison, resources, conditions, level } = refreshed;
  const { spec, status = {} } = application;
  const now = formatTime(refreshed.now);
  const many = (spec.sources ?? []).length > 0;
  const compared: Partial<ApplicationStatus> = {
    sync: {
      status: comparison.sync,
      comparedTo: comparedTo(spec),
      ...(many ? { revisions: [...desired.revisions] } : { revision: desired.revisions[0] ?? '' }),
    },
    health: {
      status: comparison.health,
      ...(comparison.healthCauses === '' ? {} : { message: comparison.healthCauses }),
      lastTransitionTime: transition(status.health, comparison.health, now),
    },
    resources,
    conditions: setConditions(status.conditions, owned, truncateConditions(conditions), now),
    summary: summaryOf(application, comparison.resources, refreshed.live),
    controllerNamespace: refreshed.controllerNamespace,
    ...(many ? { sourceTypes: [...desired.types] } : desired.types[0] ? { sourceType: desired.types[0] } : {}),
  };
  // The time of a comparison is written with its result; an unchanged result is not written.
  const dated = status.reconciledAt === undefined || level >= 2;
  return (dated && isNew(status, compared)) || awaitsComparison(application)
    ? { ...compared, reconciledAt: now }
    : compared;
}

/**
 * Whether the last operation ended after the last dated comparison. Clients of Argo CD take an operation as complete only after a comparison
 * with a later date, so that one is dated even if it came to the same.
 */
export function awaitsComparison({ status }: Application): boolean {
  const ended = Date.parse(status?.operationState?.finishedAt ?? '');
  return ended > (Date.parse(status?.reconciledAt ?? '') || 0);
}

/**
 * The date of a comparison from before the end of an operation. Dates are whole seconds: in the second in which the operation ended, an older
 * comparison would look like the one after it that clients wait for.
 */
export function dateBefore({ status }: Application, ended: string): Pick<ApplicationStatus, 'reconciledAt'> {
  const compared = Date.parse(status?.reconciledAt ?? '');
  return compared >= Date.parse(ended) ? { reconciledAt: formatTime(Date.parse(ended) - 1_000) } : {};
}

/** The status of an Application whose spec or cluster prevents a comparison. Without `health`, the last known health is kept. */
export function failedStatus(
  application: Application,
  conditions: readonly NewCondition[],
  at: number,
  health = application.status?.health?.status ?? 'Unknown',
): Partial<ApplicationStatus> {
  const { spec, status = {} } = application;
  const now = formatTime(at);
  const { revision, revisions } = status.sync ?? {};
  return {
    sync: {
      status: 'Unknown',
      comparedTo: comparedTo(spec),
      ...(revision ? { revision } : {}),
      ...(revisions ? { revisions } : {}),
    },
    health: { status: health, lastTransitionTime: transition(status.health, health, now) },
    conditions: setConditions(status.conditions, owned, truncateConditions(conditions), now),
    ...(awaitsComparison(application) ? { reconciledAt: now } : {}),
  };
}

/** The same, with the requested revision, as Argo CD reports it if the settings do not define how to compare. */
export function unsettledStatus(
  application: Application,
  conditions: readonly NewCondition[],
  at: number,
  health?: string,
): Partial<ApplicationStatus> {
  const { spec } = application;
  const asked = sourcesOf(spec).map(({ targetRevision = '' }) => targetRevision);
  const many = (spec.sources ?? []).length > 0;
  return {
    ...failedStatus(application, conditions, at, health),
    sync: {
      status: 'Unknown',
      comparedTo: comparedTo(spec),
      ...(many ? { revisions: asked } : asked[0] ? { revision: asked[0] } : {}),
    },
  };
}

/**
 * The status of an Application whose source cannot be read: live objects have not changed, but the target state is unknown. The revision is
 * the requested one.
 */
export function sourceFailedStatus(
  application: Application,
  conditions: readonly NewCondition[],
  at: number,
): Partial<ApplicationStatus> {
  const { spec, status = {} } = application;
  const many = (spec.sources ?? []).length > 0;
  const live = (status.resources ?? []).filter(({ health }) => health?.status !== 'Missing');
  return {
    ...unsettledStatus(application, conditions, at),
    ...(many ? { sourceTypes: [] } : { sourceType: '' }),
    resources: live.map((resource) =>
      resource.hook ? resource : { ...resource, status: 'Unknown', requiresPruning: true },
    ),
  };
}

const transition = (before: ApplicationStatus['health'], status: string, now: string): string =>
  before?.status === status && before.lastTransitionTime ? before.lastTransitionTime : now;

const isNew = (before: ApplicationStatus, after: Partial<ApplicationStatus>): boolean =>
  Object.entries(after).some(([name, value]) => !equalJson(at(before, name), value));
