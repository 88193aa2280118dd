import { type ApplicationSet, applicationSetKind } from '@fairlead/api';
import { find, type JsonObject, textAt } from '@fairlead/apimachinery';
import { rbacName } from '../accounts/can-i.ts';
import { isEnabled, unknown } from '../calls/application/requests.ts';
import type { CallContext } from '../rpc/call.ts';
import { notFound } from '../rpc/rpc-error.ts';
import type { Server } from '../server.ts';
import { withCurrentResources } from './set-resources.ts';

const { type } = applicationSetKind;

/** The project of the Applications, which is the one that rights are given for. */
export const projectOfSet = ({ spec }: ApplicationSet): string => textAt(spec, 'template', 'spec', 'project');

/** How policies name an ApplicationSet. */
export const setName = ({ state }: Server, set: ApplicationSet): string =>
  rbacName(state.namespace, projectOfSet(set) || 'default', set.metadata.namespace ?? '', set.metadata.name ?? '');

export const mayGetSet = (server: Server, context: CallContext, set: ApplicationSet): boolean =>
  server.allows(context, { resource: 'applicationsets', action: 'get', object: setName(server, set) });

export const requireSet = (server: Server, context: CallContext, action: string, set: ApplicationSet): void =>
  server.require(context, 'applicationsets', action, setName(server, set));

/** The namespace that a request names, if ApplicationSets of it are served. */
export function namespaceOf(server: Server, given: string): string {
  const namespace = given || server.state.namespace;
  if (!isEnabled(server, namespace)) throw unknown(`namespace '${namespace}' is not permitted`);
  return namespace;
}

/** Finds the ApplicationSet of a request that its caller may get. */
export async function findSet(server: Server, context: CallContext, request: JsonObject): Promise<ApplicationSet> {
  const name = textAt(request, 'name');
  const namespace = namespaceOf(server, textAt(request, 'appsetNamespace'));
  const set = name === '' ? undefined : await find(server.state.client.get<ApplicationSet>(type, { namespace, name }));
  if (!set) throw notFound(`error getting ApplicationSet: applicationset.argoproj.io "${name}" not found`);
  requireSet(server, context, 'get', set);
  return withCurrentResources(set, server.state.applications);
}
