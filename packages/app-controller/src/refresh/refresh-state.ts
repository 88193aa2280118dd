import type { LastComparison } from '../compare/last-comparison.ts';
import type { DesiredState } from '../source/desired-state.ts';
import { maxLevel, type RefreshLevel } from './refresh.ts';

/** What is remembered of an Application between refreshes. All of it can be lost: the next refresh is then a deeper one. */
export interface RefreshState {
  /** The highest level asked for since the last refresh. */
  requested?: RefreshLevel;
  /** When source and cluster were last compared at level 2 or above. */
  comparedAt?: number;
  /** When that was last done with nothing cached. */
  renewedAt?: number;
  /** What the sources said at the last refresh. */
  desired?: DesiredState;
  /** The last comparison, once it has been persisted. */
  compared?: LastComparison;
  /** Since when the sources cannot be read. */
  failingSince?: number;
  /** What the store of its resources has. */
  storedDigest?: string;
  /** What chance adds to the age at which a comparison is too old, so that Applications do not come all at once. */
  readonly jitterMs: number;
}

export function requestRefresh(state: RefreshState, level: RefreshLevel): void {
  state.requested = maxLevel(state.requested, level);
}

/** For this long, errors of a repository count as transient, unless someone requested a refresh. */
const graceMs = 180_000;

/** Whether an error of a source is not worth telling yet: it is new, and nobody asked. */
export function isWithinGracePeriod(state: RefreshState, level: RefreshLevel, now: number): boolean {
  state.failingSince ??= now;
  return level < 3 && now - state.failingSince < graceMs;
}
