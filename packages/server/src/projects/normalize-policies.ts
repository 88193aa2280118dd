import type { AppProject } from '@fairlead/api';

/** Writes policies with one space after each comma, as Argo CD stores them. */
export function normalizePolicies(project: AppProject): AppProject {
  const { roles } = project.spec;
  if (!roles) return project;
  return {
    ...project,
    spec: {
      ...project.spec,
      roles: roles.map((role) => (role.policies ? { ...role, policies: role.policies.map(normalized) } : role)),
    },
  };
}

function normalized(policy: string): string {
  const [first = '', ...rest] = policy.split(',');
  return [first, ...rest.map((part) => part.replace(/^ +| +$/gu, ''))].join(', ');
}
