import type { LastComparison } from '../compare/last-comparison.ts';
import type { DesiredState } from '../source/desired-state.ts';
import { maxLevel, type RefreshLevel } from './refresh.ts';

/** The cached state of an Application between refreshes. All of it can be lost: the next refresh is then a deeper one. */
export interface RefreshState {
  /** The highest level requested since the last refresh. */
  requested?: RefreshLevel;
  /** When source and cluster were last compared at level 2 or above. */
  comparedAt?: number;
  /** When that was last done without a cache. */
  renewedAt?: number;
  /** The content of the sources at the last refresh. */
  desired?: DesiredState;
  /** The last comparison, once it has been persisted. */
  compared?: LastComparison;
  /** Since when the sources cannot be read. */
  failingSince?: number;
  /** The digest of its resource store. */
  storedDigest?: string;
  /** A random addition to the maximum age of a comparison, so that Applications are not refreshed all at once. */
  readonly jitterMs: number;
}

export function requestRefresh(state: RefreshState, level: RefreshLevel): void {
  state.requested = maxLevel(state.requested, level);
}

/** For this long, errors of a repository count as transient, unless a refresh was requested. */
const graceMs = 180_000;

/** Whether an error of a source is not reported yet: it is new, and no refresh was requested. */
export function isWithinGracePeriod(state: RefreshState, level: RefreshLevel, now: number): boolean {
  state.failingSince ??= now;
  return level < 3 && now - state.failingSince < graceMs;
}
