import { type Application, type AppProject, applicationKind } from '@fairlead/api';
import { globMatcher } from '@fairlead/render';
import type { Cluster } from './cluster.ts';
import { type Clusters, isClusterProblem } from './clusters.ts';
import type { Condition } from './conditions.ts';
import { sourcesOf } from './desired-state.ts';
import { isDestinationPermitted, isSourcePermitted } from './project.ts';
import { refusals } from './unsupported.ts';

export type Guarded =
  | { readonly permitted: true; readonly cluster: Cluster; readonly project: AppProject }
  | { readonly permitted: false; readonly conditions: readonly Condition[] };

/** What must hold before anything is read or rendered: a valid spec, a project that permits it, a cluster that exists. */
export function guard(
  application: Application,
  world: {
    readonly project: (name: string) => AppProject | undefined;
    readonly clusters: Clusters;
    readonly controlPlaneNamespace: string;
  },
): Guarded {
  // A field that we do not know was let through by the server's own schema, which may be newer than ours.
  const problems = applicationKind.validate({ ...application, status: undefined }).filter(({ unknown }) => !unknown);
  if (problems.length > 0) return refuse(problems.map(({ field, message }) => `${field} ${message}`));
  const { spec, metadata } = application;
  if (spec.sourceHydrator) return refuse(['spec.sourceHydrator is not supported yet: use spec.source']);
  const name = spec.project === '' ? 'default' : spec.project;
  const project = world.project(name);
  if (!project) return refuse([`Application referencing project ${name} which does not exist`]);
  if (metadata.namespace !== world.controlPlaneNamespace && !isNamespacePermitted(project, metadata.namespace ?? '')) {
    return refuse([
      `application '${metadata.name}' in namespace '${metadata.namespace}' is not permitted to use project '${name}'`,
    ]);
  }
  const cluster = world.clusters.find(spec.destination);
  if (isClusterProblem(cluster)) {
    const message = `spec.destination: ${cluster.message}`;
    // A cluster that does not answer is no fault of the spec.
    const type = cluster.problem === 'Unavailable' ? 'ComparisonError' : 'InvalidSpecError';
    return { permitted: false, conditions: [{ type, message }] };
  }
  const wrong = refusals(project);
  const foreign = sourcesOf(spec)
    .filter((source) => !isSourcePermitted(project, source))
    .map((source) => `application repo ${source.repoURL} is not permitted in project '${name}'`);
  wrong.push(...foreign);
  const namespace = spec.destination.namespace ?? '';
  if (!isDestinationPermitted(project, cluster, namespace)) {
    wrong.push(
      `application destination server '${cluster.server}' and namespace '${namespace}' do not match any of the allowed destinations in project '${name}'`,
    );
  }
  return wrong.length > 0 ? refuse(wrong) : { permitted: true, cluster, project };
}

const refuse = (messages: readonly string[]): Guarded => ({
  permitted: false,
  conditions: messages.map((message) => ({ type: 'InvalidSpecError', message })),
});

const isNamespacePermitted = ({ spec }: AppProject, namespace: string): boolean =>
  (spec.sourceNamespaces ?? []).some((pattern) => globMatcher(pattern)(namespace));
