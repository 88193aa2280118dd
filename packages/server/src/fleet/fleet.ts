import { settingsCalls } from '../calls/settings.ts';
import type { CallContext } from '../rpc/call.ts';
import type { Server } from '../server.ts';
import { openApiDocument } from './api/openapi.ts';
import { readFilter } from './applications/filter.ts';
import { FleetIndex } from './applications/fleet-index.ts';
import { FacetQueries, heatmapFor, pageOf } from './applications/queries.ts';
import { Visibilities } from './applications/visibility.ts';
import { bulkCalls } from './bulk/bulk-calls.ts';
import { readDiff } from './detail/diff.ts';
import { explainApplication } from './detail/explain.ts';
import { readFlow } from './detail/flow/read-flow.ts';
import { previewApplication } from './detail/preview.ts';
import { readSyncPlan } from './detail/sync-plan.ts';
import type { FleetCalls, FleetRequest, FleetStream } from './http/fleet-handler.ts';
import { agentSummary, listAgents } from './installation/agents.ts';
import { listImages } from './installation/images.ts';
import { InstallationState } from './installation/installation-state.ts';
import { meOf, type ServerFacts } from './installation/me.ts';
import { listOperations } from './installation/operations.ts';
import { listPrePulls } from './installation/pre-pulls.ts';
import { listQueues } from './installation/queues.ts';
import { listTenants } from './installation/tenants.ts';
import { EventHub } from './stream/event-hub.ts';
import { followAgents } from './stream/follow-agents.ts';
import { streamEvents } from './stream/stream-events.ts';

export interface Fleet {
  readonly calls: FleetCalls;
  readonly stream: FleetStream;
  close(): void;
}

/** The API of fleets. */
export function startFleet(server: Server, facts: ServerFacts, signal: AbortSignal): Fleet {
  const installation = new InstallationState(server);
  installation.run(signal);
  const settings = settingsCalls(server);
  const document = openApiDocument(facts.version);
  const state = new FleetIndex(server);
  const visibilities = new Visibilities(server, state.rightsChanges);
  const facets = new FacetQueries();
  const hub = new EventHub({ state, facets, clock: server.state.clock });
  const unfollowAgents = followAgents(state.log, installation.agents, agentSummary);
  /** Clients may have read events of another replica. */
  const recent =
    <T>(read: (context: CallContext, request: FleetRequest) => T) =>
    async (context: CallContext, request: FleetRequest): Promise<T> => {
      await state.reached(request.query.one('since'), context.signal);
      return read(context, request);
    };
  return {
    calls: {
      listApplications: recent((context, request) => pageOf(state, visibilities.of(context), request)),
      getFacets: recent((context, { query }) => facets.of(state, visibilities.of(context), readFilter(query))),
      getHeatmap: recent((context, request) => heatmapFor(state, visibilities.of(context), request)),
      explainApplication: (context, request) => explainApplication(server, installation, context, request),
      getFlow: (context, request) => readFlow(server, installation, context, request),
      getDiff: (context, request) => readDiff(server, context, request),
      getSyncPlan: (context, request) => readSyncPlan(server, context, request),
      previewApplication: (context, request) => previewApplication(server, context, request),
      ...bulkCalls(server, state, visibilities),
      listTenants: (context) => listTenants(server, installation, context),
      listAgents: (context) => listAgents(server, installation, context),
      listImages: (context) => listImages(installation, context),
      listPrePulls: (context) => listPrePulls(server, installation, context),
      listOperations: (context, request) => listOperations(server, installation, context, request),
      listQueues: (context) => listQueues(server, installation, context),
      getMe: (context) => meOf(server, facts, settings, context),
      getOpenApi: () => document,
    },
    stream: streamEvents({ server, hub, state, visibilities }),
    close() {
      unfollowAgents();
      hub.stop();
      state.close();
    },
  };
}
