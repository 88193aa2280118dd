import type { ApplicationSet } from '@fairlead/api';
import { numberAt, textAt } from '@fairlead/apimachinery';
import { WatchQueue } from '../../applications/watch-queue.ts';
import { mayGetSet } from '../../applicationsets/set-access.ts';
import { withCurrentResources } from '../../applicationsets/set-resources.ts';
import type { StreamCalls } from '../../rpc/call.ts';
import type { Server } from '../../server.ts';
import { isEnabled } from '../application/requests.ts';
import { withoutKind } from '../project.ts';
import { setSelector } from './read.ts';

interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly applicationSet: Omit<ApplicationSet, 'apiVersion' | 'kind'>;
}

const nameOf = ({ applicationSet: { metadata } }: WatchEvent): string => `${metadata.namespace}/${metadata.name}`;

/** Changes of ApplicationSets. Those that are there come first only if the request names one. */
export const setStreams = (server: Server): StreamCalls => ({
  async *'ApplicationSet.Watch'(context, request) {
    const matches = setSelector(request, 'error parsing labels with selectors');
    const since = Number(textAt(request, 'resourceVersion') || numberAt(request, 'resourceVersion')) || 0;
    const [name, namespace] = [textAt(request, 'name'), textAt(request, 'appSetNamespace')];
    const queue = new WatchQueue<WatchEvent>(context.signal);
    const push = (type: WatchEvent['type'], set: ApplicationSet): void => {
      const { metadata } = set;
      if ((name !== '' && metadata.name !== name) || (namespace !== '' && metadata.namespace !== namespace)) return;
      if (Number(metadata.resourceVersion ?? 0) < since || !matches(set)) return;
      if (!isEnabled(server, metadata.namespace ?? '') || !mayGetSet(server, context, set)) return;
      queue.push({ type, applicationSet: withoutKind(withCurrentResources(set, server.state.applications)) });
    };
    const remove = server.state.applicationSets.addHandler({
      onAdd: (set, initial) => {
        if (!initial || name !== '') push('ADDED', set);
      },
      onUpdate: (_, set) => push('MODIFIED', set),
      onDelete: (set) => push('DELETED', set),
    });
    queue.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
    try {
      yield* queue;
    } finally {
      remove();
    }
  },
});
