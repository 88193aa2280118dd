import type { Application } from '@fairlead/api';
import { readResources } from '@fairlead/app-controller';
import { applicationAccess } from '../../calls/application/requests.ts';
import type { CallContext } from '../../rpc/call.ts';
import type { Server } from '../../server.ts';
import type { FleetRequest } from '../http/fleet-handler.ts';

const refOf = ({ path }: Pick<FleetRequest, 'path'>) => ({
  namespace: path['namespace'] ?? '',
  name: path['name'] ?? '',
  project: '',
});

/** The Application of a path, as the watch has it, if the caller may see it. Its project may not exist. */
export const watchedApplication = (
  server: Server,
  { caller }: CallContext,
  request: Pick<FleetRequest, 'path'>,
): Promise<Application> => applicationAccess(server, { watched: true }).findAlone(caller, 'get', refOf(request));

/** The Application of a path, with all of its resources, if the caller may see it. Its project may not exist. */
export async function findApplication(
  server: Server,
  { caller, signal }: CallContext,
  request: Pick<FleetRequest, 'path'>,
): Promise<Application> {
  const application = await applicationAccess(server).findAlone(caller, 'get', refOf(request));
  if (!application.status) return application;
  const resources = await readResources(server.state.client, application, signal);
  return { ...application, status: { ...application.status, resources: [...resources] } };
}
