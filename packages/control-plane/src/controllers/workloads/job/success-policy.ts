import type { Job } from '../kinds.ts';
import { IndexSet } from './index-set.ts';

/** The message of the rule of the success policy that is met; undefined if none is. */
export function matchSuccess({ spec }: Job, succeeded: IndexSet): string | undefined {
  if (succeeded.size === 0) return undefined;
  const met = (spec.successPolicy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined) return succeededCount !== undefined && succeeded.size >= succeededCount;
    const required = IndexSet.parse(succeededIndexes, spec.completions ?? 0);
    const there = required.common(succeeded);
    return required.size > 0 && (there === required.size || (succeededCount !== undefined && there >= succeededCount));
  });
  return met < 0 ? undefined : `Matched rules at index ${met}`;
}
