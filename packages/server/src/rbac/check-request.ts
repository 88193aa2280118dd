import { builtinPolicy } from './builtin-policy.ts';
import { Enforcer } from './enforcer.ts';
import { matchModeOf } from './pattern.ts';
import { parsePolicy } from './policy.ts';
import { PolicyError } from './policy-line.ts';
import { parseProjectSubject } from './project-subject.ts';
import { emptyRbacConfig } from './rbac-config.ts';
import { checkPolicy } from './validate-policy.ts';
import { isInProject, rbacResources, resourceSpec } from './vocabulary.ts';

/** A question about a policy, without a server: may this subject do that? */
export interface PolicyQuestion {
  readonly subject: string;
  readonly action: string;
  /** A resource or one of its short names. */
  readonly resource: string;
  readonly object: string;
  readonly policy: string;
  readonly defaultRole: string;
  readonly matchMode?: string | undefined;
  readonly useBuiltinPolicy: boolean;
  /** Refuse resources and actions that do not exist. */
  readonly strict: boolean;
}

export interface PolicyAnswer {
  readonly allowed: boolean;
  /** What an administrator should know of the policy. */
  readonly warnings: readonly string[];
}

/** Throws a PolicyError for an invalid policy and for a question that makes no sense. */
export function answerPolicyQuestion(question: PolicyQuestion): PolicyAnswer {
  const { subject, action, policy } = question;
  const check = checkPolicy(policy);
  if ('problem' in check) throw new PolicyError(`invalid user policy: ${check.problem}`);
  const resource = resourceNamed(question.resource);
  const problem = question.strict ? requestProblem(resource, action) : undefined;
  if (problem !== undefined) throw new PolicyError(`error in RBAC request: ${problem}`);
  const enforcer = new Enforcer(
    {
      ...emptyRbacConfig,
      defaultRole: question.defaultRole,
      mode: matchModeOf(question.matchMode),
      policy: parsePolicy(policy),
    },
    () => undefined,
    question.useBuiltinPolicy ? builtinPolicy : { permissions: [], groupings: [] },
  );
  const isAnyObject = question.object === '' || question.object === '*';
  const request = { resource, action, object: isInProject(resource) && isAnyObject ? '*/*' : question.object };
  const allowed = enforcer.allowsSubject(subject, request);
  const isIgnored = isGroup(subject) && enforcer.grantsSubject(subject, request) && !enforcer.isGrouped(subject);
  return {
    allowed,
    warnings: [
      ...(check.warning === undefined ? [] : [check.warning]),
      ...(allowed && isIgnored ? [ignoredGroup(subject)] : []),
    ],
  };
}

const ignoredGroup = (subject: string): string =>
  `subject ${JSON.stringify(subject)} is a group with a direct 'p,' policy but no 'g, ${subject}, role:...' binding; the API server ignores such grants at runtime, so this permission will NOT take effect. Bind the group to a role instead.`;

/** `org:team` is a group; a user has no colon. */
const isGroup = (subject: string): boolean =>
  subject.includes(':') && !subject.startsWith('role:') && parseProjectSubject(subject) === undefined;

function resourceNamed(name: string): string {
  const found = Object.entries(rbacResources).find(([, { shortNames }]) => shortNames.some((short) => short === name));
  return found?.[0] ?? name;
}

function requestProblem(resource: string, action: string): string | undefined {
  const spec = resourceSpec(resource);
  if (!spec || spec.inCommand === false) return `'${resource}' is not a valid resource name`;
  const [verb = '', ...path] = action.split('/');
  const isKnown = spec.actions.includes(verb) && (path.length === 0 || (spec.withPath ?? []).includes(verb));
  return isKnown ? undefined : `'${action}' is not a valid action for ${resource}`;
}
