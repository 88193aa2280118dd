import type { Application, AppProject } from '@fairlead/api';
import { isSourceNamespacePermitted, isSourcePermitted } from '@fairlead/app-controller';

/**
 * Why an Application may not use the stored credentials of a repository; undefined if it may. An annotation can name any repository, so the
 * project must permit the repository, and the Application's namespace.
 */
export function repositoryProblem(
  { metadata, spec }: Pick<Application, 'metadata' | 'spec'>,
  repository: string,
  project: AppProject | undefined,
  controllerNamespace: string,
): string | undefined {
  const name = spec.project || 'default';
  const { namespace = '' } = metadata;
  if (!project) return `project '${name}' does not exist`;
  if (namespace !== controllerNamespace && !isSourceNamespacePermitted(project, namespace)) {
    return `project '${name}' does not permit applications in namespace ${namespace}: add it to its sourceNamespaces`;
  }
  if (isSourcePermitted(project, { repoURL: repository })) return undefined;
  return `${repository} is not permitted in project '${name}': add it to its sourceRepos`;
}
