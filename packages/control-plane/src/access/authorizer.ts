import type { KubeObject } from '@fairlead/apimachinery';
import type { User } from '../resource.ts';
import { type Attributes, isPath } from './attributes.ts';
import {
  type BindingObject,
  type PolicyRule,
  type RoleObject,
  type RoleRef,
  ruleAllows,
  type Subject,
} from './policy-rules.ts';
import { groups, serviceAccountName } from './users.ts';

/** Synchronous reads of stored objects by storage name, for rules. */
export interface AccessReads {
  get(resource: string, namespace: string, name: string): KubeObject | undefined;
  find(resource: string, namespace?: string): Iterable<KubeObject>;
}

export interface PolicyReads extends AccessReads {
  /** Incremented with every write to a role or a binding: derived data is invalidated. */
  generation(): number;
}

export interface Decision {
  readonly allowed: boolean;
  /** The binding that allowed it, or errors that led to a denial; often empty. */
  readonly reason: string;
}

/** A rule of a user, and its binding. */
export interface Grant {
  readonly rule: PolicyRule;
  readonly source: string;
}

export interface Authorizer {
  (user: User, attributes: Attributes): Decision;
  /** All rules of a user in a namespace (`''`: cluster-wide only), and unresolved references. */
  grants(user: User, namespace: string): { readonly grants: readonly Grant[]; readonly errors: readonly string[] };
  /** The rules of a role reference; undefined if there is no such role. */
  rulesOf(ref: RoleRef, namespace: string): readonly PolicyRule[] | undefined;
}

export const rbacStorage = {
  roles: 'rbac.authorization.k8s.io/roles',
  roleBindings: 'rbac.authorization.k8s.io/rolebindings',
  clusterRoles: 'rbac.authorization.k8s.io/clusterroles',
  clusterRoleBindings: 'rbac.authorization.k8s.io/clusterrolebindings',
} as const;

interface BoundGrants {
  readonly grants: readonly Grant[];
  readonly error?: string;
}

/** The rules of each subject from the bindings of one namespace, in the order of the names of the bindings. */
type Scope = Map<string, Entry[]>;

interface Entry {
  /** The index of the binding, and of the subject in it. */
  readonly order: number;
  readonly place: number;
  readonly bound: BoundGrants;
}

/**
 * RBAC as kube-apiserver evaluates it: rules only add, the first that allows decides, `system:masters` may do anything. Bindings are
 * indexed by subject and the rules of a user are cached until `generation` changes, so a check iterates only over the rules of the user.
 */
export function createAuthorizer(read: PolicyReads): Authorizer {
  let seen = Number.NaN;
  const scopes = new Map<string, Scope>();
  const users = new Map<string, ReturnType<Authorizer['grants']>>();

  const rulesOf: Authorizer['rulesOf'] = (ref, namespace) => {
    const role: RoleObject | undefined =
      ref.kind === 'Role'
        ? read.get(rbacStorage.roles, namespace, ref.name)
        : read.get(rbacStorage.clusterRoles, '', ref.name);
    return role && (role.rules ?? []);
  };

  const scopeOf = (namespace: string): Scope => {
    const known = scopes.get(namespace);
    if (known) return known;
    const bindings = [
      ...(namespace === ''
        ? read.find(rbacStorage.clusterRoleBindings)
        : read.find(rbacStorage.roleBindings, namespace)),
    ] as BindingObject[];
    const scope = indexBindings(bindings, namespace, rulesOf);
    scopes.set(namespace, scope);
    return scope;
  };

  const grants: Authorizer['grants'] = (user, namespace) => {
    const now = read.generation();
    if (now !== seen || users.size > 10_000) {
      scopes.clear();
      users.clear();
      seen = now;
    }
    const key = `${namespace}\0${user.name}\0${user.groups.join('\0')}`;
    const known = users.get(key);
    if (known) return known;
    const bound = (namespace === '' ? [''] : ['', namespace]).flatMap((scope) => grantsIn(scopeOf(scope), user));
    const found = {
      grants: bound.flatMap((b) => b.grants),
      errors: [...new Set(bound.flatMap((b) => b.error ?? []))],
    };
    users.set(key, found);
    return found;
  };

  const authorize = (user: User, attributes: Attributes): Decision => {
    if (user.groups.includes(groups.masters)) return { allowed: true, reason: '' };
    const own = grants(user, isPath(attributes) ? '' : (attributes.namespace ?? ''));
    const grant = own.grants.find((g) => ruleAllows(g.rule, attributes));
    if (grant) return { allowed: true, reason: `RBAC: allowed by ${grant.source}` };
    return { allowed: false, reason: own.errors.length === 0 ? '' : `RBAC: ${joinErrors(own.errors)}` };
  };

  return Object.assign(authorize, { grants, rulesOf });
}

function grantsIn(scope: Scope, user: User): BoundGrants[] {
  const entries = [subjectKey('User', user.name), ...user.groups.map((group) => subjectKey('Group', group))].flatMap(
    (key) => scope.get(key) ?? [],
  );
  const inOrder = entries.sort((a, b) => a.order - b.order || a.place - b.place);
  // A binding that matches a user twice, by user and by group, gives its rules once, through the first of the two.
  return inOrder.filter((entry, i) => entry.order !== inOrder[i - 1]?.order).map((entry) => entry.bound);
}

const subjectKey = (kind: 'User' | 'Group', name: string): string => `${kind}\0${name}`;

function indexBindings(bindings: BindingObject[], namespace: string, rulesOf: Authorizer['rulesOf']): Scope {
  const scope: Scope = new Map();
  bindings.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  for (const [order, binding] of bindings.entries()) {
    const rules = rulesOf(binding.roleRef, namespace);
    for (const [place, subject] of (binding.subjects ?? []).entries()) {
      const key = keyOfSubject(subject, namespace);
      if (key === undefined) continue;
      const bound: BoundGrants = rules
        ? { grants: rules.map((rule) => ({ rule, source: describeBinding(binding, namespace, subject) })) }
        : {
            grants: [],
            error: `${binding.roleRef.kind.toLowerCase()}.rbac.authorization.k8s.io ${JSON.stringify(binding.roleRef.name)} not found`,
          };
      const entries = scope.get(key);
      if (entries) entries.push({ order, place, bound });
      else scope.set(key, [{ order, place, bound }]);
    }
  }
  return scope;
}

function keyOfSubject(subject: Subject, namespace: string): string | undefined {
  switch (subject.kind) {
    case 'User':
    case 'Group':
      return subjectKey(subject.kind, subject.name);
    case 'ServiceAccount': {
      const home = subject.namespace || namespace;
      return home === '' ? undefined : subjectKey('User', serviceAccountName(home, subject.name));
    }
    default:
      return undefined;
  }
}

function describeBinding(binding: BindingObject, namespace: string, subject: Subject): string {
  const kind = namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding';
  const name = namespace === '' ? binding.metadata.name : `${binding.metadata.name}/${namespace}`;
  const who = subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace || namespace}` : subject.name;
  const { roleRef } = binding;
  return `${kind} ${JSON.stringify(name)} of ${roleRef.kind} ${JSON.stringify(roleRef.name)} to ${subject.kind} ${JSON.stringify(who)}`;
}

export const joinErrors = (errors: readonly string[]): string =>
  errors.length === 1 ? errors[0]! : `[${errors.join(', ')}]`;
