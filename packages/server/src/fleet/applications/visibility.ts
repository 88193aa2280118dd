import type { AppProject } from '@fairlead/api';
import { rbacName } from '../../accounts/can-i.ts';
import { groupsOf, userIdentifier } from '../../rbac/claims.ts';
import type { Caller, Enforcer } from '../../rbac/enforcer.ts';
import type { ProjectReach } from '../../rbac/project-reach.ts';
import type { CallContext } from '../../rpc/call.ts';
import type { Server } from '../../server.ts';
import type { KeyedViewer } from './application-index.ts';
import type { ApplicationRecord } from './summary.ts';

/** Which Applications a caller may see. Decisions are kept by project while neither the policy nor the project changes. */
export class Visibility implements KeyedViewer {
  readonly key: string;
  readonly #server: Server;
  readonly #caller: Caller;
  #enforcer: Enforcer | undefined;
  readonly #byProject = new Map<string, { readonly project: AppProject | undefined; readonly reach: ProjectReach }>();

  constructor(server: Server, caller: Caller, key: string) {
    this.#server = server;
    this.#caller = caller;
    this.key = key;
  }

  reach(name: string): ProjectReach {
    const { state, options } = this.#server;
    if (options.disableAuth) return 'all';
    const { enforcer } = state;
    if (enforcer !== this.#enforcer) {
      this.#enforcer = enforcer;
      this.#byProject.clear();
    }
    const project = state.project(name);
    const known = this.#byProject.get(name);
    if (known && known.project === project) return known.reach;
    const reach = enforcer.reach(this.#caller, { resource: 'applications', action: 'get', project: name });
    if (this.#byProject.size >= maxProjects) this.#byProject.clear();
    this.#byProject.set(name, { project, reach });
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
  readonly #byKey = new Map<string, Visibility>();

  constructor(server: Server) {
    this.#server = server;
  }

  of({ caller }: Pick<CallContext, 'caller'>): Visibility {
    const key = this.#keyOf(caller);
    const known = this.#byKey.get(key) ?? new Visibility(this.#server, caller, key);
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
