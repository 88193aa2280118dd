import type { Application } from '@fairlead/api';
import { equalJson, toJson } from '@fairlead/apimachinery';

/** How long a failed hydration is not repeated, unless the dry source changes. */
export const retryMs = 2 * 60_000;

/** Why an Application must be hydrated; undefined if its branch is up to date. `dryRevision` is the current commit of the dry source. */
export function needsHydration(
  { spec, status, metadata }: Application,
  { dryRevision, now }: { readonly dryRevision: string; readonly now: number },
): string | undefined {
  const { currentOperation: last, lastComparedDryRevision } = status?.sourceHydrator ?? {};
  if (!last) return 'no previous hydrate operation';
  if (metadata.annotations?.['argocd.argoproj.io/hydrate'] !== undefined) return 'a hydration is requested';
  if (!equalJson(toJson(spec.sourceHydrator ?? null), toJson(last.sourceHydrator ?? null))) {
    return 'spec.sourceHydrator differs';
  }
  if (last.phase === 'Hydrating') return 'a hydration was interrupted';
  if (last.phase === 'Failed' && now - Date.parse(last.finishedAt ?? '') > retryMs) return 'the last hydration failed';
  return lastComparedDryRevision === dryRevision ? undefined : 'the dry source has a new commit';
}
