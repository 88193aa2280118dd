import type { Application } from '@fairlead/api';
import { applicationAccess, isEnabled } from '../../calls/application/requests.ts';
import { groupsOf, userIdentifier } from '../../rbac/claims.ts';
import type { Caller, Enforcer } from '../../rbac/enforcer.ts';
import type { CallContext } from '../../rpc/call.ts';
import type { Server } from '../../server.ts';

interface Decisions {
  readonly enforcer: Enforcer;
  /** The state of the projects, whose roles count too. */
  readonly projects: number;
  /** Objects of a watch never change: one object is one version. */
  readonly isVisible: WeakMap<Application, boolean>;
}

/** Callers whose decisions are kept. */
const maxCallers = 200;

/** The Applications that callers may see, from the watch. A decision is made again only if the Application, the policy or a project changes. */
export class VisibleApplications {
  readonly #server: Server;
  readonly #decisions = new Map<string, Decisions>();
  #projects = 0;

  constructor(server: Server) {
    this.#server = server;
    const changed = (): void => void (this.#projects += 1);
    server.state.projects.addHandler({ onAdd: changed, onUpdate: changed, onDelete: changed });
  }

  list({ caller }: CallContext): Application[] {
    const rights = applicationAccess(this.#server);
    const { isVisible } = this.#decisionsFor(caller);
    const namespaces = new Map<string, boolean>();
    const isServed = (namespace: string): boolean => {
      const known = namespaces.get(namespace) ?? isEnabled(this.#server, namespace);
      namespaces.set(namespace, known);
      return known;
    };
    return this.#server.state.applications.list().filter((one) => {
      const known = isVisible.get(one) ?? rights.allows(caller, 'get', one);
      isVisible.set(one, known);
      return known && isServed(one.metadata.namespace ?? '');
    });
  }

  /** What a decision depends on is the same for the same user with the same groups. */
  #decisionsFor(caller: Caller): Decisions {
    const { enforcer } = this.#server.state;
    const key =
      caller === 'anonymous' ? '' : JSON.stringify([userIdentifier(caller), ...groupsOf(caller, enforcer.scopes)]);
    const known = this.#decisions.get(key);
    if (known && known.enforcer === enforcer && known.projects === this.#projects) return known;
    if (this.#decisions.size >= maxCallers) this.#decisions.clear();
    const fresh = { enforcer, projects: this.#projects, isVisible: new WeakMap<Application, boolean>() };
    this.#decisions.set(key, fresh);
    return fresh;
  }
}

/** Whether the caller may see every Application, of every project. */
export const seesAll = (server: Server, context: CallContext): boolean =>
  server.allows(context, { resource: 'applications', action: 'get', object: '*/*' });

/** Whether the caller may know how the installation is run. */
export const seesClusters = (server: Server, context: CallContext, name = '*'): boolean =>
  server.allows(context, { resource: 'clusters', action: 'get', object: name });

export const keyOf = ({ metadata: { namespace = '', name } }: Application): string => `${namespace}/${name}`;
