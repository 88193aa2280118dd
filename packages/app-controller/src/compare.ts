import type { IgnoreDifference, ResourceStatus } from '@fairlead/api';
import {
  assessHealth,
  type Difference,
  describeId,
  diff,
  type Health,
  type HealthStatus,
  idKey,
  isWorse,
  ownerOf,
  type ResourceId,
  resourceIdOf,
  type SyncItem,
  versionOf,
  waveOf,
  worstOf,
} from '@fairlead/engine';
import type { KubeObject } from '@fairlead/kube';
import type { Condition } from './conditions.ts';
import type { Target, Targets } from './targets.ts';

export type SyncCode = 'Synced' | 'OutOfSync' | 'Unknown';

export interface ComparedResource extends SyncItem {
  readonly id: ResourceId;
  readonly status: SyncCode;
  readonly requiresPruning: boolean;
  readonly health?: Health;
  /** Fields that differ; empty when the object is missing or to be pruned. */
  readonly fields: readonly string[];
}

export interface Comparison {
  readonly sync: SyncCode;
  readonly health: HealthStatus;
  readonly resources: readonly ComparedResource[];
  readonly conditions: readonly Condition[];
}

export interface CompareInput {
  /** The Application's name in tracking ids. */
  readonly app: string;
  readonly targets: Targets;
  /** Live objects that carry the Application's mark, and those that its targets name. */
  readonly live: readonly KubeObject[];
  readonly ignoreDifferences?: readonly IgnoreDifference[];
}

/** Wanted against there: what is in sync, what is not and why, how everything fares. */
export function compare({ app, targets, live, ignoreDifferences = [] }: CompareInput): Comparison {
  const liveById = new Map(live.map((object) => [idKey(resourceIdOf(object)), object]));
  const resources: ComparedResource[] = [];
  const conditions: Condition[] = [...targets.conditions];
  for (const target of targets.targets) {
    const found = liveById.get(idKey(target.id));
    liveById.delete(idKey(target.id));
    resources.push(compareTarget(target, found, ignoreDifferences));
    const other = found && ownerOf(found);
    if (other !== undefined && other !== app) {
      conditions.push({
        type: 'SharedResourceWarning',
        message: `${target.id.kind}/${target.id.name} is part of applications ${app} and ${other}`,
      });
    }
  }
  for (const [key, object] of liveById) {
    if (ownerOf(object) === app && !targets.withheld.has(key)) resources.push(extraneous(object));
  }
  resources.sort((a, b) => (idKey(a.id) < idKey(b.id) ? -1 : 1));
  const sync = resources.some((resource) => resource.status === 'OutOfSync') ? 'OutOfSync' : 'Synced';
  const health = worstOf(resources.flatMap((resource) => resource.health?.status ?? []));
  return {
    sync,
    health,
    resources,
    conditions: [...conditions, ...whyNotSynced(resources), ...whyNotHealthy(resources, health)],
  };
}

function compareTarget(
  target: Target,
  live: KubeObject | undefined,
  rules: readonly IgnoreDifference[],
): ComparedResource {
  if (!live) {
    return {
      id: target.id,
      target: target.object,
      status: 'OutOfSync',
      requiresPruning: false,
      health: { status: 'Missing' },
      fields: [],
    };
  }
  const difference = cachedDiff(target.object, live, ignoredFields(rules, target.id));
  const health = assessHealth(live);
  return {
    id: target.id,
    target: target.object,
    live,
    status: difference.modified ? 'OutOfSync' : 'Synced',
    requiresPruning: false,
    ...(health ? { health } : {}),
    fields: difference.fields,
  };
}

function extraneous(live: KubeObject): ComparedResource {
  const health = assessHealth(live);
  const ignored = (live.metadata.annotations?.['argocd.argoproj.io/compare-options'] ?? '').includes(
    'IgnoreExtraneous',
  );
  const status = ignored ? 'Synced' : 'OutOfSync';
  return { id: resourceIdOf(live), live, status, requiresPruning: true, ...(health ? { health } : {}), fields: [] };
}

/** Live objects are shared and never change: an object that is the same as at the last comparison has the same differences. */
const differences = new WeakMap<KubeObject, { target: KubeObject; ignore: string; difference: Difference }>();

function cachedDiff(target: KubeObject, live: KubeObject, ignore: readonly string[]): Difference {
  const key = ignore.join('\n');
  const known = differences.get(live);
  if (known?.target === target && known.ignore === key) return known.difference;
  const difference = diff(target, live, { ignore });
  differences.set(live, { target, ignore: key, difference });
  return difference;
}

/** The fields of an object that may differ, as JSON pointers. */
export function ignoredFields(rules: readonly IgnoreDifference[], id: ResourceId): string[] {
  const same = (pattern: string | undefined, text: string): boolean =>
    pattern === undefined || pattern === '' || pattern === text;
  return rules
    .filter(
      (rule) => (rule.group === '*' || (rule.group ?? '') === id.group) && (rule.kind === '*' || rule.kind === id.kind),
    )
    .filter((rule) => same(rule.name, id.name) && same(rule.namespace, id.namespace))
    .flatMap((rule) => rule.jsonPointers ?? []);
}

/** One sentence about the first, and how many more there are. */
function whyNotSynced(resources: readonly ComparedResource[]): Condition[] {
  const [first, ...more] = resources.filter((resource) => resource.status === 'OutOfSync');
  if (!first) return [];
  const what = first.requiresPruning
    ? 'is no longer in the source'
    : first.live
      ? `differs in ${list(first.fields)}`
      : 'does not exist';
  return [{ type: 'OutOfSync', message: `${describeId(first.id)} ${what}${andMore(more.length)}` }];
}

function whyNotHealthy(resources: readonly ComparedResource[], health: HealthStatus): Condition[] {
  if (health === 'Healthy') return [];
  const [first, ...more] = resources
    .filter((resource) => resource.health && isWorse(resource.health.status, 'Healthy'))
    .sort((a, b) =>
      isWorse(a.health!.status, b.health!.status) ? -1 : isWorse(b.health!.status, a.health!.status) ? 1 : 0,
    );
  if (!first?.health) return [];
  const { status, message } = first.health;
  return [
    {
      type: 'NotHealthy',
      message: `${describeId(first.id)} is ${status}${message ? `: ${message}` : ''}${andMore(more.length)}`,
    },
  ];
}

const andMore = (count: number): string => (count === 0 ? '' : `; and ${count} more`);
const list = (fields: readonly string[]): string =>
  fields.length > 3 ? `${fields.slice(0, 3).join(', ')} and more` : fields.join(', ');

/** A resource as `status.resources` shows it: empty fields left out. */
export function resourceStatus({
  id,
  target,
  live,
  status,
  health,
  requiresPruning,
}: ComparedResource): ResourceStatus {
  const object = target ?? live!;
  const wave = waveOf(object);
  return {
    ...(id.group === '' ? {} : { group: id.group }),
    version: versionOf(object.apiVersion),
    kind: id.kind,
    ...(id.namespace === '' ? {} : { namespace: id.namespace }),
    name: id.name,
    status,
    ...(health ? { health: { ...health } } : {}),
    ...(requiresPruning ? { requiresPruning: true } : {}),
    ...(wave === 0 ? {} : { syncWave: wave }),
  };
}

/** The images that an Application's objects run. */
export function imagesOf(resources: readonly ComparedResource[]): string[] {
  const images = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        if (/^(initC|c)ontainers$/u.test(name) && Array.isArray(inner)) {
          for (const container of inner) if (typeof container?.image === 'string') images.add(container.image);
        } else if (name !== 'status' && name !== 'metadata') visit(inner);
      }
    }
  };
  for (const { live } of resources) visit(live);
  return [...images].sort();
}

export const isAppOfApps = (resources: readonly ComparedResource[]): boolean =>
  resources.some(({ id }) => id.group === 'argoproj.io' && id.kind === 'Application');
