import { limits } from '@fairlead/kube';
import { userIdentifier } from '../../rbac/claims.ts';
import type { CallContext } from '../../rpc/call.ts';
import { RpcError } from '../../rpc/rpc-error.ts';
import type { Server } from '../../server.ts';
import { readFilter } from '../applications/filter.ts';
import type { FleetIndex } from '../applications/fleet-index.ts';
import type { Visibilities } from '../applications/visibility.ts';
import type { FleetStream } from '../http/fleet-handler.ts';
import type { EventHub } from './event-hub.ts';
import type { EventStream } from './event-stream.ts';
import { RightsWatch } from './rights-watch.ts';
import type { StreamView } from './stream-view.ts';

export interface StreamEventsOptions {
  readonly server: Server;
  readonly hub: EventHub;
  readonly state: FleetIndex;
  readonly visibilities: Visibilities;
}

const usualTypes = ['application', 'agent'];

/** Server-sent events until the client leaves or its session ends. */
export function streamEvents({ server, hub, state, visibilities }: StreamEventsOptions): FleetStream {
  const perUser = new Map<string, number>();
  const rights = new RightsWatch({ server, index: state.index, rightsChanges: state.rightsChanges });
  return async (context, { query }, { request, response }) => {
    const types = query.all('types');
    const view: StreamView = {
      types: new Set(types.length > 0 ? types : usualTypes),
      filter: readFilter(query),
      viewer: visibilities.of(context),
      mayGetAgent: ({ name }) => server.allows(context, { resource: 'clusters', action: 'get', object: name }),
    };
    const since = headerOf(request.headers['last-event-id']) ?? query.one('since');
    const user = userOf(context);
    const open = perUser.get(user) ?? 0;
    if (hub.size >= limits.fleetStreams || open >= limits.fleetStreamsPerUser) {
      throw new RpcError('ResourceExhausted', 'too many streams of events are open: close one or retry later');
    }
    perUser.set(user, open + 1);
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      // Proxies that buffer would hold events back.
      'x-accel-buffering': 'no',
    });
    let stream: EventStream | undefined;
    try {
      stream = hub.open(response, view, since === '' ? undefined : since);
      await rights.until(stream, request.headers, context);
    } finally {
      if (stream) hub.close(stream);
      const left = (perUser.get(user) ?? 1) - 1;
      if (left > 0) perUser.set(user, left);
      else perUser.delete(user);
    }
  };
}

const userOf = ({ claims, remoteAddress }: CallContext): string =>
  claims ? `user ${userIdentifier(claims)}` : `address ${remoteAddress}`;

const headerOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;
