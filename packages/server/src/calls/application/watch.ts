import type { Application } from '@fairlead/api';
import { numberAt, textAt } from '@fairlead/apimachinery';
import { WatchQueue } from '../../applications/watch-queue.ts';
import type { StreamCalls } from '../../rpc/call.ts';
import type { Server } from '../../server.ts';
import { withoutKind } from '../project.ts';
import { applicationAccess, selectorOf } from './requests.ts';

interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly application: Omit<Application, 'apiVersion' | 'kind'>;
}

const nameOf = ({ application }: WatchEvent): string => application.metadata.name ?? '';

/** All clients get the same message of an event, so that it is encoded once. */
const messages = new WeakMap<Application, Map<string, WatchEvent>>();

function messageOf(type: WatchEvent['type'], application: Application): WatchEvent {
  const known = messages.get(application) ?? new Map<string, WatchEvent>();
  messages.set(application, known);
  const message = known.get(type) ?? { type, application: withoutKind(application) };
  known.set(type, message);
  return message;
}

export const watchStreams = (server: Server): StreamCalls => ({
  async *'Application.Watch'(context, request) {
    const matches = selectorOf(request, 'error parsing labels with selectors');
    const since = Number(textAt(request, 'resourceVersion') || numberAt(request, 'resourceVersion'));
    const isSingle = textAt(request, 'name') !== '';
    let rights = { of: server.state.enforcer, access: applicationAccess(server) };
    const mayGet = (application: Application): boolean => {
      const { enforcer } = server.state;
      // A policy that has changed counts for streams that are open, too.
      if (enforcer !== rights.of) rights = { of: enforcer, access: applicationAccess(server) };
      return rights.access.allows(context.caller, 'get', application);
    };
    const queue = new WatchQueue<WatchEvent>(context.signal);
    const push = (type: WatchEvent['type'], application: Application): void => {
      const isNew = Number(application.metadata.resourceVersion ?? 0) >= since;
      if (isNew && matches(application) && mayGet(application)) queue.push(messageOf(type, application));
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
    queue.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
    try {
      yield* queue;
    } finally {
      remove();
    }
  },
});
