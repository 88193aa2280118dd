import type { Application, ApplicationSpec } from '@fairlead/api';
import { equalJson } from '@fairlead/apimachinery';
import { knownAnnotations } from '@fairlead/engine';
import { isNamespaceMetadataChanged } from '../compare/managed-namespace.ts';
import { singleSourceOf } from '../hydrator/hydrated-sources.ts';

/**
 * The depth of a refresh.
 *
 * 0: health and resources from the cache. 1: compare with the revision of the last comparison. 2: resolve the revision through the
 * cache of refs. 3: resolve it again.
 */
export type RefreshLevel = (typeof refreshLevels)[number];
export const refreshLevels = [0, 1, 2, 3] as const;

export const maxLevel = (a: RefreshLevel | undefined, b: RefreshLevel): RefreshLevel =>
  a === undefined || a < b ? b : a;

export interface Refresh {
  readonly level: RefreshLevel;
  /** Drop cached manifests and differences too. */
  readonly hard: boolean;
  /** No new resolution was requested: a recent result is enough. */
  readonly recent?: true;
  /** Requested by a user or a tool, with the annotation. */
  readonly asked?: true;
  readonly why: string;
}

export const refreshAnnotation = knownAnnotations.refresh.name;

export interface RefreshInput {
  readonly application: Application;
  /** The request since the last refresh. */
  readonly requested?: RefreshLevel;
  /** When this process last compared at level 2 or above; undefined if never. */
  readonly comparedAt?: number;
  /** When it last did so without a cache, or started. */
  readonly renewedAt?: number;
  readonly now: number;
  /** The maximum age of a comparison; unlimited if not above 0. */
  readonly timeoutMs: number;
  /** The interval after which everything is rendered again even without changes; never if not above 0. */
  readonly hardTimeoutMs?: number;
}

/** Whether an Application must be compared now, how deeply, and why. The first matching reason counts. */
export function needsRefresh(input: RefreshInput): Refresh | undefined {
  const { requested } = input;
  const reason = firstReason(input);
  if (!reason) {
    return requested === undefined
      ? undefined
      : { level: requested, hard: false, why: `requested at level ${requested}` };
  }
  // Other requests are covered by it, and removed.
  if (requested === undefined) return reason;
  const { recent, ...rest } = reason;
  return { ...rest, ...(recent && requested < 3 ? { recent } : {}), level: maxLevel(requested, reason.level) };
}

function firstReason(input: RefreshInput): Refresh | undefined {
  const { application, comparedAt, now, timeoutMs, hardTimeoutMs = 0 } = input;
  const asked = application.metadata.annotations?.[refreshAnnotation];
  if (asked !== undefined) return { level: 3, hard: asked === 'hard', asked: true, why: `${asked} refresh requested` };
  const { spec, status } = application;
  const compared = status?.sync?.comparedTo;
  if (!compared || !sameSources(spec, compared))
    return { level: 3, hard: false, recent: true, why: 'the source changed' };
  if (comparedAt === undefined) return { level: 2, hard: false, why: 'not compared since the controller started' };
  const { renewedAt = comparedAt } = input;
  if (hardTimeoutMs > 0 && now - renewedAt >= hardTimeoutMs)
    return { level: 2, hard: true, why: 'the cache has expired' };
  if (timeoutMs > 0 && now - comparedAt >= timeoutMs)
    return { level: 2, hard: false, why: 'the last comparison is too old' };
  if (!same(spec.destination, compared.destination)) return { level: 2, hard: false, why: 'the destination changed' };
  if (isNamespaceMetadataChanged(application))
    return { level: 2, hard: false, why: 'the managed namespace metadata changed' };
  return same(spec.ignoreDifferences ?? [], compared.ignoreDifferences ?? [])
    ? undefined
    : { level: 2, hard: false, why: 'ignoreDifferences changed' };
}

/** Whether a change of the spec has just enabled automated sync or self-heal: reported differences must be synced now. */
export function isAutomationNew(before: ApplicationSpec, after: ApplicationSpec): boolean {
  const automation = ({ syncPolicy }: ApplicationSpec): { readonly on: boolean; readonly heals: boolean } => {
    const automated = syncPolicy?.automated;
    const on = automated !== undefined && automated.enabled !== false;
    return { on, heals: on && automated.selfHeal === true };
  };
  const [old, now] = [automation(before), automation(after)];
  return (now.on && !old.on) || (now.heals && !old.heals);
}

/** The input of a comparison, as stored in `status.sync.comparedTo`. */
export function comparedTo(spec: ApplicationSpec) {
  const source = singleSourceOf(spec);
  return {
    destination: spec.destination,
    ...(source ? { source } : {}),
    ...(spec.sources ? { sources: spec.sources } : {}),
    ...(spec.ignoreDifferences ? { ignoreDifferences: spec.ignoreDifferences } : {}),
  };
}

const same = equalJson;
const sameSources = (
  a: Pick<ApplicationSpec, 'source' | 'sources'>,
  b: Pick<ApplicationSpec, 'source' | 'sources'>,
): boolean => same(a.source ?? null, b.source ?? null) && same(a.sources ?? null, b.sources ?? null);
