import type { Application, ResourceStatus } from '@fairlead/api';
import { equalJson, toJson } from '@fairlead/apimachinery';
import { knownAnnotations } from '@fairlead/engine';
import { healthWord, isBusy, syncWord } from '../tables/status-text.ts';

/** The conditions to wait for. */
export interface WaitConditions {
  readonly sync: boolean;
  readonly health: boolean;
  readonly operation: boolean;
  readonly suspended: boolean;
  readonly degraded: boolean;
}

/** `invalid`: the spec is invalid, or the project does not permit it. */
export type Hopeless = 'degraded' | 'invalid';

/** Empty when all conditions hold. */
export interface Waiting {
  readonly missing: readonly string[];
  /** Why waiting will not help: nothing is in progress that could fix it. */
  readonly hopeless?: Hopeless;
}

/** The conditions that do not hold yet, for the Application or some of its objects. */
export function waitingFor(
  application: Application,
  conditions: WaitConditions,
  { objects, settled }: { readonly objects?: readonly ResourceStatus[]; readonly settled: boolean },
): Waiting {
  const missing: string[] = [];
  const old = isStale(application) || (!settled && isBehind(application));
  if (conditions.operation && isBusy(application)) missing.push('an operation is running');
  if (old) missing.push('its status is older than its spec');
  const selected = objects ?? [];
  const states = objects ? selected.map(({ status = 'Unknown' }) => status) : [syncWord(application)];
  const healths = objects ? selected.flatMap(({ health }) => health?.status ?? []) : [healthWord(application)];
  const outOfSync = states.find((status) => status !== 'Synced');
  if (conditions.sync && outOfSync) missing.push(`it is ${outOfSync}`);
  const unwell = healths.find((status) => !isWell(status, conditions));
  if ((conditions.health || conditions.suspended || conditions.degraded) && unwell) missing.push(`it is ${unwell}`);
  const invalid = (conditions.sync || conditions.health) && isInvalid(application);
  if (invalid) missing.push('its spec is invalid');
  if (old || isBusy(application)) return { missing };
  if (invalid) return { missing, hopeless: 'invalid' };
  const degraded = conditions.health && !conditions.degraded && healths.includes('Degraded');
  return { missing, ...(degraded ? { hopeless: 'degraded' } : {}) };
}

export const isInvalid = ({ status }: Application): boolean =>
  (status?.conditions ?? []).some(({ type }) => type === 'InvalidSpecError');

/** One of several accepted states is enough. */
const isWell = (status: string, { health, suspended, degraded }: WaitConditions): boolean =>
  (health && status === 'Healthy') || (suspended && status === 'Suspended') || (degraded && status === 'Degraded');

/** Whether the status belongs to an older spec: nothing may be concluded from it. */
export function isStale({ spec, status, metadata }: Application): boolean {
  if (metadata.annotations?.[knownAnnotations.refresh.name] !== undefined || !status?.sync) return true;
  const compared = status.sync.comparedTo;
  return (
    compared !== undefined && !(same(spec.source, compared.source) && same(spec.sources ?? [], compared.sources ?? []))
  );
}

/**
 * Whether the status is older than the end of the last operation. A refresh without changes is not written, so the status may never
 * become newer: wait only a moment for it.
 */
export function isBehind({ status }: Application): boolean {
  const finished = Date.parse(status?.operationState?.finishedAt ?? '');
  return !Number.isNaN(finished) && !(Date.parse(status?.reconciledAt ?? '') >= finished);
}

const same = (a: unknown, b: unknown): boolean => equalJson(toJson(a), toJson(b));
