import type { Application } from '@fairlead/api';
import { applicationAccess, isEnabled } from '../../calls/application/requests.ts';
import type { CallContext } from '../../rpc/call.ts';
import type { Server } from '../../server.ts';

/** The Applications that the caller may see, from the watch. Decisions on rights are cached by the enforcer. */
export function visibleApplications(server: Server, { caller }: CallContext): Application[] {
  const rights = applicationAccess(server);
  const enabled = new Map<string, boolean>();
  const isServed = (namespace: string): boolean => {
    const known = enabled.get(namespace) ?? isEnabled(server, namespace);
    enabled.set(namespace, known);
    return known;
  };
  return server.state.applications
    .list()
    .filter((one) => isServed(one.metadata.namespace ?? '') && rights.allows(caller, 'get', one));
}

/** Whether the caller may see every Application, of every project. */
export const seesAll = (server: Server, context: CallContext): boolean =>
  server.allows(context, { resource: 'applications', action: 'get', object: '*/*' });

/** Whether the caller may know how the installation is run. */
export const seesClusters = (server: Server, context: CallContext, name = '*'): boolean =>
  server.allows(context, { resource: 'clusters', action: 'get', object: name });

export const keyOf = ({ metadata: { namespace = '', name } }: Application): string => `${namespace}/${name}`;
