import { settingsCalls } from '../calls/settings.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { Server } from '../server.ts';
import { openApiDocument } from './api/openapi.ts';
import { readFilter } from './applications/filter.ts';
import { FleetIndex } from './applications/fleet-index.ts';
import { FacetQueries, heatmapFor, pageOf } from './applications/queries.ts';
import { Visibilities } from './applications/visibility.ts';
import { bulkCalls } from './bulk/bulk-calls.ts';
import type { FleetCall, FleetCalls, FleetStream } from './http/fleet-handler.ts';
import { meOf, type ServerFacts } from './installation/me.ts';
import { EventHub } from './stream/event-hub.ts';
import { streamEvents } from './stream/stream-events.ts';

export interface Fleet {
  readonly calls: FleetCalls;
  readonly stream: FleetStream;
  close(): void;
}

const missing: FleetCall = () => {
  throw new RpcError('Unimplemented', 'not implemented yet');
};

/** The API of fleets. */
export function startFleet(server: Server, facts: ServerFacts): Fleet {
  const settings = settingsCalls(server);
  const document = openApiDocument(facts.version);
  const state = new FleetIndex(server);
  const visibilities = new Visibilities(server, state.rightsChanges);
  const facets = new FacetQueries();
  const hub = new EventHub({ state, facets, clock: server.state.clock });
  return {
    calls: {
      listApplications: (context, request) => pageOf(state, visibilities.of(context), request),
      getFacets: (context, { query }) => facets.of(state, visibilities.of(context), readFilter(query)),
      getHeatmap: (context, request) => heatmapFor(state, visibilities.of(context), request),
      explainApplication: missing,
      getFlow: missing,
      getDiff: missing,
      getSyncPlan: missing,
      ...bulkCalls(server, state, visibilities),
      listTenants: missing,
      listAgents: missing,
      listImages: missing,
      listPrePulls: missing,
      listOperations: missing,
      listQueues: missing,
      getMe: (context) => meOf(server, facts, settings, context),
      getOpenApi: () => document,
    },
    stream: streamEvents({ server, hub, state, visibilities }),
    close() {
      hub.stop();
      state.close();
    },
  };
}
