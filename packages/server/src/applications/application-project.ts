import type { Application, AppProject } from '@fairlead/api';
import { isSourceNamespacePermitted } from '@fairlead/app-controller';
import { invalidArgument } from '../rpc/rpc-error.ts';

/** The project of an Application. The refusal does not tell whether the project exists. */
export function projectForApplication(
  { metadata, spec }: Application,
  serverNamespace: string,
  projectNamed: (name: string) => AppProject | undefined,
): AppProject {
  const project = projectNamed(spec.project || 'default');
  const isOwn = metadata.namespace === undefined || metadata.namespace === serverNamespace;
  if (project && (isOwn || isSourceNamespacePermitted(project, metadata.namespace ?? ''))) return project;
  throw invalidArgument(`app is not allowed in project ${JSON.stringify(spec.project)}, or the project does not exist`);
}
