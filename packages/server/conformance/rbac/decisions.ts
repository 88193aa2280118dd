import { messageOf } from '@fairlead/apimachinery';
import { canIRequest } from '../../src/accounts/can-i.ts';
import { type Caller, denialMessage, type Enforcer } from '../../src/rbac/enforcer.ts';
import { parsePolicy, policyText } from '../../src/rbac/policy.ts';
import { checkPolicy } from '../../src/rbac/validate-policy.ts';
import { goError, permissionDenied, RpcError } from '../../src/rpc/rpc-error.ts';
import { projectProblems } from './project-validation.ts';
import { callerOf, enforcerOf, type RbacCase, withoutLibraryWords } from './rbac-case.ts';

/** How the result of a case differs from what was recorded. */
export function decisionProblems(one: RbacCase): readonly string[] {
  const loaded = load(one);
  return [
    ...validateProblems(one),
    ...projectProblems(one),
    ...(typeof loaded === 'string' ? loadProblems(one, loaded) : [...loadProblems(one), ...answers(one, loaded)]),
  ];
}

function load(one: RbacCase): Enforcer | string {
  try {
    return enforcerOf(one);
  } catch (error) {
    return messageOf(error);
  }
}

function loadProblems({ expected }: RbacCase, problem?: string): string[] {
  const [ours, theirs] = [problem, expected?.load?.error].map((text) => withoutLibraryWords(text ?? 'ok'));
  return ours === theirs ? [] : [`load: ours ${ours}, theirs ${theirs}`];
}

function validateProblems({ config = {}, expected }: RbacCase): string[] {
  if (!expected?.validate) return [];
  const check = checkPolicy(policyText(config));
  const ours = 'problem' in check ? check.problem : `ok ${check.warning ?? ''}`;
  const theirs = expected.validate.error ?? `ok ${expected.validate.warning ?? ''}`;
  return ours === theirs ? [] : [`validate: ours ${ours}, theirs ${theirs}`];
}

function answers(one: RbacCase, enforcer: Enforcer): string[] {
  const { subjects, settings } = one;
  const enforceRollback = settings?.['server.rbac.rollback.enforce.enable'] === 'true';
  return (subjects ?? []).flatMap((subject) => {
    const caller = callerOf(subject.claims);
    const decided = (subject.decisions ?? []).flatMap(([resource, action, object, theirs, message]) => {
      const ours = enforcer.allows(caller, { resource, action, object }) ? 'allow' : 'deny';
      const reported = goError(permissionDenied(denialMessage(caller, { resource, action, object })));
      if (ours === 'deny' && theirs === 'allow' && isEmptySubjectRole(one, caller)) return [];
      if (ours === theirs && (message === undefined || reported === message)) return [];
      return [
        `${JSON.stringify(subject.claims)} ${resource} ${action} ${object}: ours ${ours} ${message ? reported : ''}, theirs ${theirs} ${message ?? ''}`,
      ];
    });
    const answered = (subject.answers ?? []).flatMap(([resource, action, object, answer]) => {
      const theirs = typeof answer === 'string' ? answer : answer.error;
      const ours = errorText(() =>
        enforcer.allows(caller, canIRequest({ resource, action, object }, { namespace: 'argocd', enforceRollback }))
          ? 'yes'
          : 'no',
      );
      return ours === theirs ? [] : [`can-i ${resource} ${action} ${object}: ours ${ours}, theirs ${theirs}`];
    });
    return [...decided, ...answered];
  });
}

function errorText(run: () => string): string {
  try {
    return run();
  } catch (error) {
    if (error instanceof RpcError) return goError(error);
    throw error;
  }
}

/** A named difference: roles of the empty subject (`g, , role:admin`) are for anonymous requests only. */
const isEmptySubjectRole = ({ config = {} }: RbacCase, caller: Caller): boolean =>
  caller !== 'anonymous' && parsePolicy(policyText(config)).groupings.some(({ member }) => member === '');
