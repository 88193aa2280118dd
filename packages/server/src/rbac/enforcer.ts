import type { AppProject } from '@fairlead/api';
import { formatTime } from '@fairlead/apimachinery';
import { builtinPolicy } from './builtin-policy.ts';
import { type Claims, groupsOf, timeClaim, userIdentifier } from './claims.ts';
import { type AccessRequest, PolicyEvaluator, type ProjectRequest } from './evaluator.ts';
import { joinPolicies, type Policy, parsePolicy } from './policy.ts';
import { PolicyError } from './policy-line.ts';
import { type ProjectReach, widest } from './project-reach.ts';
import { parseProjectSubject, projectPolicyText } from './project-subject.ts';
import type { RbacConfig } from './rbac-config.ts';
import { isInProject } from './vocabulary.ts';

/** Who asks: the claims of a token, or nobody, if anonymous access is enabled. */
export type Caller = Claims | 'anonymous';

/**
 * Decides as Argo CD does. Identities are asked one by one and the first that is allowed wins: the default role, the subject, then each of its
 * groups that a `g` line begins with. A denial overrides the permissions of the same identity with all its roles, and of no other.
 *
 * The roles of a project count for objects of that project. A token of such a role never has access to objects of another project.
 */
export class Enforcer {
  readonly #config: RbacConfig;
  readonly #projectNamed: (name: string) => AppProject | undefined;
  readonly #policy: Policy;
  readonly #evaluator: PolicyEvaluator;
  readonly #byProject = new Map<string, { readonly text: string; readonly evaluator: PolicyEvaluator }>();

  constructor(
    config: RbacConfig,
    projectNamed: (name: string) => AppProject | undefined,
    builtin: Policy = builtinPolicy,
  ) {
    this.#config = config;
    this.#projectNamed = projectNamed;
    this.#policy = joinPolicies(builtin, config.policy);
    this.#evaluator = new PolicyEvaluator(this.#policy, config.mode);
  }

  get scopes(): readonly string[] {
    return this.#config.scopes;
  }

  allows(caller: Caller, request: AccessRequest): boolean {
    if (this.#allowsNamed(this.#evaluator, caller === 'anonymous' ? '' : undefined, request)) return true;
    if (caller === 'anonymous') return false;
    // Lines with an empty subject are for everybody. Roles are not: `g, , role:admin` is more likely a mistake.
    return this.#allowsClaims(caller, request) || this.#evaluator.allowsDirectly('', request);
  }

  /** What `allows` answers for the objects of a project: `all` and `none` hold for each of them. */
  reach(caller: Caller, request: ProjectRequest): ProjectReach {
    return widest(this.#reaches(caller, request));
  }

  /** Of each identity that `allows` asks, in the same order. */
  *#reaches(caller: Caller, request: ProjectRequest): Iterable<ProjectReach> {
    const { defaultRole, scopes } = this.#config;
    if (defaultRole !== '') yield this.#evaluator.reach(defaultRole, request);
    if (caller === 'anonymous') return yield this.#evaluator.reach('', request);
    yield this.#evaluator.reachDirectly('', request);
    const subject = userIdentifier(caller);
    const project = this.#projectNamed(request.project);
    const token = parseProjectSubject(subject);
    if (project && token && token.project !== project.metadata.name) return;
    const evaluator = project ? this.#evaluatorOf(project) : this.#evaluator;
    if (defaultRole !== '') yield evaluator.reach(defaultRole, request);
    yield evaluator.reach(subject, request);
    if (project && token) return;
    for (const group of groupsOf(caller, scopes)) if (evaluator.isGrouped(group)) yield evaluator.reach(group, request);
  }

  /** For a subject that is given by name, as by `rbac can`: without groups and without projects. */
  allowsSubject(subject: string, request: AccessRequest): boolean {
    return this.#allowsNamed(this.#evaluator, subject, request);
  }

  /** Whether the subject is allowed without the default role. */
  grantsSubject(subject: string, request: AccessRequest): boolean {
    return this.#evaluator.allows(subject, request);
  }

  isGrouped(name: string): boolean {
    return this.#evaluator.isGrouped(name);
  }

  /** The default role, then the identity if there is one. */
  #allowsNamed(evaluator: PolicyEvaluator, identity: string | undefined, request: AccessRequest): boolean {
    const { defaultRole } = this.#config;
    if (defaultRole !== '' && evaluator.allows(defaultRole, request)) return true;
    return identity !== undefined && evaluator.allows(identity, request);
  }

  #allowsClaims(claims: Claims, request: AccessRequest): boolean {
    const subject = userIdentifier(claims);
    const project = this.#projectOf(request);
    const token = parseProjectSubject(subject);
    if (project && token && token.project !== project.metadata.name) return false;
    const evaluator = project ? this.#evaluatorOf(project) : this.#evaluator;
    if (this.#allowsNamed(evaluator, subject, request)) return true;
    if (project && token) return false;
    return groupsOf(claims, this.#config.scopes).some(
      (group) => evaluator.isGrouped(group) && this.#allowsNamed(evaluator, group, request),
    );
  }

  #projectOf({ resource, object }: AccessRequest): AppProject | undefined {
    if (resource === 'projects') return this.#projectNamed(object);
    const slash = object.indexOf('/');
    return isInProject(resource) && slash >= 0 ? this.#projectNamed(object.slice(0, slash)) : undefined;
  }

  /** A project whose policy is invalid has none. */
  #evaluatorOf(project: AppProject): PolicyEvaluator {
    const text = projectPolicyText(project);
    if (text === '') return this.#evaluator;
    const name = project.metadata.name ?? '';
    const known = this.#byProject.get(name);
    if (known?.text === text) return known.evaluator;
    const evaluator = this.#withPolicy(text);
    this.#byProject.set(name, { text, evaluator });
    return evaluator;
  }

  #withPolicy(text: string): PolicyEvaluator {
    try {
      return new PolicyEvaluator(joinPolicies(this.#policy, parsePolicy(text)), this.#evaluator.mode);
    } catch (error) {
      if (error instanceof PolicyError) return this.#evaluator;
      throw error;
    }
  }
}

/** The long form of Argo CD's denial: what was asked, by whom, and when the token was issued. */
export function denialMessage(caller: Caller, { resource, action, object }: AccessRequest): string {
  const parts = [resource, action, object];
  if (caller !== 'anonymous') {
    const user = userIdentifier(caller);
    const issued = timeClaim(caller, 'iat');
    if (user !== '') parts.push(`sub: ${user}`);
    if ('seconds' in issued) parts.push(`iat: ${formatTime(issued.seconds * 1_000)}`);
  }
  return `permission denied: ${parts.join(', ')}`;
}
