import type { Application } from '@fairlead/api';
import { numberAt, textAt } from '@fairlead/apimachinery';
import type { StreamCalls } from '../../rpc/call.ts';
import type { Server } from '../../server.ts';
import { withoutKind } from '../project.ts';
import { applicationAccess, selectorOf } from './requests.ts';

interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly application: Application;
}

/** Events that a slow client may be behind; then the stream ends, and the client starts again. */
const maxPending = 10_000;

export const watchStreams = (server: Server): StreamCalls => ({
  async *'Application.Watch'(context, request) {
    const matches = selectorOf(request, 'error parsing labels with selectors');
    const rights = applicationAccess(server);
    const since = Number(textAt(request, 'resourceVersion') || numberAt(request, 'resourceVersion'));
    const isSingle = textAt(request, 'name') !== '';
    const isVisible = (application: Application): boolean =>
      Number(application.metadata.resourceVersion ?? 0) >= since &&
      matches(application) &&
      rights.allows(context.caller, 'get', application);
    const pending: WatchEvent[] = [];
    let wake = (): void => {};
    const push = (type: WatchEvent['type'], application: Application): void => {
      if (!isVisible(application)) return;
      pending.push({ type, application });
      wake();
    };
    const remove = server.state.applications.addHandler({
      onAdd: (application, initial) => {
        // A client that names a version, be it 0, has everything before it. One that waits for a single Application must not miss a change.
        if (!initial || isSingle || textAt(request, 'resourceVersion') === '') push('ADDED', application);
      },
      onUpdate: (_, application) => push('MODIFIED', application),
      onDelete: (application) => push('DELETED', application),
    });
    // Those that are there come by name, as in a list.
    pending.sort((a, b) => ((a.application.metadata.name ?? '') < (b.application.metadata.name ?? '') ? -1 : 1));
    const stop = (): void => wake();
    context.signal.addEventListener('abort', stop, { once: true });
    try {
      while (!context.signal.aborted && pending.length < maxPending) {
        const next = pending.shift();
        if (next) yield { type: next.type, application: withoutKind(next.application) };
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } finally {
      remove();
    }
  },
});
