import type { AppProject } from '@fairlead/api';
import { trimSpace } from '../rbac/policy-line.ts';
import { projectSubject } from '../rbac/project-subject.ts';
import { isInProject } from '../rbac/vocabulary.ts';
import { invalidArgument, RpcError } from '../rpc/rpc-error.ts';

export type ProjectRole = NonNullable<AppProject['spec']['roles']>[number];

/** Refuses a role for its first problem. */
export function validateRole(project: string, { name, policies = [], groups = [] }: ProjectRole): void {
  if (!/^[a-zA-Z0-9](?:[-_a-zA-Z0-9]*[a-zA-Z0-9])?$/u.test(name)) {
    throw invalidArgument(
      `invalid role name '${name}'. Must consist of alphanumeric characters, '-' or '_', and must start and end with an alphanumeric character`,
    );
  }
  const seen = new Set<string>();
  for (const policy of policies) {
    if (seen.has(policy)) throw exists(`policy '${policy}' already exists for role '${name}'`);
    const problem = policyProblem(project, name, policy);
    if (problem !== undefined) throw invalidArgument(`invalid policy rule '${policy}': ${problem}`);
    seen.add(policy);
  }
  const known = new Set<string>();
  for (const group of groups) {
    if (known.has(group)) throw exists(`group '${group}' already exists for role '${name}'`);
    validateGroup(group);
    known.add(group);
  }
}

const exists = (message: string): RpcError => new RpcError('AlreadyExists', message);

const actions: ReadonlySet<string> = new Set([
  'get',
  'create',
  'update',
  'delete',
  'sync',
  'override',
  'rollback',
  '*',
]);

function policyProblem(project: string, role: string, policy: string): string | undefined {
  const parts = policy.split(',').map((part) => part.replace(/^ +| +$/gu, ''));
  const [kind, subject = '', resource = '', action = '', object = '', effect = ''] = parts;
  if (parts.length !== 6 || kind !== 'p') return "must be of the form: 'p, sub, res, act, obj, eft'";
  const expected = projectSubject(project, role);
  if (subject !== expected) return `policy subject must be: '${expected}', not '${subject}'`;
  if (!isInProject(resource)) {
    return `project resource must be: 'applications', 'applicationsets', 'repositories', 'exec', 'logs' or 'clusters', not '${resource}'`;
  }
  if (!actions.has(action) && !/(?:action|update|delete)\//u.test(action)) return `invalid action '${action}'`;
  if (!isObjectOf(project, object)) {
    return `object must be of form '${project}/*', '${project}[/<NAMESPACE>]/<APPNAME>' or '${project}/<APPNAME>', not '${object}'`;
  }
  return effect === 'allow' || effect === 'deny' ? undefined : "effect must be: 'allow' or 'deny'";
}

const isObjectOf = (project: string, object: string): boolean =>
  object.startsWith(`${project}/`) && /^(?:\/[*\w.-]+)?\/[*\w.-]+$/u.test(object.slice(project.length));

function validateGroup(group: string): void {
  const trimmed = trimSpace(group);
  const isQuoted = trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"');
  const name = isQuoted ? trimmed.slice(1, -1) : trimmed;
  const refuse = (problem: string): RpcError => invalidArgument(`group '${name}' ${problem}`);
  if (!isQuoted && name.includes(',')) throw refuse('must be quoted');
  if (name === '') throw refuse('is empty');
  if (/["\n\r\t]/u.test(name)) throw refuse('contains invalid characters');
  const [first = '', last = ''] = [[...group][0], [...group].at(-1)];
  if (trimSpace(first) === '') throw refuse('contains a leading space');
  if (trimSpace(last) === '') throw refuse('contains a trailing space');
}
