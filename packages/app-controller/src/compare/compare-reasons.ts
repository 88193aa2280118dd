import { describeId, type HealthStatus, isWorse } from '@fairlead/engine';
import type { NewCondition } from '../status/conditions.ts';
import type { ComparedResource } from './compare.ts';

/** Why an Application is out of sync: one sentence about the first object, and how many more there are. */
export function whyNotSynced(resources: readonly ComparedResource[]): NewCondition[] {
  const [first, ...more] = resources.filter(({ status, ignorable }) => status === 'OutOfSync' && !ignorable);
  if (!first) return [];
  const what = first.requiresPruning
    ? 'is no longer in the source'
    : first.live
      ? `differs in ${list(first.fields)}`
      : 'does not exist';
  return [{ type: 'OutOfSync', message: `${describeId(first.id)} ${what}${andMore(more.length)}` }];
}

/** Why an Application is not healthy: the object with the worst health, and how many more there are. */
export function whyNotHealthy(resources: readonly ComparedResource[], health: HealthStatus): NewCondition[] {
  if (health === 'Healthy') return [];
  const [first, ...more] = resources
    .flatMap(({ id, health }) => (health && isWorse(health.status, 'Healthy') ? [{ id, health }] : []))
    .sort((a, b) =>
      isWorse(a.health.status, b.health.status) ? -1 : isWorse(b.health.status, a.health.status) ? 1 : 0,
    );
  if (!first) return [];
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
