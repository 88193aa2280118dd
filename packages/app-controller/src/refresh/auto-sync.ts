import type { Application, Operation } from '@fairlead/api';
import { elementAt, equalJson } from '@fairlead/apimachinery';
import type { Comparison } from '../compare/compare.ts';
import { singleSourceOf } from '../hydrator/hydrated-sources.ts';
import type { WindowDecision } from '../project/sync-window.ts';
import type { NewCondition } from '../status/conditions.ts';

/** The automated action for an Application that is OutOfSync. */
export type AutoSync =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'sync'; readonly operation: Operation }
  | { readonly kind: 'refuse'; readonly condition: NewCondition }
  /** Due, but delayed: by the self-heal back-off, or by a closed window. */
  | { readonly kind: 'later'; readonly ms?: number; readonly condition?: NewCondition };

const nothing: AutoSync = { kind: 'nothing' };

/** Seconds before the n-th self-heal of one revision. */
const selfHealDelays = [0, 2, 6, 18, 54, 162, 300];

export interface AutoSyncInput {
  readonly application: Application;
  readonly comparison: Comparison;
  /** One per source. */
  readonly revisions: readonly string[];
  readonly now: number;
  /** Whether the sync windows of the project permit an automated sync; called only if one is due. */
  readonly window?: () => WindowDecision;
}

/** The checks of Argo CD, in the same order; the first match decides. */
export function decideAutoSync(input: AutoSyncInput): AutoSync {
  const decision = withoutWindows(input);
  if (decision.kind !== 'sync') return decision;
  const window = input.window?.() ?? { open: true };
  if (window.open) return decision;
  const condition: NewCondition = { type: 'SyncWindow', message: `automated sync waits: ${window.reason}` };
  return window.opensAt === undefined
    ? { kind: 'later', condition }
    : { kind: 'later', ms: Math.max(0, window.opensAt - input.now), condition };
}

function withoutWindows({ application, comparison, revisions, now }: AutoSyncInput): AutoSync {
  const { metadata, spec, operation, status } = application;
  const automated = spec.syncPolicy?.automated;
  if (!automated || automated.enabled === false) return nothing;
  if (operation && !isOvertaken(application, revisions)) return nothing;
  if (metadata.deletionTimestamp || comparison.sync !== 'OutOfSync') return nothing;
  const resources = comparison.resources.filter(({ hook }) => !hook);
  const outOfSync = resources.filter((resource) => resource.status === 'OutOfSync');
  if (!automated.prune && outOfSync.every((resource) => resource.requiresPruning)) return nothing;
  const attempt = lastAttempt(application, revisions);
  if (attempt && attempt.phase !== 'Succeeded') {
    return refuse(`Failed last sync attempt to ${listed(revisions)}: ${status?.operationState?.message ?? ''}`);
  }
  if (attempt && !automated.selfHeal) return nothing;
  if (attempt) {
    const wait =
      elementAt(selfHealDelays, Math.min(attempt.heals, selfHealDelays.length - 1)) * 1000 - (now - attempt.finishedAt);
    if (wait > 0) return { kind: 'later', ms: wait };
  }
  if (automated.prune && !automated.allowEmpty && resources.every((resource) => resource.requiresPruning)) {
    return refuse(`Skipping sync attempt to ${listed(revisions)}: auto-sync will wipe out all resources`);
  }
  const whole = automatedOperation(application, revisions);
  if (!attempt) return { kind: 'sync', operation: whole };
  // Like Argo CD, with live hooks, which have no status. A sync of selected resources does not run them.
  const drifted = comparison.resources.filter(({ status: code }) => code !== 'Synced');
  const selected = drifted.map(({ id: { group, kind, name } }) => ({
    ...(group === '' ? {} : { group }),
    kind,
    name,
  }));
  const sync = { ...whole.sync, resources: selected, autoHealAttemptsCount: attempt.heals + 1 };
  return { kind: 'sync', operation: { ...whole, sync } };
}

/** A list in the format of Argo CD. */
const listed = (revisions: readonly string[]): string => `[${revisions.join(' ')}]`;

/** An automated sync that waits, for health or for its next attempt, while its source has a newer commit: that commit may be the fix. */
function isOvertaken({ operation, status, spec }: Application, revisions: readonly string[]): boolean {
  const state = status?.operationState;
  const waits = state?.phase === 'Running' && (state.syncResult !== undefined || (state.retryCount ?? 0) > 0);
  if (!waits || !operation?.initiatedBy?.automated || !operation.sync) return false;
  // A migration is not aborted because of an unrelated new commit.
  if (state.syncResult?.resources?.some(({ hookType, hookPhase }) => hookType && hookPhase === 'Running')) return false;
  return !isTo(operation.sync, spec, revisions);
}

const refuse = (message: string): AutoSync => ({ kind: 'refuse', condition: { type: 'SyncError', message } });

interface Attempt {
  readonly phase: string;
  readonly heals: number;
  readonly finishedAt: number;
}

/** The last sync, if it had these revisions and sources; a new commit or source is never delayed by an old failure. */
function lastAttempt({ spec, status }: Application, revisions: readonly string[]): Attempt | undefined {
  const state = status?.operationState;
  if (!state) return undefined;
  // A sync that failed without a result still has its requested revision.
  if (!isTo(state.syncResult ?? state.operation.sync ?? {}, spec, revisions)) return undefined;
  return {
    phase: state.phase,
    heals: state.operation.sync?.autoHealAttemptsCount ?? 0,
    finishedAt: Date.parse(state.finishedAt ?? '') || 0,
  };
}

type SyncedTo = Pick<NonNullable<Operation['sync']>, 'revision' | 'revisions' | 'source' | 'sources'>;

/** Whether a sync has these revisions, and the sources of this spec. */
function isTo(
  { revision, revisions: several, source, sources: many }: SyncedTo,
  spec: Application['spec'],
  revisions: readonly string[],
): boolean {
  const same = (a: unknown, b: unknown): boolean => equalJson(a ?? null, b ?? null);
  if (spec.sources?.length) return same(several, revisions) && same(many, spec.sources);
  return same([revision], revisions) && same(source, singleSourceOf(spec));
}

function automatedOperation({ spec }: Application, revisions: readonly string[]): Operation {
  const { automated, syncOptions, retry } = spec.syncPolicy ?? {};
  const source = singleSourceOf(spec);
  const what = spec.sources?.length
    ? { sources: spec.sources, revisions: [...revisions] }
    : { ...(source ? { source } : {}), revision: revisions[0] ?? '' };
  return {
    sync: { ...what, ...(automated?.prune ? { prune: true } : {}), ...(syncOptions ? { syncOptions } : {}) },
    initiatedBy: { automated: true },
    retry: retry ?? { limit: 5 },
  };
}
