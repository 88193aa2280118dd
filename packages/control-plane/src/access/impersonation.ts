import { ApiError, apiError } from '@fairlead/apimachinery';
import type { User } from '../resource.ts';
import { type Attributes, forbiddenError, type ResourceAttributes } from './attributes.ts';
import type { Authorizer } from './authorizer.ts';
import {
  anonymousName,
  extraKeys,
  groups,
  parseNodeName,
  parseServiceAccountName,
  serviceAccountGroups,
} from './users.ts';

/** Header names in lower case, each with all its values. */
export type RequestHeaders = Readonly<Record<string, readonly string[] | undefined>>;

const extraPrefix = 'impersonate-extra-';
const authentication = 'authentication.k8s.io';

/**
 * The user that a request acts as. Without impersonation headers that is the requestor. With them, the requestor must be allowed to
 * impersonate every requested part: with constrained impersonation (this verb, as this kind of user), or with the original unconstrained
 * one. Throws the first error.
 */
export function actingUser(
  authorize: Authorizer,
  requestor: User,
  headers: RequestHeaders,
  attributes: Attributes,
): User {
  const target = requestedUser(headers);
  if (!target) return requestor;
  let refusal: ApiError | undefined;
  for (const mode of modes) {
    if (!mode.applies(target, requestor)) continue;
    try {
      return impersonate(authorize, mode, target, requestor, attributes);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refusal ??= error;
    }
  }
  throw refusal!;
}

function requestedUser(headers: RequestHeaders): User | undefined {
  const name = headers['impersonate-user']?.[0] ?? '';
  const uid = headers['impersonate-uid']?.[0] ?? '';
  const requestedGroups = headers['impersonate-group'] ?? [];
  const extra = new Map<string, string[]>();
  for (const [header, values] of Object.entries(headers)) {
    if (!header.startsWith(extraPrefix)) continue;
    const key = unescapeKey(header.slice(extraPrefix.length));
    extra.set(key, [...(extra.get(key) ?? []), ...(values ?? [])]);
  }
  const hasExtra = extra.size > 0;
  if (name !== '')
    return {
      name,
      groups: requestedGroups,
      ...(uid ? { uid } : {}),
      ...(hasExtra ? { extra: Object.fromEntries(extra) } : {}),
    };
  if (uid !== '' || requestedGroups.length > 0 || hasExtra) {
    const asked = JSON.stringify({ uid, groups: requestedGroups, extra: Object.fromEntries(extra) });
    throw apiError(400, 'BadRequest', `requested ${asked} without impersonating a user name`);
  }
  return undefined;
}

function unescapeKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

interface Mode {
  /** The verb on users, groups … that this mode of impersonation needs. */
  readonly verb: string;
  /** The name in `impersonate-on:NAME:VERB`, which a constrained mode also needs. */
  readonly constraint?: string;
  applies(target: User, requestor: User): boolean;
}

const onlyName = (user: User): boolean => !user.uid && user.groups.length === 0 && !user.extra;

const constrained = (constraint: string, applies: Mode['applies']): Mode => ({
  verb: `impersonate:${constraint}`,
  constraint,
  applies,
});

const modes: readonly Mode[] = [
  constrained('associated-node', (target, requestor) => {
    const node = onlyName(target) ? parseNodeName(target.name) : undefined;
    const own = requestor.extra?.[extraKeys.nodeName];
    return (
      node !== undefined &&
      parseServiceAccountName(requestor.name) !== undefined &&
      own?.length === 1 &&
      own[0] === node
    );
  }),
  constrained('arbitrary-node', (target) => onlyName(target) && parseNodeName(target.name) !== undefined),
  constrained('serviceaccount', (target) => onlyName(target) && parseServiceAccountName(target.name) !== undefined),
  constrained(
    'user-info',
    (target) => parseNodeName(target.name) === undefined && parseServiceAccountName(target.name) === undefined,
  ),
  { verb: 'impersonate', applies: () => true },
];

function impersonate(authorize: Authorizer, mode: Mode, target: User, requestor: User, attributes: Attributes): User {
  const need = (what: Attributes) => {
    const { allowed, reason } = authorize(requestor, what);
    if (!allowed) throw forbiddenError(requestor, what, reason);
  };
  if (mode.constraint) need({ ...attributes, verb: `impersonate-on:${mode.constraint}:${attributes.verb}` });

  const userGroup = mode.constraint ? authentication : '';
  const serviceAccount = parseServiceAccountName(target.name);
  const node = mode.constraint ? parseNodeName(target.name) : undefined;
  const on = (what: Omit<ResourceAttributes, 'verb'>) => need({ verb: mode.verb, ...what });

  if (serviceAccount) on({ group: userGroup, resource: 'serviceaccounts', ...serviceAccount });
  else if (node !== undefined)
    on({ group: userGroup, resource: 'nodes', name: mode.constraint === 'associated-node' ? '*' : node });
  else on({ group: userGroup, resource: 'users', name: target.name });

  if (target.uid) on({ group: authentication, resource: 'uids', name: target.uid });
  refuseOddities(mode, target, requestor);
  for (const group of target.groups) on({ group: userGroup, resource: 'groups', name: group });
  for (const [key, values] of Object.entries(target.extra ?? {}))
    for (const value of values) on({ group: authentication, resource: 'userextras', subresource: key, name: value });

  const given =
    target.groups.length > 0
      ? target.groups
      : serviceAccount
        ? serviceAccountGroups(serviceAccount.namespace)
        : node !== undefined
          ? [groups.nodes]
          : [];
  return { ...target, groups: withOutcome(target.name, given) };
}

const domainPrefixed = /^[a-z0-9.-]+\/[a-z0-9/._~-]+$/;

/** Constrained impersonation never permits system:masters, an empty group, or an extra key without a domain. */
function refuseOddities(mode: Mode, target: User, requestor: User): void {
  if (!mode.constraint) return;
  const refuse = (resource: string, name: string, reason: string) =>
    forbiddenError(requestor, { verb: mode.verb, group: authentication, resource, name }, reason);
  if (target.groups.includes('')) throw refuse('groups', '', 'impersonating the empty string group is not allowed');
  if (target.groups.includes(groups.masters))
    throw refuse('groups', groups.masters, 'impersonating the system:masters group is not allowed');
  for (const [key, values] of Object.entries(target.extra ?? {})) {
    if (!domainPrefixed.test(key))
      throw refuse('userextras', '', `impersonating an invalid key in extra is not allowed: ${JSON.stringify(key)}`);
    if (values.length === 0 || values.includes(''))
      throw refuse('userextras', '', 'impersonating the empty string value in extra is not allowed');
  }
}

function withOutcome(name: string, given: readonly string[]): readonly string[] {
  if (name === anonymousName)
    return given.includes(groups.unauthenticated) ? given : [...given, groups.unauthenticated];
  if (given.includes(groups.unauthenticated) || given.includes(groups.authenticated)) return given;
  return [...given, groups.authenticated];
}
