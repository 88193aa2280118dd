import { settingsCalls } from '../calls/settings.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { Server } from '../server.ts';
import { openApiDocument } from './api/openapi.ts';
import { readDiff } from './detail/diff.ts';
import { explainApplication } from './detail/explain.ts';
import { readFlow } from './detail/flow/read-flow.ts';
import { readSyncPlan } from './detail/sync-plan.ts';
import type { FleetCall, FleetCalls, FleetStream } from './http/fleet-handler.ts';
import { listAgents } from './installation/agents.ts';
import { listImages } from './installation/images.ts';
import { InstallationState } from './installation/installation-state.ts';
import { meOf, type ServerFacts } from './installation/me.ts';
import { listOperations } from './installation/operations.ts';
import { listPrePulls } from './installation/pre-pulls.ts';
import { listQueues } from './installation/queues.ts';
import { listTenants } from './installation/tenants.ts';

export interface Fleet {
  readonly calls: FleetCalls;
  readonly stream: FleetStream;
}

const missing: FleetCall = () => {
  throw new RpcError('Unimplemented', 'not implemented yet');
};

/** The API of fleets. */
export function startFleet(server: Server, facts: ServerFacts, signal: AbortSignal): Fleet {
  const installation = new InstallationState(server);
  installation.run(signal);
  const settings = settingsCalls(server);
  const document = openApiDocument(facts.version);
  return {
    calls: {
      listApplications: missing,
      getFacets: missing,
      getHeatmap: missing,
      explainApplication: (context, request) => explainApplication(server, installation, context, request),
      getFlow: (context, request) => readFlow(server, installation, context, request),
      getDiff: (context, request) => readDiff(server, installation, context, request),
      getSyncPlan: (context, request) => readSyncPlan(server, installation, context, request),
      planBulk: missing,
      runBulk: missing,
      listTenants: (context) => listTenants(server, installation, context),
      listAgents: (context) => listAgents(server, installation, context),
      listImages: (context) => listImages(installation, context),
      listPrePulls: (context) => listPrePulls(server, installation, context),
      listOperations: (context, request) => listOperations(server, installation, context, request),
      listQueues: (context) => listQueues(server, installation, context),
      getMe: (context) => meOf(server, facts, settings, context),
      getOpenApi: () => document,
    },
    stream: async (context, request) => void missing(context, request),
  };
}
