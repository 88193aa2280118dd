import type { Application, OperationState, ResourceResult, ResourceStatus } from '@fairlead/api';
import { objectText } from './application-text.ts';

export type RowState = 'waiting' | 'running' | 'done' | 'failed' | 'skipped';

/** One object of a sync. */
export interface SyncRow {
  readonly key: string;
  readonly object: string;
  readonly state: RowState;
  /** Its result or health message. */
  readonly says: string;
  readonly hook: boolean;
}

/** The objects of one phase and wave. */
export interface SyncGroup {
  readonly phase: string;
  readonly wave: number;
  readonly rows: readonly SyncRow[];
}

export interface SyncView {
  readonly phase: string;
  readonly message: string;
  readonly revision: string;
  readonly groups: readonly SyncGroup[];
}

const phases = ['PreSync', 'Sync', 'PostSync', 'SyncFail'];

const keyOf = ({ group = '', kind = '', namespace = '', name = '' }: ResourceStatus | ResourceResult): string =>
  `${group}/${kind}/${namespace}/${name}`;

/** The progress of an operation: its objects by phase and wave, including those that have not started. */
export function syncView(application: Application, state: OperationState | undefined): SyncView {
  const resources = new Map((application.status?.resources ?? []).map((one) => [keyOf(one), one]));
  const results = (state?.syncResult?.resources ?? []).map((result) => inItsScope(result, resources));
  const seen = new Set(results.map(keyOf));
  const chosen = (application.operation ?? state?.operation)?.sync?.resources ?? [];
  const groups = new Map<string, { phase: string; wave: number; rows: SyncRow[] }>();
  const put = (phase: string, wave: number, row: SyncRow): void => {
    const key = `${phase} ${wave}`;
    const group = groups.get(key) ?? { phase, wave, rows: [] };
    group.rows.push(row);
    groups.set(key, group);
  };
  for (const result of results) {
    const known = resources.get(keyOf(result));
    put(result.syncPhase ?? 'Sync', known?.syncWave ?? 0, rowOf(result, known, isOver(state)));
  }
  for (const [key, resource] of resources) {
    if (seen.has(key) || resource.hook || isOver(state)) continue;
    if (chosen.length > 0 && !chosen.some((one) => isChosen(one, resource))) continue;
    const says = resource.requiresPruning ? 'to be pruned' : '';
    put('Sync', resource.syncWave ?? 0, { key, object: objectText(resource), state: 'waiting', says, hook: false });
  }
  const { syncResult, phase = 'Pending', message = '' } = state ?? {};
  return {
    phase,
    message,
    revision: syncResult?.revisions?.join(', ') || syncResult?.revision || '',
    groups: [...groups.values()].sort((a, b) => phases.indexOf(a.phase) - phases.indexOf(b.phase) || a.wave - b.wave),
  };
}

/** As in Argo CD, results of objects without a namespace have the namespace of the destination. */
function inItsScope(result: ResourceResult, resources: ReadonlyMap<string, ResourceStatus>): ResourceResult {
  const scoped = { ...result, namespace: '' };
  return !resources.has(keyOf(result)) && resources.has(keyOf(scoped)) ? scoped : result;
}

const isOver = (state: OperationState | undefined): boolean => state?.finishedAt !== undefined;

const isChosen = (
  { group = '', kind, name, namespace }: { group?: string; kind: string; name: string; namespace?: string },
  resource: ResourceStatus,
): boolean =>
  group === (resource.group ?? '') &&
  kind === resource.kind &&
  name === resource.name &&
  (!namespace || namespace === resource.namespace);

function rowOf(result: ResourceResult, known: ResourceStatus | undefined, over: boolean): SyncRow {
  const hook = Boolean(result.hookType);
  const row = { key: `${keyOf(result)} ${result.syncPhase ?? ''}`, object: objectText(result), hook };
  const says = result.message ?? '';
  if (result.status === 'SyncFailed' || ['Failed', 'Error'].includes(result.hookPhase ?? ''))
    return { ...row, state: 'failed', says };
  if (result.status === 'PruneSkipped') return { ...row, state: 'skipped', says };
  if (hook && result.hookPhase !== 'Succeeded') return { ...row, state: 'running', says };
  // An applied object is done when it is healthy, too: the next wave waits for that.
  const health = known?.health;
  const well = !health || health.status === 'Healthy' || health.status === 'Suspended';
  const awaited = health?.status === 'Progressing' || result.hookPhase === 'Running';
  if (!hook && !over && awaited && result.status === 'Synced')
    return { ...row, state: 'running', says: well ? says : [health.status, health.message].filter(Boolean).join(': ') };
  return { ...row, state: 'done', says };
}
