import { settingsCalls } from '../calls/settings.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { Server } from '../server.ts';
import { openApiDocument } from './api/openapi.ts';
import type { FleetCall, FleetCalls, FleetStream } from './http/fleet-handler.ts';
import { meOf, type ServerFacts } from './installation/me.ts';

export interface Fleet {
  readonly calls: FleetCalls;
  readonly stream: FleetStream;
}

const missing: FleetCall = () => {
  throw new RpcError('Unimplemented', 'not implemented yet');
};

/** The API of fleets. */
export function startFleet(server: Server, facts: ServerFacts): Fleet {
  const settings = settingsCalls(server);
  const document = openApiDocument(facts.version);
  return {
    calls: {
      listApplications: missing,
      getFacets: missing,
      getHeatmap: missing,
      explainApplication: missing,
      getFlow: missing,
      getDiff: missing,
      getSyncPlan: missing,
      planBulk: missing,
      runBulk: missing,
      listTenants: missing,
      listAgents: missing,
      listImages: missing,
      listPrePulls: missing,
      listOperations: missing,
      listQueues: missing,
      getMe: (context) => meOf(server, facts, settings, context),
      getOpenApi: () => document,
    },
    stream: async (context, request) => void missing(context, request),
  };
}
