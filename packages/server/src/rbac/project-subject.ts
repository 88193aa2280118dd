import type { AppProject } from '@fairlead/api';

export interface ProjectSubject {
  readonly project: string;
  readonly role: string;
}

/** `proj:PROJECT:ROLE`, the subject of a token that was issued for a role of a project. */
export function parseProjectSubject(subject: string): ProjectSubject | undefined {
  const [prefix, project, role, ...more] = subject.split(':');
  if (prefix !== 'proj' || project === undefined || role === undefined || more.length > 0) return undefined;
  return { project, role };
}

export const projectSubject = (project: string, role: string): string => `proj:${project}:${role}`;

/** The policy of a project's roles. Each role may read its project, in addition to what its policies say. */
export function projectPolicyText({ metadata: { name = '' }, spec }: AppProject): string {
  return (spec.roles ?? [])
    .flatMap((role) => {
      const subject = projectSubject(name, role.name);
      return [
        `p, ${subject}, projects, get, ${name}, allow`,
        ...(role.policies ?? []),
        ...(role.groups ?? []).map((group) => `g, ${group}, ${subject}`),
      ];
    })
    .join('\n');
}
