import { describeId, type HealthStatus, isWorse } from '@fairlead/engine';
import type { NewCondition } from '../status/conditions.ts';
import type { ComparedResource } from './compare.ts';

/** Whether an object counts against the sync status of its Application. */
export const isOutOfSync = ({ status, ignorable, refusal }: ComparedResource): boolean =>
  (status === 'OutOfSync' || refusal !== undefined) && !ignorable;

/** Why an Application is OutOfSync: one sentence about the first object, and the number of others. */
export function whyNotSynced(resources: readonly ComparedResource[]): NewCondition[] {
  const [first, ...more] = resources.filter(isOutOfSync);
  if (!first) return [];
  return [{ type: 'OutOfSync', message: `${describeId(first.id)} ${whatDiffers(first)}${andMore(more.length)}` }];
}

function whatDiffers({ refusal, requiresPruning, live, fields }: ComparedResource): string {
  if (refusal) return `is not permitted: ${refusal.advice}`;
  if (requiresPruning) return 'is no longer in the source';
  return live ? `differs in ${list(fields)}` : 'does not exist';
}

/** Why an Application is not healthy: the object with the worst health, and the number of others. */
export function whyNotHealthy(resources: readonly ComparedResource[], health: HealthStatus): NewCondition[] {
  if (health === 'Healthy') return [];
  const [first, ...more] = resources
    .flatMap(({ id, health }) => (health && isWorse(health.status, 'Healthy') ? [{ id, health }] : []))
    // Missing objects count only if no object is live.
    .filter((one) => health === 'Missing' || one.health.status !== 'Missing')
    .sort((a, b) =>
      isWorse(a.health.status, b.health.status) ? -1 : isWorse(b.health.status, a.health.status) ? 1 : 0,
    );
  if (!first) return [];
  const { status, message, scriptProblem } = first.health;
  const why = [...(message ? [message.trim()] : []), ...(scriptProblem ? [scriptProblem.advice] : [])].join('; ');
  return [
    {
      type: 'NotHealthy',
      message: `${describeId(first.id)} is ${status}${why ? `: ${why}` : ''}${andMore(more.length)}`,
    },
  ];
}

/**
 * The same message as Argo CD for a failing health script, about the first object. It does not affect the sync status and blocks no sync.
 */
export function healthError(resources: readonly ComparedResource[]): NewCondition[] {
  const failed = resources.find(({ health, healthCounts }) => healthCounts !== false && health?.scriptProblem?.failed);
  if (!failed) return [];
  const { kind, namespace, name } = failed.id;
  const message = [
    'error setting app health',
    `failed to get resource health for "${kind}" with name "${name}" in namespace "${namespace}"`,
    `failed to get resource health for ${namespace}/${name}`,
    failed.health?.message ?? '',
  ].join(': ');
  return [{ type: 'ComparisonError', message }];
}

const mostCauses = 3;

/** The same message as Argo CD for the objects that cause the health of an Application. */
export function healthCauses(resources: readonly ComparedResource[], health: HealthStatus): string {
  if (health === 'Healthy') return '';
  const causes = resources.filter((resource) => resource.live && resource.health?.status === health);
  if (causes.length === 0) return '';
  const names = causes.slice(0, mostCauses).map(({ id: { group, kind, namespace, name } }) => {
    const type = group === '' ? kind : `${group}/${kind}`;
    return `${type}:${namespace === '' ? name : `${namespace}/${name}`}`;
  });
  const more = causes.length - names.length;
  return `Caused by ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const andMore = (count: number): string => (count === 0 ? '' : `; and ${count} more`);
const list = (fields: readonly string[]): string =>
  fields.length > 3 ? `${fields.slice(0, 3).join(', ')} and more` : fields.join(', ');
