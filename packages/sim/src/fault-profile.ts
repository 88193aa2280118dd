/** The fault rates of a simulated API server: probabilities from 0 to 1, drawn again for each request or stream. */
export interface FaultProfile {
  /** The request never arrives; the caller gets a timeout. */
  readonly requestLost: number;
  /** The request is executed and the response is lost: a timeout of an applied write. */
  readonly answerLost: number;
  /** 429, with or without a Retry-After. */
  readonly throttled: number;
  /** 500, nothing executed. */
  readonly serverError: number;
  /** A write with a known version is rejected with a conflict, though nothing has changed. */
  readonly conflict: number;
  /** A response takes seconds instead of milliseconds. */
  readonly slow: number;
  /** A list returns an older state, with its resourceVersion. */
  readonly staleList: number;
  /** A list or watch that names a version or a page gets 410 Expired, though it has not expired. */
  readonly expired: number;
  /** A stream breaks in the middle, and events in transit are lost. */
  readonly watchCut: number;
  /** A stream ends early, without an error. */
  readonly watchEnd: number;
  /** A stream becomes silent and stays open. */
  readonly watchStall: number;
  /** A stream sends an ERROR event: 410 or 500. */
  readonly watchError: number;
  /** History is compacted, about once every ten seconds: watches from before get 410. */
  readonly compaction: number;
}

export const noFaults: FaultProfile = {
  requestLost: 0,
  answerLost: 0,
  throttled: 0,
  serverError: 0,
  conflict: 0,
  slow: 0,
  staleList: 0,
  expired: 0,
  watchCut: 0,
  watchEnd: 0,
  watchStall: 0,
  watchError: 0,
  compaction: 0,
};

/** Each kind of fault is off, rare or frequent: schedules with a single kind of fault find as much as those with all of them. */
export function drawFaults(pick: <T>(items: readonly T[]) => T): FaultProfile {
  const draw = (): number => pick([0, 0, 0.05, 0.3]);
  return {
    requestLost: draw(),
    answerLost: draw(),
    throttled: draw(),
    serverError: draw(),
    conflict: draw(),
    slow: draw(),
    staleList: draw(),
    expired: draw(),
    watchCut: draw(),
    watchEnd: draw(),
    watchStall: draw(),
    watchError: draw(),
    compaction: draw(),
  };
}
