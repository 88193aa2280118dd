import { tableOf } from './columns.ts';

export const resourceClaims = tableOf<{ status?: { allocation?: object; reservedFor?: unknown[] } }>(
  'Name, State, Age',
  ({ status = {}, metadata }) => {
    const deleted = metadata.deletionTimestamp !== undefined;
    const states = [
      ...(deleted ? ['deleted'] : []),
      ...(status.allocation ? ['allocated'] : deleted ? [] : ['pending']),
      ...(status.allocation && (status.reservedFor ?? []).length > 0 ? ['reserved'] : []),
    ];
    return [states.join(',')];
  },
);

export const resourceSlices = tableOf<{ spec?: { nodeName?: string; driver?: string; pool?: { name?: string } } }>(
  'Name, Node, Driver, Pool, Age',
  ({ spec = {} }) => [spec.nodeName ?? '', spec.driver ?? '', spec.pool?.name ?? ''],
);
