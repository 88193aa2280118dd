import { type Clock, systemClock } from '@fairlead/kube';
import { exitCodes } from '../../command-line/command.ts';

/** Aborts on Ctrl-C or after the timeout: the reason says which. */
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

/** The exit code of a command that was stopped with Ctrl-C. */
export const interrupted: number = exitCodes.interrupted;
