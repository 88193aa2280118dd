import type { IncomingHttpHeaders } from 'node:http';
import type { CallContext } from '../../rpc/call.ts';
import type { Server } from '../../server.ts';
import type { ApplicationIndex } from '../applications/application-index.ts';
import type { RightsChanges } from '../applications/rights-changes.ts';
import type { EventStream } from './event-stream.ts';
import { isSessionValid } from './session-check.ts';

/** How long changes of settings and projects are collected. */
const settleMs = 200;
/** Sessions expire without a change of anything. */
const expiryMs = 5_000;

export interface RightsWatchOptions {
  readonly server: Server;
  readonly index: ApplicationIndex;
  readonly rightsChanges: RightsChanges;
}

/**
 * What a stream was opened with can change: it ends with its session, and a client whose rights have changed reloads, because
 * Applications appear and disappear for it although they have not changed.
 */
export class RightsWatch {
  readonly #options: RightsWatchOptions;

  constructor(options: RightsWatchOptions) {
    this.#options = options;
  }

  /** Resolves when the client has left or its session has ended. */
  async until(
    stream: EventStream,
    headers: IncomingHttpHeaders,
    context: Pick<CallContext, 'claims' | 'signal'>,
  ): Promise<void> {
    const { server, rightsChanges } = this.#options;
    let [version, before] = [rightsChanges.version, this.#rightsOf(stream)];
    while (!context.signal.aborted) {
      await this.#changed(context.signal);
      if (context.signal.aborted || !(await isSessionValid(server, headers, context))) return;
      const now = this.#rightsOf(stream);
      if (version !== rightsChanges.version && now !== before) stream.reload('the rights of the user have changed');
      [version, before] = [rightsChanges.version, now];
    }
  }

  /** Decisions by project. Where they are made for each Application, every change of the policy may change one. */
  #rightsOf({ view: { viewer } }: EventStream): string {
    const { index, rightsChanges } = this.#options;
    const reaches: string[] = [];
    for (const { text } of index.values.values('project')) {
      const reach = viewer.reach(text);
      if (reach !== 'none') reaches.push(reach === 'all' ? text : `${text} ${rightsChanges.version}`);
    }
    return reaches.sort().join('\n');
  }

  /** Resolves a moment after a change, or when the session has to be checked again. */
  #changed(signal: AbortSignal): Promise<void> {
    const { server, rightsChanges } = this.#options;
    const { clock } = server.state;
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        remove();
        signal.removeEventListener('abort', done);
        resolve();
      };
      let cancel = clock.after(expiryMs, done);
      const remove = rightsChanges.onChange(() => {
        remove();
        cancel();
        cancel = clock.after(settleMs, done);
      });
      signal.addEventListener('abort', done, { once: true });
    });
  }
}
