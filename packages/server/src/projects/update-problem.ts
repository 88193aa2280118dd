import type { Application, AppProject } from '@fairlead/api';
import { inClusterName, inClusterServer, isDestinationPermitted, isSourcePermitted } from '@fairlead/app-controller';
import type { ServerState } from '../state/server-state.ts';

/** Why a change of a project is refused: Applications that it permitted would not be permitted any more. */
export function updateProblem(old: AppProject, project: AppProject, state: ServerState): string | undefined {
  const users = state.applications
    .list()
    .filter(({ metadata, spec }) => metadata.namespace === state.namespace && spec.project === old.metadata.name);
  const sources = users.filter((user) => losesSource(old, project, user)).length;
  const destinations = users.filter((user) => losesDestination(old, project, user)).length;
  const parts = [
    ...(sources > 0 ? [`${sources} applications source became invalid`] : []),
    ...(destinations > 0 ? [`${destinations} applications destination became invalid`] : []),
  ];
  return parts.length === 0 ? undefined : `as a result of project update ${parts.join(' and ')}`;
}

function losesSource(old: AppProject, project: AppProject, { spec }: Application): boolean {
  const source = spec.source ?? spec.sources?.[0];
  return source !== undefined && isSourcePermitted(old, source) && !isSourcePermitted(project, source);
}

function losesDestination(old: AppProject, project: AppProject, { spec }: Application): boolean {
  const { server = '', name = '', namespace = '' } = spec.destination;
  const isOwn = server === inClusterServer || name === inClusterName;
  const cluster = isOwn ? { server: inClusterServer, name: inClusterName } : { server, name };
  return isDestinationPermitted(old, cluster, namespace) && !isDestinationPermitted(project, cluster, namespace);
}
