import { validateProject } from '../../src/projects/validate-project.ts';
import { goError, RpcError } from '../../src/rpc/rpc-error.ts';
import { projectNamed, type RbacCase } from './rbac-case.ts';

export function projectProblems(one: RbacCase): readonly string[] {
  return Object.entries(one.expected?.projectValidation ?? {}).flatMap(([name, theirs]) => {
    const project = projectNamed(one)(name);
    const ours = project ? resultOf(() => validateProject(project)) : 'missing';
    return ours === theirs ? [] : [`project ${name}: ours ${ours}, theirs ${theirs}`];
  });
}

function resultOf(run: () => void): string {
  try {
    run();
    return 'ok';
  } catch (error) {
    if (error instanceof RpcError) return goError(error);
    throw error;
  }
}
