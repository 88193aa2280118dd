import { type KubeObject, messageOf } from '@fairlead/apimachinery';
import {
  type Difference,
  DryRunRefused,
  describeId,
  type Health,
  type HealthStatus,
  hookKinds,
  idKey,
  isWorse,
  knownAnnotations,
  type ResourceId,
  resourceIdOf,
  type SyncItem,
  waveOf,
  worstOf,
} from '@fairlead/engine';
import type { Refusal } from '../project/project.ts';
import type { NewCondition } from '../status/conditions.ts';
import { healthCauses, isOutOfSync, whyNotHealthy, whyNotSynced } from './compare-reasons.ts';
import { isNamespace } from './managed-namespace.ts';
import type { EvaluationProblem } from './resource-evaluator.ts';
import type { Target, Targets } from './targets.ts';

export type SyncCode = 'Synced' | 'OutOfSync' | 'Unknown';

export interface ComparedResource extends SyncItem {
  readonly id: ResourceId;
  /** Absent for objects without a sync status: hooks, and ignored ones. */
  readonly status?: SyncCode;
  readonly requiresPruning: boolean;
  /** A live object that a hook left behind. */
  readonly hook?: true;
  /** Only listed, neither applied nor pruned: skipped by its annotation, or a copy with the tracking id of another object. */
  readonly unmanaged?: true;
  /** Only listed, because its annotation pauses it. */
  readonly paused?: true;
  /** Extraneous, and ignored by its annotation. */
  readonly ignorable?: true;
  /** The sync wave, if it is not that of the object itself. */
  readonly wave?: number;
  readonly health?: Health;
  /** Whether its health counts for the Application. */
  readonly healthCounts?: false;
  /** Why the project does not permit it. */
  readonly refusal?: Refusal;
  /** Fields that differ; empty when the object is missing or to be pruned. */
  readonly fields: readonly string[];
}

export interface Comparison {
  readonly sync: SyncCode;
  readonly health: HealthStatus;
  /** The objects that cause the health, if it is not Healthy. */
  readonly healthCauses: string;
  readonly resources: readonly ComparedResource[];
  /** Hooks in the source. */
  readonly hooks: readonly Target[];
  readonly conditions: readonly NewCondition[];
}

export interface CompareInput {
  /** The Application's name in tracking ids. */
  readonly app: string;
  /** Its namespace and name, as used in messages. */
  readonly qualifiedName: string;
  readonly targets: Targets;
  /** Live objects with the tracking id of the Application, and those that its targets name. */
  readonly live: readonly KubeObject[];
  /** The Application in the tracking id of a live object, even of a copy. */
  readonly appOf: (object: KubeObject) => string | undefined;
  /** The Application that a live object belongs to. */
  readonly ownerOf: (object: KubeObject) => string | undefined;
  /** How a live object differs from its target. An error makes the status of this one object Unknown. */
  readonly differ: (target: KubeObject, live: KubeObject) => Difference;
  readonly assess: (live: KubeObject) => Health | undefined;
  /** Why nothing can be compared. */
  readonly problem?: EvaluationProblem;
  /** Whether an object that is no longer in the target state may be pruned; otherwise it is kept. */
  readonly mayPrune?: (id: ResourceId) => boolean;
  /** The destination namespace, if the Application manages its labels and annotations: a sync creates it regardless of the source. */
  readonly managedNamespace?: string;
  /** The managed labels and annotations of the namespace differ from those of the last sync. */
  readonly namespaceMetadataChanged?: boolean;
}

/** Compares target state with live state: the sync status of each object with its reason, and the health of all. */
export function compare(input: CompareInput): Comparison {
  const { app, targets, live, ownerOf, assess, problem: failure } = input;
  const differ: CompareInput['differ'] = failure
    ? (_, live) => ({ modified: false, predicted: live, fields: [] })
    : input.differ;
  const liveById = new Map(live.map((object) => [idKey(resourceIdOf(object)), object]));
  const found: ComparedResource[] = [];
  const conditions: NewCondition[] = [...targets.conditions];
  for (const target of targets.targets) {
    const live = taken(liveById, target);
    // An object that the project does not permit is not inspected, live or not.
    const inspected = target.refusal ? undefined : live;
    const { resource, problem } =
      !inspected && !target.refusal && !target.skipped && isNamespace(target.id, input.managedNamespace)
        ? { resource: missing(target, 'Synced') }
        : compareTarget(target, inspected, differ, assess);
    found.push(resource);
    if (problem) conditions.push(problem);
    const other = inspected && ownerOf(inspected);
    if (other !== undefined && other !== app) {
      conditions.push({
        type: 'SharedResourceWarning',
        message: `${target.id.kind}/${target.id.name} is part of applications ${input.qualifiedName} and ${other.replaceAll('_', '/')}`,
      });
    }
  }
  for (const [key, object] of liveById) {
    if (input.appOf(object) !== app || targets.withheld.has(key)) continue;
    const id = resourceIdOf(object);
    if (ownerOf(object) !== app) {
      const copy = { id, live: object, requiresPruning: false, unmanaged: true, fields: [] } as const;
      found.push({ ...copy, ...(isHookOrIgnored(object) ? { healthCounts: false } : healthOf(object, assess)) });
    } else if (input.mayPrune?.(id) === false) {
      const message = `${describeId(id)} is live and no longer in the source, but not permitted in the project: it is not pruned`;
      conditions.push({ type: 'NotPermittedWarning', message });
    } else found.push(extraneous(id, object, targets.hooks, assess));
  }
  found.sort((a, b) => (idKey(a.id) < idKey(b.id) ? -1 : 1));
  conditions.push(...found.filter((one) => one.paused).map(pausedCondition));
  if (failure) conditions.push(...failureConditions(failure));
  const resources = failure ? found.map((one) => (one.status ? { ...one, status: 'Unknown' as const } : one)) : found;
  const differs = resources.some(isOutOfSync) || input.namespaceMetadataChanged === true;
  const failed = conditions.some(({ type }) => type === 'ComparisonError');
  const sync = failed ? 'Unknown' : differs ? 'OutOfSync' : 'Synced';
  const counted = resources.filter((resource) => resource.healthCounts !== false);
  const health = healthOfAll(resources);
  return {
    sync,
    health,
    healthCauses: healthCauses(counted, health),
    resources,
    hooks: targets.hooks,
    conditions: [...conditions, ...whyNotSynced(resources), ...whyNotHealthy(counted, health)],
  };
}

const comparisonFailed = 'Failed to compare desired state to live state';

const failureConditions = ({ message, advice }: EvaluationProblem): NewCondition[] => [
  { type: 'ComparisonError', message: `${comparisonFailed}: ${message}` },
  { type: 'InvalidSettingWarning', message: advice },
];

/** The live object of a target, removed from the remaining ones. A kind of unknown scope is searched for in both scopes. */
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
  { id, object, refusal, skipped }: Target,
  live: KubeObject | undefined,
  differ: CompareInput['differ'],
  assess: CompareInput['assess'],
): { readonly resource: ComparedResource; readonly problem?: NewCondition } {
  const shared = { id, target: object, requiresPruning: false };
  if (skipped) {
    const resource = {
      ...shared,
      ...(live ? { live } : {}),
      unmanaged: true,
      healthCounts: false,
      fields: [],
    } as const;
    return { resource };
  }
  if (isPaused(object) || (live && isPaused(live))) return { resource: paused({ ...shared, live }, assess) };
  if (!live) {
    const resource = missing({ id, object }, refusal?.of === 'kind' ? 'Unknown' : 'OutOfSync');
    return { resource: refusal ? { ...resource, refusal } : resource };
  }
  const found = { ...shared, live, ...healthOf(live, assess) };
  try {
    const { modified, fields } = differ(object, live);
    return { resource: { ...found, status: modified ? 'OutOfSync' : 'Synced', fields } };
  } catch (error) {
    const why = messageOf(error);
    const which = why.includes(`${id.kind}/${id.name}`) ? '' : ` (${describeId(id)})`;
    const message = `${comparisonFailed}: failed to calculate diff: ${why}${which}`;
    const refused =
      error instanceof Error && error.cause instanceof DryRunRefused ? ({ permitsSync: true } as const) : {};
    const problem: NewCondition = { type: 'ComparisonError', message, ...refused };
    return { resource: { ...found, status: 'Unknown', fields: [] }, problem };
  }
}

const isPaused = ({ metadata }: KubeObject): boolean => metadata.annotations?.[knownAnnotations.pause.name] === 'true';

/** Its health counts: what is paused is still running. */
const paused = (
  {
    id,
    target,
    live,
  }: { readonly id: ResourceId; readonly target?: KubeObject; readonly live: KubeObject | undefined },
  assess: CompareInput['assess'],
): ComparedResource => ({
  id,
  ...(target ? { target } : {}),
  ...(live ? { live, ...healthOf(live, assess) } : {}),
  requiresPruning: false,
  unmanaged: true,
  paused: true,
  fields: [],
});

const pausedCondition = ({ id }: ComparedResource): NewCondition => ({
  type: 'PausedWarning',
  message: `${describeId(id)} is paused: it is neither compared, applied nor pruned until the annotation ${knownAnnotations.pause.name} is removed`,
});

const missing = ({ id, object }: Target, status: SyncCode): ComparedResource => ({
  id,
  target: object,
  requiresPruning: false,
  status,
  health: { status: 'Missing' },
  fields: [],
  ...countsOf(object),
});

/**
 * Live, ours, and not a target. A hook is listed and never pruned; its wave is that of the hook in the source. An object with a generated
 * name has no name in its tracking id, and Argo CD does not prune it.
 */
function extraneous(
  id: ResourceId,
  live: KubeObject,
  hooks: readonly Target[],
  assess: CompareInput['assess'],
): ComparedResource {
  const shared = { id, live, fields: [] };
  if (isHookOrIgnored(live)) {
    const source = hooks.find((hook) => idKey(hook.id) === idKey(id));
    return {
      ...shared,
      hook: true,
      requiresPruning: live.metadata.generateName === undefined,
      wave: source ? waveOf(source.object) : 0,
      healthCounts: false,
    };
  }
  if (isPaused(live)) return paused({ id, live }, assess);
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

/**
 * The worst health of the live objects. A missing object affects the sync status; only an Application without any live object is Missing
 * itself.
 */
function healthOfAll(resources: readonly ComparedResource[]): HealthStatus {
  const listed = resources.filter(({ hook, unmanaged, target, paused }) => !hook && (paused || !(unmanaged && target)));
  const counted = listed.filter(({ live, healthCounts }) => live && healthCounts !== false);
  const worst = worstOf(counted.flatMap(({ health }) => health?.status ?? []));
  const isMissing = listed.length > 0 && !listed.some(({ live }) => live);
  return isMissing && isWorse('Missing', worst) ? 'Missing' : worst;
}

const isHookOrIgnored = (object: KubeObject): boolean =>
  hookKinds(object).length > 0 || object.metadata.annotations?.[knownAnnotations.hook.name] !== undefined;

function healthOf(live: KubeObject, assess: CompareInput['assess']): Pick<ComparedResource, 'health' | 'healthCounts'> {
  if (live.metadata.annotations?.[knownAnnotations.ignoreHealthcheck.name] === 'true') return { healthCounts: false };
  const health = assess(live);
  return health ? { health, ...countsOf(live, health) } : {};
}

/** A child Application without a known health does not count for its parent. */
function countsOf(object: KubeObject, health?: Health): Pick<ComparedResource, 'healthCounts'> {
  const child = object.kind === 'Application' && object.apiVersion.startsWith('argoproj.io/');
  const vague = child && (!health || health.status === 'Missing' || health.status === 'Unknown');
  return vague ? { healthCounts: false } : {};
}
