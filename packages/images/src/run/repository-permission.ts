import type { Application, AppProject } from '@fairlead/api';
import { isSourceNamespacePermitted, isSourcePermitted } from '@fairlead/app-controller';

/**
 * Why an Application may not have a repository written with what the control plane has stored for it; undefined where it may. Whoever writes
 * an annotation can name any repository: only those that the project permits are opened for it, and only to Applications that may be in the
 * project.
 */
export function whyNotWritten(
  { metadata, spec }: Pick<Application, 'metadata' | 'spec'>,
  repository: string,
  project: AppProject | undefined,
  controllerNamespace: string,
): string | undefined {
  const name = spec.project || 'default';
  const { namespace = '' } = metadata;
  if (!project) return `there is no project '${name}'`;
  if (namespace !== controllerNamespace && !isSourceNamespacePermitted(project, namespace)) {
    return `project '${name}' does not permit applications in namespace ${namespace}: add it to its sourceNamespaces`;
  }
  if (isSourcePermitted(project, { repoURL: repository })) return undefined;
  return `${repository} is not permitted in project '${name}': add it to its sourceRepos`;
}
