import { agentOfApplication } from '@fairlead/agent';
import type { CallContext } from '../../../rpc/call.ts';
import type { Server } from '../../../server.ts';
import type { Flow } from '../../api/detail-shapes.ts';
import type { FleetRequest } from '../../http/fleet-handler.ts';
import type { InstallationState } from '../../installation/installation-state.ts';
import { tenantDeployment } from '../../installation/tenant.ts';
import { windowsOf } from '../explain.ts';
import { watchedApplication } from '../find-application.ts';
import { flowOf } from './flow-of.ts';

/** How far the desired state of an Application has come, and its status back. */
export async function readFlow(
  server: Server,
  installation: InstallationState,
  context: CallContext,
  request: FleetRequest,
): Promise<Flow> {
  const { state } = server;
  const application = await watchedApplication(server, context, request);
  const project = state.project(application.spec.project || 'default');
  const tenant = tenantDeployment(installation, application);
  return flowOf({
    now: state.clock.now(),
    application,
    isTenant: tenant !== undefined,
    deployment: tenant?.deployment,
    agent: agentOfApplication(application, state.namespace, (name) => installation.agentNamed(name)),
    window: project && windowsOf(server, project, application).automated,
    roles: installation.roles(),
  });
}
