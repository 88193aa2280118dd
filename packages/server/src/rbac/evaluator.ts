import { InvalidPattern, type Matcher, type MatchMode, patternMatcher } from './pattern.ts';
import type { Permission, Policy } from './policy.ts';
import { type ProjectReach, projectReach } from './project-reach.ts';
import { RoleGraph } from './role-graph.ts';

/** What is asked for: `applications`, `sync`, `default/guestbook`. */
export interface AccessRequest {
  readonly resource: string;
  readonly action: string;
  readonly object: string;
}

/** The same, of all objects of a project. */
export interface ProjectRequest {
  readonly resource: string;
  readonly action: string;
  readonly project: string;
}

/** Decisions that are kept: lists ask for the same ones again and again. */
const maxDecisions = 50_000;

/** Identities whose permissions are kept ready. A cluster has fewer users and groups than that. */
const maxIdentities = 1_000;

/**
 * Decides for one identity at a time, by a policy that does not change:
 * - an identity has the permissions of `p` lines with its name and with the names of all roles that it reaches;
 * - one `allow` is enough, unless there is a `deny`; other effects do not count;
 * - an invalid pattern that has to be evaluated is a denial.
 */
export class PolicyEvaluator {
  readonly #mode: MatchMode;
  readonly #roles: RoleGraph;
  readonly #permissions: ReadonlyMap<string, readonly CompiledPermission[]>;
  readonly #byIdentity = new Map<string, readonly CompiledPermission[]>();
  readonly #decisions = new Map<string, boolean>();

  constructor(policy: Policy, mode: MatchMode) {
    this.#mode = mode;
    this.#roles = new RoleGraph(policy.groupings);
    const compiled = policy.permissions.map((permission) => new CompiledPermission(permission, mode));
    this.#permissions = Map.groupBy(compiled, ({ subject }) => subject);
  }

  get mode(): MatchMode {
    return this.#mode;
  }

  isGrouped(name: string): boolean {
    return this.#roles.isMember(name);
  }

  allows(identity: string, request: AccessRequest): boolean {
    const { resource, action, object } = request;
    // With the lengths, no two requests have the same key.
    const key = `${identity.length} ${resource.length} ${action.length} ${identity}${resource}${action}${object}`;
    const known = this.#decisions.get(key);
    if (known !== undefined) return known;
    const allowed = decide(this.#permissionsOf(identity), request);
    if (this.#decisions.size >= maxDecisions) this.#decisions.clear();
    this.#decisions.set(key, allowed);
    return allowed;
  }

  /** Of which objects of a project the decision is the same. */
  reach(identity: string, request: ProjectRequest): ProjectReach {
    return reachOf(this.#permissionsOf(identity), request, this.#mode);
  }

  /** As `reach`, without the roles that `g` lines give. */
  reachDirectly(identity: string, request: ProjectRequest): ProjectReach {
    return reachOf(this.#permissions.get(identity) ?? [], request, this.#mode);
  }

  /** As `allows`, without the roles that `g` lines give. */
  allowsDirectly(identity: string, request: AccessRequest): boolean {
    return decide(this.#permissions.get(identity) ?? [], request);
  }

  #permissionsOf(identity: string): readonly CompiledPermission[] {
    const known = this.#byIdentity.get(identity);
    if (known) return known;
    const found = [...this.#roles.reachable(identity)].flatMap((name) => this.#permissions.get(name) ?? []);
    if (this.#byIdentity.size >= maxIdentities) this.#byIdentity.clear();
    this.#byIdentity.set(identity, found);
    return found;
  }
}

function decide(permissions: readonly CompiledPermission[], request: AccessRequest): boolean {
  let allowed = false;
  try {
    for (const permission of permissions) {
      if (!permission.matches(request)) continue;
      if (permission.effect === 'deny') return false;
      if (permission.effect === 'allow') allowed = true;
    }
  } catch (error) {
    if (error instanceof InvalidPattern) return false;
    throw error;
  }
  return allowed;
}

function reachOf(permissions: readonly CompiledPermission[], request: ProjectRequest, mode: MatchMode): ProjectReach {
  const reaches: Record<string, Set<ProjectReach>> = { allow: new Set(), deny: new Set() };
  try {
    for (const permission of permissions) {
      if (permission.isAbout(request)) reaches[permission.effect]?.add(permission.reach(request.project, mode));
    }
  } catch (error) {
    if (error instanceof InvalidPattern) return 'some';
    throw error;
  }
  const { allow = new Set(), deny = new Set() } = reaches;
  if (deny.has('all')) return 'none';
  // An expression may be invalid, which is a denial: each object is asked for.
  if (deny.has('some') || (mode === 'regex' && allow.has('some'))) return 'some';
  return allow.has('all') ? 'all' : allow.has('some') ? 'some' : 'none';
}

class CompiledPermission {
  readonly subject: string;
  readonly effect: string;
  readonly #resource: Matcher;
  readonly #action: Matcher;
  readonly #object: Matcher;
  readonly #pattern: string;

  constructor({ subject, resource, action, object, effect }: Permission, mode: MatchMode) {
    this.subject = subject;
    this.effect = effect;
    this.#resource = patternMatcher(mode, resource);
    this.#action = patternMatcher(mode, action);
    this.#object = patternMatcher(mode, object);
    this.#pattern = object;
  }

  /** In this order: an invalid pattern counts only if those before it match. */
  matches({ resource, action, object }: AccessRequest): boolean {
    return this.#resource(resource) && this.#action(action) && this.#object(object);
  }

  isAbout({ resource, action }: Pick<AccessRequest, 'resource' | 'action'>): boolean {
    return this.#resource(resource) && this.#action(action);
  }

  reach(project: string, mode: MatchMode): ProjectReach {
    return projectReach(this.#pattern, project, mode, this.#object);
  }
}
