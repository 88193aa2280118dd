import { type Policy, parsePolicy } from './policy.ts';
import { PolicyError } from './policy-line.ts';
import { RoleGraph } from './role-graph.ts';

/** The result of checking a policy text alone, without the built-in policy. */
export type PolicyCheck = { readonly warning?: string } | { readonly problem: string };

/** In Argo CD's words. A role without permissions is only a warning: another text may define it. */
export function checkPolicy(text: string): PolicyCheck {
  let policy: Policy;
  try {
    policy = parsePolicy(text);
  } catch (error) {
    if (error instanceof PolicyError) return { problem: `policy syntax error: ${text}` };
    throw error;
  }
  const missing = rolesWithoutPermissions(policy);
  return missing.length === 0 ? {} : { warning: `user defined roles not found in policies: ${missing.join(',')}` };
}

function rolesWithoutPermissions({ permissions, groupings }: Policy): string[] {
  const graph = new RoleGraph(groupings);
  const subjects = new Set(permissions.map(({ subject }) => subject));
  const roles = new Set(groupings.map(({ role }) => role));
  return [...roles].filter((role) => ![...graph.reachable(role, Infinity)].some((name) => subjects.has(name)));
}
