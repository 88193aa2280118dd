import { type Application, applicationKind } from '@fairlead/api';
import {
  apiVersionOf,
  type JsonObject,
  messageOf,
  objectsAt,
  type ResourceType,
  textAt,
  type Unstructured,
  unstructured,
} from '@fairlead/apimachinery';
import { inClusterServer, isResourcePermitted } from '@fairlead/app-controller';
import {
  ActionError,
  discoverActions,
  groupOf,
  type ImpactedObject,
  keyIn,
  performAction,
  resourceIdOf,
  runAction,
  UnknownAction,
  versionOf,
} from '@fairlead/engine';
import { resourceRefOf } from '../../live/application-tree.ts';
import type { CallContext, Calls } from '../../rpc/call.ts';
import { rpcErrorOf } from '../../rpc/kube-error.ts';
import { RpcError } from '../../rpc/rpc-error.ts';
import type { Server } from '../../server.ts';
import { userName } from '../session.ts';
import { applicationAccess, refOf, unknown } from './requests.ts';
import { failingAs, idOf, type LiveResource, typeIn, withResource } from './resources.ts';

const { type: applicationType } = applicationKind;

/** Actions on live objects: those of Argo CD, and those that the installation defines in Lua. */
export const actionCalls = (server: Server): Calls => ({
  'Application.ListResourceActions': async (context, request) => {
    const discover = async (object: Unstructured, project: string) => {
      try {
        return { actions: await discoverActions(object, optionsFor(server, project)) };
      } catch (error) {
        throw unknown(`error getting available actions: error executing Lua discovery script: ${messageOf(error)}`);
      }
    };
    if (isOwnApplication(request)) {
      const { application } = await applicationAccess(server).find(context.caller, 'get', refOf(request));
      return discover(ownObject(application), projectOf(application));
    }
    return withResource(server, context, request, 'get', async (resource) =>
      discover(await liveObject(resource), projectOf(resource.live.application)),
    );
  },
  'Application.RunResourceAction': (context, request) => run(server, context, request),
  'Application.RunResourceActionV2': (context, request) => run(server, context, request),
});

/** Actions of the Application itself. It is not part of its tree, and it is in the cluster of the server. */
export const isOwnApplication = (request: JsonObject): boolean =>
  textAt(request, 'group') === applicationType.group &&
  textAt(request, 'kind') === applicationType.kind &&
  textAt(request, 'name') === textAt(request, 'resourceName');

const ownObject = (application: Application): Unstructured =>
  unstructured({ ...application, apiVersion: apiVersionOf(applicationType), kind: applicationType.kind });

const projectOf = ({ spec }: Application): string => spec.project || 'default';

function optionsFor(server: Server, lane: string) {
  const { clusters } = server.options;
  if (!clusters) throw new RpcError('Unavailable', 'this server does not read clusters');
  return { lua: clusters.lua, custom: clusters.installation.actions, lane };
}

async function liveObject({ live, node }: LiveResource): Promise<Unstructured> {
  const type = typeIn(live, node, node.version ?? '');
  const { client } = live.lease.cluster;
  return unstructured(await failingAs('error getting resource', client.get(type, keyIn(type, idOf(node)))));
}

async function run(server: Server, context: CallContext, request: JsonObject): Promise<object> {
  const { group, kind } = resourceRefOf(request);
  const right = `action/${group}/${kind}/${textAt(request, 'action')}`;
  if (isOwnApplication(request)) {
    const { application } = await applicationAccess(server).find(context.caller, right, refOf(request));
    const object = ownObject(application);
    const impacted = await impactOf(server, request, object, projectOf(application));
    if (impacted.some(({ operation }) => operation === 'create')) {
      throw unknown('an action on an Application can only change the Application');
    }
    const target = { client: server.state.client, typeOf: () => applicationType, signal: context.signal };
    await performing(performAction(target, object, impacted));
    return {};
  }
  return withResource(server, context, request, right, async (resource) => {
    const object = await liveObject(resource);
    const impacted = await impactOf(server, request, object, projectOf(resource.live.application));
    for (const { object: next } of impacted) requirePermitted(resource, next);
    const target = {
      client: resource.live.lease.cluster.client,
      typeOf: (next: Unstructured) => typeOf(resource, next),
      signal: context.signal,
    };
    await performing(performAction(target, object, impacted));
    if (resource.live.lease.cluster.server === inClusterServer) recordEvent(server, context, request, object);
    return {};
  });
}

async function impactOf(
  server: Server,
  request: JsonObject,
  object: Unstructured,
  project: string,
): Promise<ImpactedObject[]> {
  const parameters = Object.fromEntries(
    objectsAt(request, 'resourceActionParameters').map((item) => [textAt(item, 'name'), textAt(item, 'value')]),
  );
  try {
    const actionContext = { now: server.state.clock.now(), parameters };
    return await runAction(object, textAt(request, 'action'), actionContext, optionsFor(server, project));
  } catch (error) {
    if (error instanceof UnknownAction) {
      throw unknown('error getting Lua resource action: built-in script does not exist');
    }
    throw unknown(`error executing Lua resource action: ${messageOf(error)}`);
  }
}

/** An action must not reach what the project of the Application forbids. */
function requirePermitted({ live: { project, lease } }: LiveResource, object: Unstructured): void {
  const id = resourceIdOf(object);
  if (isResourcePermitted(project, lease.cluster, id)) return;
  throw unknown(
    `application is not permitted to manage ${id.group}/${id.kind}/${id.name} in ${object.metadata.namespace ?? ''}`,
  );
}

const typeOf = ({ live }: LiveResource, { apiVersion, kind }: Unstructured): ResourceType =>
  typeIn(live, { group: groupOf(apiVersion), kind }, versionOf(apiVersion));

/** Errors of Kubernetes keep their code. */
async function performing(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ActionError) throw unknown(error.message);
    throw rpcErrorOf(error);
  }
}

/** Records who ran the action, as an event of the object and of the Application. */
function recordEvent(server: Server, { claims }: CallContext, request: JsonObject, object: Unstructured): void {
  server.events.record({
    regarding: object,
    type: 'Normal',
    reason: 'ResourceActionRan',
    action: 'RunResourceAction',
    note: `${(claims && userName(claims)) || 'Unknown user'} ran action ${textAt(request, 'action')}`,
  });
}
