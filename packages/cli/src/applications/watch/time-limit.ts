import { type Clock, systemClock } from '@fairlead/kube';

/** Ends with the user's patience, or after the time: the reason says which. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  readonly expired: boolean;
  end(): void;
}

export function timeLimit(stopped: AbortSignal, ms: number | undefined, clock: Clock = systemClock): TimeLimit {
  const over = new AbortController();
  const cancel = ms === undefined ? () => {} : clock.after(ms, () => over.abort());
  return {
    signal: AbortSignal.any([stopped, over.signal]),
    get expired() {
      return over.signal.aborted;
    },
    end: cancel,
  };
}

/** What a shell expects of a command that Ctrl-C has ended. */
export const interrupted = 130;
