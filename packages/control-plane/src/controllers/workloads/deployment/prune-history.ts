import { revisionOf } from './annotations.ts';
import { byAge, type Draft } from './draft.ts';
import { hasHistoryLimit } from './limits.ts';

/** Keeps as many old ReplicaSets as the revision history limit; those with pods are always kept. */
export function pruneHistory(draft: Draft): void {
  const { deployment } = draft;
  if (!hasHistoryLimit(deployment)) return;
  const old = draft.old
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .sort((a, b) => {
      const [left, right] = [revisionOf(a), revisionOf(b)];
      return left === undefined || right === undefined || left === right ? byAge(a, b) : left - right;
    });
  for (const set of old.slice(0, Math.max(0, old.length - (deployment.spec.revisionHistoryLimit ?? 0)))) {
    const { replicas = 0, observedGeneration = 0 } = set.status ?? {};
    const idle = replicas === 0 && set.spec.replicas === 0 && (set.metadata.generation ?? 0) <= observedGeneration;
    if (idle) draft.remove(set);
  }
}
