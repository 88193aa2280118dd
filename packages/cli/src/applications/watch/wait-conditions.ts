import type { Application, ResourceStatus } from '@fairlead/api';
import { equalJson, type Json } from '@fairlead/apimachinery';
import { knownAnnotations } from '@fairlead/engine';
import { healthWord, isBusy, syncWord } from '../tables/status-text.ts';

/** What is waited for. */
export interface Wanted {
  readonly sync: boolean;
  readonly health: boolean;
  readonly operation: boolean;
  readonly suspended: boolean;
  readonly degraded: boolean;
}

/** Nothing is missing when all that is waited for holds. */
export interface Waiting {
  readonly missing: readonly string[];
  /** Degraded, while nothing is under way that could mend it. */
  readonly degraded: boolean;
}

/** What of it does not hold yet, of the Application or of some of its objects. */
export function waitingFor(
  application: Application,
  wanted: Wanted,
  { objects, settled }: { readonly objects?: readonly ResourceStatus[]; readonly settled: boolean },
): Waiting {
  const missing: string[] = [];
  const old = isStale(application) || (!settled && isBehind(application));
  if (wanted.operation && isBusy(application)) missing.push('an operation is under way');
  if (old) missing.push('its state is older than what was asked of it');
  const looked = objects ?? [];
  const states = objects ? looked.map(({ status = 'Unknown' }) => status) : [syncWord(application)];
  const healths = objects ? looked.flatMap(({ health }) => health?.status ?? []) : [healthWord(application)];
  const outOfSync = states.find((status) => status !== 'Synced');
  if (wanted.sync && outOfSync) missing.push(`it is ${outOfSync}`);
  const unwell = healths.find((status) => !isWell(status, wanted));
  if ((wanted.health || wanted.suspended || wanted.degraded) && unwell) missing.push(`it is ${unwell}`);
  const hopeless = wanted.health && !wanted.degraded && !old && !isBusy(application) && healths.includes('Degraded');
  return { missing, degraded: hopeless };
}

/** Several states that are waited for are each good enough. */
const isWell = (status: string, { health, suspended, degraded }: Wanted): boolean =>
  (health && status === 'Healthy') || (suspended && status === 'Suspended') || (degraded && status === 'Degraded');

/** Whether the state tells of another spec than there is: nothing may be concluded from it. */
export function isStale({ spec, status, metadata }: Application): boolean {
  if (metadata.annotations?.[knownAnnotations.refresh.name] !== undefined || !status?.sync) return true;
  const compared = status.sync.comparedTo;
  return (
    compared !== undefined && !(same(spec.source, compared.source) && same(spec.sources ?? [], compared.sources ?? []))
  );
}

/**
 * Whether the state is from before the last operation ended. A comparison that comes to the same as the one before is not written, so this
 * passes of itself only sometimes: believe it for a moment, no longer.
 */
export function isBehind({ status }: Application): boolean {
  const finished = Date.parse(status?.operationState?.finishedAt ?? '');
  return !Number.isNaN(finished) && !(Date.parse(status?.reconciledAt ?? '') >= finished);
}

const same = (a: unknown, b: unknown): boolean => equalJson((a ?? null) as Json, (b ?? null) as Json);
