import type { ApplicationSet } from '@fairlead/api';
import { table, tableLines } from '../table.ts';
import type { Style } from '../terminal/style.ts';
import { nameOfSet } from './find-set.ts';

/** The health, and why it is not Healthy. */
export function healthText({ status }: ApplicationSet, style: Style): string {
  const { status: health = 'Unknown' } = status?.health ?? {};
  return health === 'Healthy' ? style.good(health) : health === 'Degraded' ? style.bad(health) : health;
}

export const reasonText = ({ status }: ApplicationSet): string => {
  const { status: health, message = '' } = status?.health ?? {};
  return health === 'Healthy' ? '' : (message.split('\n')[0] ?? '').slice(0, 120);
};

export const setTable = (sets: readonly ApplicationSet[], style: Style): string =>
  table([
    ['NAME', 'APPLICATIONS', 'HEALTH', 'MESSAGE'],
    ...sets.map((set) => [
      nameOfSet(set),
      String(set.status?.resourcesCount ?? 0),
      healthText(set, style),
      reasonText(set),
    ]),
  ]);

/** An ApplicationSet for a person: conditions, then Applications with their place in a rollout. */
export function describeSet(set: ApplicationSet, style: Style): string[] {
  const { conditions = [], resources = [], applicationStatus = [], resourcesCount = 0 } = set.status ?? {};
  const lines = [
    `Name:          ${nameOfSet(set)}`,
    `Project:       ${set.spec.template.spec.project}`,
    `Health:        ${healthText(set, style)}`,
    `Applications:  ${resourcesCount}`,
  ];
  if (conditions.length > 0)
    lines.push(
      '',
      ...tableLines([
        ['CONDITION', 'STATUS', 'MESSAGE'],
        ...conditions.map(({ type, status, message }) => [type, status, message]),
      ]),
    );
  if (resources.length === 0) return lines;
  const rollout = new Map(applicationStatus.map((one) => [one.application, one]));
  const rows = resources.map(({ name = '', status = '', health }) => {
    const place = rollout.get(name);
    return [name, status, health?.status ?? '', ...(place ? [place.step, place.status] : [])];
  });
  const header = ['APPLICATION', 'SYNC', 'HEALTH', ...(rollout.size > 0 ? ['STEP', 'ROLLOUT'] : [])];
  return [...lines, '', ...tableLines([header, ...rows])];
}
