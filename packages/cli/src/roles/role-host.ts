import type { ShutdownSequence } from '../shutdown-sequence.ts';
import { startReported } from './report-role.ts';
import type { Role, RoleContext, RunningRole } from './role.ts';

/** Runs several roles in one process. They are started one after the other and stopped in the reverse order. */
export class RoleHost {
  readonly #context: RoleContext;
  readonly #started: ShutdownSequence;

  constructor(context: RoleContext, started: ShutdownSequence) {
    this.#context = context;
    this.#started = started;
  }

  /** Resolves once the role works. The signal ends it early; otherwise it runs until everything started after it has stopped. */
  async start<O, R extends RunningRole>(role: Role<O, R>, options: O, signal?: AbortSignal): Promise<R> {
    const working = new AbortController();
    const either = signal ? AbortSignal.any([signal, working.signal]) : working.signal;
    const running = await startReported(role, options, this.#context, either);
    this.#context.log.info('role started', { role: role.name });
    const stopped = running.stopped.catch((error: unknown) => {
      if (!either.aborted) this.#context.log.error('a role has failed', { role: role.name, error });
    });
    this.#started.add(`the ${role.name}`, async () => {
      working.abort();
      await stopped;
    });
    return running;
  }
}
