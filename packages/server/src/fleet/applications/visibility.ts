import { rbacName } from '../../accounts/can-i.ts';
import { groupsOf, userIdentifier } from '../../rbac/claims.ts';
import type { Caller } from '../../rbac/enforcer.ts';
import type { ProjectReach } from '../../rbac/project-reach.ts';
import type { CallContext } from '../../rpc/call.ts';
import type { Server } from '../../server.ts';
import type { KeyedViewer } from './application-index.ts';
import type { RightsChanges } from './rights-changes.ts';
import type { ApplicationRecord } from './summary.ts';

/** Which Applications a caller may see. Decisions are kept by project until the policy or the roles of a project change. */
export class Visibility implements KeyedViewer {
  readonly key: string;
  readonly #server: Server;
  readonly #caller: Caller;
  readonly #rights: Pick<RightsChanges, 'version'>;
  readonly #byProject = new Map<string, ProjectReach>();
  #version: number;

  constructor(server: Server, rights: Pick<RightsChanges, 'version'>, caller: Caller, key: string) {
    this.#server = server;
    this.#rights = rights;
    this.#version = rights.version;
    this.#caller = caller;
    this.key = key;
  }

  reach(project: string): ProjectReach {
    const { state, options } = this.#server;
    if (options.disableAuth) return 'all';
    if (this.#version !== this.#rights.version) {
      this.#version = this.#rights.version;
      this.#byProject.clear();
    }
    const known = this.#byProject.get(project);
    if (known) return known;
    const reach = state.enforcer.reach(this.#caller, { resource: 'applications', action: 'get', project });
    if (this.#byProject.size >= maxProjects) this.#byProject.clear();
    this.#byProject.set(project, reach);
    return reach;
  }

  allows({ summary: { project, namespace, name } }: ApplicationRecord): boolean {
    const reach = this.reach(project);
    if (reach !== 'some') return reach === 'all';
    const { state } = this.#server;
    const object = rbacName(state.namespace, project, namespace, name);
    return state.enforcer.allows(this.#caller, { resource: 'applications', action: 'get', object });
  }
}

const maxProjects = 20_000;
const maxCallers = 500;

/** One Visibility for all requests with the same rights. */
export class Visibilities {
  readonly #server: Server;
  readonly #rights: Pick<RightsChanges, 'version'>;
  readonly #byKey = new Map<string, Visibility>();

  constructor(server: Server, rights: Pick<RightsChanges, 'version'>) {
    this.#server = server;
    this.#rights = rights;
  }

  of({ caller }: Pick<CallContext, 'caller'>): Visibility {
    const key = this.#keyOf(caller);
    const known = this.#byKey.get(key) ?? new Visibility(this.#server, this.#rights, caller, key);
    // The one that was used last is the last to be forgotten.
    this.#byKey.delete(key);
    this.#byKey.set(key, known);
    for (const oldest of this.#byKey.keys()) {
      if (this.#byKey.size <= maxCallers) break;
      this.#byKey.delete(oldest);
    }
    return known;
  }

  /** All that the policy depends on. */
  #keyOf(caller: Caller): string {
    const { options, state } = this.#server;
    if (options.disableAuth) return 'all';
    if (caller === 'anonymous') return 'anonymous';
    return JSON.stringify([userIdentifier(caller), groupsOf(caller, state.enforcer.scopes)]);
  }
}
