import { apiError, listAt } from '@fairlead/apimachinery';
import type { Draft, RuleContext, User } from '../resource.ts';
import { forbidden } from './attributes.ts';
import type { Authorizer } from './authorizer.ts';
import {
  type BindingObject,
  describeRule,
  missingRules,
  type PolicyRule,
  quoteGroups,
  type RoleObject,
} from './policy-rules.ts';
import { groups } from './users.ts';

const group = 'rbac.authorization.k8s.io';
const everything: PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

type Target = 'roles' | 'clusterroles' | 'rolebindings' | 'clusterrolebindings';

/**
 * Prevents privilege escalation: a write to a role or a binding is refused unless the writer has every rule that it would grant, or may
 * `escalate` that role, or `bind` that role. Called where admission runs, before validation.
 */
export function confirmNoEscalation(
  authorize: Authorizer,
  resource: Target,
  draft: Draft,
  old: Draft | undefined,
  context: Pick<RuleContext, 'user' | 'operation'>,
): void {
  const { user } = context;
  if (user.groups.includes(groups.masters)) return;
  if (old && onlyGarbageCollectionFieldsDiffer(draft, old)) return;
  const namespace = draft.metadata.namespace ?? '';
  const target = { group, resource, name: draft.metadata.name };

  if (resource === 'roles' || resource === 'clusterroles') {
    const name = context.operation === 'create' ? '' : draft.metadata.name;
    if (authorize(user, { verb: 'escalate', group, resource, namespace, name }).allowed) return;
    refuseWhatIsMissing(authorize, user, namespace, rulesIn(draft), target);
    if (
      resource === 'clusterroles' &&
      (aggregates(draft) || aggregates(old)) &&
      !holds(authorize, user, '', everything)
    )
      throw forbidden(target, 'must have cluster-admin privileges to use the aggregationRule');
    return;
  }

  const { roleRef } = draft as unknown as BindingObject;
  const roles = roleRef.kind === 'Role' ? 'roles' : 'clusterroles';
  if (authorize(user, { verb: 'bind', group, resource: roles, namespace, name: roleRef.name }).allowed) return;
  const rules = authorize.rulesOf(roleRef, namespace);
  if (!rules)
    throw apiError(404, 'NotFound', `${roles}.${group} ${JSON.stringify(roleRef.name)} not found`, {
      name: roleRef.name,
      group,
      kind: roles,
    });
  refuseWhatIsMissing(authorize, user, namespace, rules, target);
}

const aggregates = (role: object | undefined): boolean =>
  listAt(role, 'aggregationRule', 'clusterRoleSelectors').length > 0;

const rulesIn = ({ metadata, ...rest }: RoleObject): readonly PolicyRule[] => rest.rules ?? [];

const holds = (authorize: Authorizer, user: User, namespace: string, required: readonly PolicyRule[]): boolean =>
  missingRules(
    authorize.grants(user, namespace).grants.map((g) => g.rule),
    required,
  ).length === 0;

function refuseWhatIsMissing(
  authorize: Authorizer,
  user: User,
  namespace: string,
  required: readonly PolicyRule[],
  target: { readonly group: string; readonly resource: string; readonly name: string },
): void {
  const { grants, errors } = authorize.grants(user, namespace);
  const missing = missingRules(
    grants.map((g) => g.rule),
    required,
  );
  if (missing.length === 0) return;
  const lines = [...new Set(missing.map(describeRule))].sort().join('\n');
  const unresolved = errors.length === 0 ? '' : `; resolution errors: [${errors.join(' ')}]`;
  throw forbidden(
    target,
    `user ${JSON.stringify(user.name)} (groups=${quoteGroups(user.groups)}) is attempting to grant RBAC permissions not currently held:\n${lines}${unresolved}`,
  );
}

/** The garbage collector must be able to remove its finalizers from roles that it could not write itself. */
function onlyGarbageCollectionFieldsDiffer(draft: Draft, old: Draft): boolean {
  const rest = ({ metadata, ...body }: Draft) => {
    const { ownerReferences, finalizers, managedFields, ...meta } = metadata;
    return canonical({ ...body, metadata: meta });
  };
  return rest(draft) === rest(old);
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, v: unknown) =>
    v !== null && typeof v === 'object' && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)))
      : v,
  );
