import { applicationKind } from '@fairlead/api';
import { objectAt, toJson } from '@fairlead/apimachinery';
import { projectForApplication } from '../../applications/application-project.ts';
import { knownClusters } from '../../applications/destination.ts';
import { refuseRepeatedSourceNames, validateApplication } from '../../applications/validate-application.ts';
import { trackedManifests } from '../../calls/application/manifests.ts';
import { applicationAccess } from '../../calls/application/requests.ts';
import { applicationFrom } from '../../calls/application/write.ts';
import type { CallContext } from '../../rpc/call.ts';
import { invalidArgument, RpcError } from '../../rpc/rpc-error.ts';
import type { Server } from '../../server.ts';
import type { Preview } from '../api/detail-shapes.ts';
import type { FleetRequest } from '../http/fleet-handler.ts';

/** What an Application would deploy, for a caller who may create it. It is refused for the reasons that its creation is. */
export async function previewApplication(
  server: Server,
  { caller }: CallContext,
  { body }: FleetRequest,
): Promise<Preview> {
  const { state, options } = server;
  const application = applicationFrom(objectAt(toJson(body), 'application') ?? {}, state.namespace);
  const [problem] = applicationKind.validate(application);
  if (problem) throw invalidArgument(`${problem.field}: ${problem.message}`);
  applicationAccess(server).require(caller, 'create', application);
  const project = projectForApplication(application, state.namespace, (name) => state.project(name));
  refuseRepeatedSourceNames(application);
  validateApplication(application, project, knownClusters(state.secrets.list()));
  if (!options.sources) throw new RpcError('Unavailable', 'this server does not read sources');
  const loading = options.sources.load(application, project);
  const { revisions, types, manifests } = await trackedManifests(server, application, loading);
  return { revisions: [...revisions], sourceTypes: [...types], manifests: [...manifests] };
}
