import { type KubeObject, messageOf } from '@fairlead/apimachinery';
import {
  type Difference,
  describeId,
  type Health,
  type HealthStatus,
  hookKinds,
  idKey,
  knownAnnotations,
  type ResourceId,
  resourceIdOf,
  type SyncItem,
  worstOf,
} from '@fairlead/engine';
import type { NewCondition } from '../status/conditions.ts';
import { whyNotHealthy, whyNotSynced } from './compare-reasons.ts';
import type { Target, Targets } from './targets.ts';

export type SyncCode = 'Synced' | 'OutOfSync' | 'Unknown';

export interface ComparedResource extends SyncItem {
  readonly id: ResourceId;
  /** Absent for what has no part in the sync status: hooks, and what is ignored. */
  readonly status?: SyncCode;
  readonly requiresPruning: boolean;
  /** A live object that a hook left behind. */
  readonly hook?: true;
  /** Left over, and said to be of no importance by its own annotation. */
  readonly ignorable?: true;
  readonly health?: Health;
  /** Whether its health counts for the Application's. */
  readonly healthCounts?: false;
  /** Fields that differ; empty when the object is missing or to be pruned. */
  readonly fields: readonly string[];
}

export interface Comparison {
  readonly sync: SyncCode;
  readonly health: HealthStatus;
  readonly resources: readonly ComparedResource[];
  /** Hooks that the source has. */
  readonly hooks: readonly Target[];
  readonly conditions: readonly NewCondition[];
}

export interface CompareInput {
  /** The Application's name in tracking ids. */
  readonly app: string;
  readonly targets: Targets;
  /** Live objects that carry the Application's mark, and those that its targets name. */
  readonly live: readonly KubeObject[];
  /** The Application that a live object belongs to. */
  readonly ownerOf: (object: KubeObject) => string | undefined;
  /** How a live object differs from its target. An error makes the status of this one object Unknown. */
  readonly differ: (target: KubeObject, live: KubeObject) => Difference;
  readonly assess: (live: KubeObject) => Health | undefined;
  /** Whether an object that nobody wants any more may be pruned: else it is left alone. */
  readonly mayPrune?: (id: ResourceId) => boolean;
  /** The destination's namespace, where the Application manages its labels and annotations: it is never left over. */
  readonly managedNamespace?: string;
}

/** Target state against live state: what is in sync, what is not and why, and the health of everything. */
export function compare(input: CompareInput): Comparison {
  const { app, targets, live, ownerOf, differ, assess } = input;
  const liveById = new Map(live.map((object) => [idKey(resourceIdOf(object)), object]));
  const resources: ComparedResource[] = [];
  const conditions: NewCondition[] = [...targets.conditions];
  for (const target of targets.targets) {
    const found = taken(liveById, target);
    const { resource, problem } = compareTarget(target, found, differ, assess);
    resources.push(resource);
    if (problem) conditions.push(problem);
    const other = found && ownerOf(found);
    if (other !== undefined && other !== app) {
      conditions.push({
        type: 'SharedResourceWarning',
        message: `${target.id.kind}/${target.id.name} is part of applications ${app} and ${other}: remove it from one of them`,
      });
    }
  }
  for (const [key, object] of liveById) {
    if (ownerOf(object) !== app || targets.withheld.has(key)) continue;
    const id = resourceIdOf(object);
    if (input.mayPrune?.(id) === false) {
      const message = `${describeId(id)} is live and no longer in the source, but not permitted in the project: it is not pruned`;
      conditions.push({ type: 'ExcludedResourceWarning', message });
    } else if (id.kind === 'Namespace' && id.group === '' && id.name === input.managedNamespace) {
      resources.push({
        id,
        live: object,
        status: 'Synced',
        requiresPruning: false,
        fields: [],
        ...healthOf(object, assess),
      });
    } else resources.push(extraneous(id, object, assess));
  }
  resources.sort((a, b) => (idKey(a.id) < idKey(b.id) ? -1 : 1));
  const differs = resources.some(({ status, ignorable }) => status === 'OutOfSync' && !ignorable);
  const failed = conditions.some(({ type }) => type === 'ComparisonError');
  const sync = failed ? 'Unknown' : differs ? 'OutOfSync' : 'Synced';
  const counted = resources.filter((resource) => resource.healthCounts !== false);
  const health = worstOf(counted.flatMap((resource) => resource.health?.status ?? []));
  return {
    sync,
    health,
    resources,
    hooks: targets.hooks,
    conditions: [...conditions, ...whyNotSynced(resources), ...whyNotHealthy(counted, health)],
  };
}

/** The live object of a target, taken out of those that are left. A kind of unknown scope is looked for in both places. */
function taken(live: Map<string, KubeObject>, { id, otherLocation }: Target): KubeObject | undefined {
  for (const place of otherLocation ? [id, otherLocation] : [id]) {
    const found = live.get(idKey(place));
    if (!found) continue;
    live.delete(idKey(place));
    return found;
  }
  return undefined;
}

function compareTarget(
  { id, object }: Target,
  live: KubeObject | undefined,
  differ: CompareInput['differ'],
  assess: CompareInput['assess'],
): { readonly resource: ComparedResource; readonly problem?: NewCondition } {
  const shared = { id, target: object, requiresPruning: false };
  if (!live)
    return {
      resource: { ...shared, status: 'OutOfSync', health: { status: 'Missing' }, fields: [], ...countsOf(object) },
    };
  const found = { ...shared, live, ...healthOf(live, assess) };
  try {
    const { modified, fields } = differ(object, live);
    return { resource: { ...found, status: modified ? 'OutOfSync' : 'Synced', fields } };
  } catch (error) {
    const message = `${describeId(id)} cannot be compared: ${messageOf(error)}`;
    return { resource: { ...found, status: 'Unknown', fields: [] }, problem: { type: 'UnknownError', message } };
  }
}

/** Live, ours, and not desired: to be pruned, unless a hook left it. */
function extraneous(id: ResourceId, live: KubeObject, assess: CompareInput['assess']): ComparedResource {
  const shared = { id, live, fields: [] };
  if (isHookOrIgnored(live)) {
    return { ...shared, hook: true, requiresPruning: false, ...healthOf(live, assess), healthCounts: false };
  }
  const options = live.metadata.annotations?.[knownAnnotations.compareOptions.name] ?? '';
  const ignorable = options.split(',').some((option) => option.trim() === 'IgnoreExtraneous');
  return {
    ...shared,
    status: 'OutOfSync',
    requiresPruning: true,
    ...(ignorable ? { ignorable } : {}),
    ...healthOf(live, assess),
  };
}

const isHookOrIgnored = (object: KubeObject): boolean =>
  hookKinds(object).length > 0 || object.metadata.annotations?.[knownAnnotations.hook.name] !== undefined;

function healthOf(live: KubeObject, assess: CompareInput['assess']): Pick<ComparedResource, 'health' | 'healthCounts'> {
  const health = assess(live);
  return health ? { health, ...countsOf(live, health) } : {};
}

/** A child Application without a known health does not count for its parent; nor does an object that is annotated to be ignored. */
function countsOf(object: KubeObject, health?: Health): Pick<ComparedResource, 'healthCounts'> {
  const ignored = object.metadata.annotations?.[knownAnnotations.ignoreHealthcheck.name] === 'true';
  const child = object.kind === 'Application' && object.apiVersion.startsWith('argoproj.io/');
  const vague = child && (!health || health.status === 'Missing' || health.status === 'Unknown');
  return ignored || vague ? { healthCounts: false } : {};
}
