import type { Application, ApplicationSpec } from '@fairlead/api';
import { equalJson } from '@fairlead/engine';
import type { Json } from '@fairlead/kube';

/**
 * How much of a refresh is due.
 *
 * 0: health and resources from what is cached. 1: compare with the revision of the last comparison. 2: resolve the revision through the
 * cache of refs. 3: resolve it afresh.
 */
export type RefreshLevel = 0 | 1 | 2 | 3;

export interface Refresh {
  readonly level: RefreshLevel;
  /** Drop cached manifests too. */
  readonly hard: boolean;
  readonly why: string;
}

export const refreshAnnotation = 'argocd.argoproj.io/refresh';

export interface RefreshInput {
  readonly application: Application;
  /** What was asked for since the last refresh. */
  readonly requested?: RefreshLevel;
  /** When this process last compared at level 2 or above; undefined when it never did. */
  readonly comparedAt?: number;
  readonly now: number;
  /** How old a comparison may become. */
  readonly timeoutMs: number;
}

/** Whether an Application is to be compared now, how deeply, and why. The first reason that holds counts. */
export function needsRefresh({
  application,
  requested,
  comparedAt,
  now,
  timeoutMs,
}: RefreshInput): Refresh | undefined {
  const asked = application.metadata.annotations?.[refreshAnnotation];
  if (asked !== undefined) return { level: 3, hard: asked === 'hard', why: `${asked} refresh requested` };
  const { spec, status } = application;
  const compared = status?.sync?.comparedTo;
  if (!compared || !sameSources(spec, compared)) return { level: 3, hard: false, why: 'the source changed' };
  if (comparedAt === undefined) return { level: 2, hard: false, why: 'not compared since the controller started' };
  if (now - comparedAt >= timeoutMs) return { level: 2, hard: false, why: 'the last comparison is too old' };
  if (!same(spec.destination, compared.destination)) return { level: 2, hard: false, why: 'the destination changed' };
  if (!same(spec.ignoreDifferences ?? [], compared.ignoreDifferences ?? [])) {
    return { level: 2, hard: false, why: 'ignoreDifferences changed' };
  }
  return requested === undefined
    ? undefined
    : { level: requested, hard: false, why: `requested at level ${requested}` };
}

/** What a comparison was made with, as `status.sync.comparedTo` keeps it. */
export const comparedTo = (spec: ApplicationSpec) => ({
  destination: spec.destination,
  ...(spec.source ? { source: spec.source } : {}),
  ...(spec.sources ? { sources: spec.sources } : {}),
  ...(spec.ignoreDifferences ? { ignoreDifferences: spec.ignoreDifferences } : {}),
});

const same = (a: unknown, b: unknown): boolean => equalJson(a as Json, b as Json);
const sameSources = (
  a: Pick<ApplicationSpec, 'source' | 'sources'>,
  b: Pick<ApplicationSpec, 'source' | 'sources'>,
): boolean => same(a.source ?? null, b.source ?? null) && same(a.sources ?? null, b.sources ?? null);
