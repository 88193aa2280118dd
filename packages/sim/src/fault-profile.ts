/** How badly a simulated API server behaves: chances from 0 to 1, drawn again for each request or stream. */
export interface FaultProfile {
  /** The request never arrives; the caller gets a timeout. */
  readonly requestLost: number;
  /** The request is carried out and the answer is lost: a timeout that was applied. */
  readonly answerLost: number;
  /** 429, with or without a Retry-After. */
  readonly throttled: number;
  /** 500, nothing done. */
  readonly serverError: number;
  /** A write of a known version is refused with a conflict, though nothing else has changed. */
  readonly conflict: number;
  /** An answer takes seconds instead of milliseconds. */
  readonly slow: number;
  /** A list shows an older state, with that state's resourceVersion. */
  readonly staleList: number;
  /** A list or watch that names a version or a page gets 410 Expired, though it has not expired. */
  readonly expired: number;
  /** A stream breaks in the middle, with what was on its way lost. */
  readonly watchCut: number;
  /** A stream ends early, in good order. */
  readonly watchEnd: number;
  /** A stream goes silent and stays open. */
  readonly watchStall: number;
  /** A stream gives an ERROR event: 410 or 500. */
  readonly watchError: number;
  /** History is forgotten, tried about once every ten seconds: watches from before get 410. */
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
