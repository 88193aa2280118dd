import { type Application, type AppProject, applicationKind } from '@fairlead/api';
import type { Cluster } from '../cluster/cluster.ts';
import { type Clusters, isClusterProblem } from '../cluster/clusters.ts';
import { isDestinationPermitted, isSourceNamespacePermitted, isSourcePermitted } from '../project/project.ts';
import { sourcesOf } from '../source/desired-state.ts';
import type { NewCondition } from '../status/conditions.ts';
import { refusals } from './unsupported.ts';

export type Guarded =
  | { readonly permitted: true; readonly cluster: Cluster; readonly project: AppProject }
  | { readonly permitted: false; readonly conditions: readonly NewCondition[] };

/** What must hold before anything is read or rendered: a valid spec, a project that permits it, a cluster that exists. */
export function guard(
  application: Application,
  env: {
    readonly project: (name: string) => AppProject | undefined;
    readonly clusters: Clusters;
    readonly controlPlaneNamespace: string;
  },
): Guarded {
  const problems = problemsOf(application);
  if (problems.length > 0) return refuse(problems);
  const { spec, metadata } = application;
  const name = spec.project === '' ? 'default' : spec.project;
  const project = env.project(name);
  if (!project) {
    return refuse([
      `Application referencing project ${name} which does not exist: create it, or name another in spec.project`,
    ]);
  }
  const { namespace: home = '' } = metadata;
  if (home !== env.controlPlaneNamespace && !isSourceNamespacePermitted(project, home)) {
    return refuse([
      `application '${metadata.name}' in namespace '${home}' is not permitted to use project '${name}': add the namespace to its spec.sourceNamespaces`,
    ]);
  }
  const wrong = refusals(project);
  for (const source of sourcesOf(spec)) {
    if (isSourcePermitted(project, source)) continue;
    wrong.push(
      `application repo ${source.repoURL} is not permitted in project '${name}': add it to its spec.sourceRepos`,
    );
  }
  const cluster = env.clusters.find(spec.destination);
  if (isClusterProblem(cluster)) {
    const message = `spec.destination: ${cluster.message}`;
    // A cluster that does not answer does not make the spec invalid.
    const type = cluster.problem === 'Unavailable' ? 'ComparisonError' : 'InvalidSpecError';
    return { permitted: false, conditions: [...asConditions(wrong), { type, message }] };
  }
  const namespace = spec.destination.namespace ?? '';
  if (!isDestinationPermitted(project, cluster, namespace)) {
    const { server, name: called } = cluster;
    const why = project.spec.permitOnlyProjectScopedClusters && cluster.project !== name;
    wrong.push(
      `application destination server '${spec.destination.name ? called : server}' and namespace '${namespace}' do not match any of the allowed destinations in project '${name}': ${
        why
          ? 'it permits only project-scoped clusters (spec.permitOnlyProjectScopedClusters)'
          : 'add them to its spec.destinations'
      }`,
    );
  }
  return wrong.length > 0 ? refuse(wrong) : { permitted: true, cluster, project };
}

const known = new WeakMap<Application, readonly string[]>();

/** What is wrong with the spec itself. Objects of the API never change: each is checked once. */
function problemsOf(application: Application): readonly string[] {
  const found = known.get(application) ?? specProblems(application);
  known.set(application, found);
  return found;
}

function specProblems(application: Application): readonly string[] {
  // A field that we do not know was let through by the server's own schema, which may be newer than ours.
  const problems = applicationKind.validate({ ...application, status: undefined }).filter(({ unknown }) => !unknown);
  if (problems.length > 0) return problems.map(({ field, message }) => `${field} ${message}`);
  return application.spec.sourceHydrator ? ['spec.sourceHydrator is not supported yet: use spec.source'] : [];
}

const asConditions = (messages: readonly string[]): NewCondition[] =>
  messages.map((message) => ({ type: 'InvalidSpecError', message }));

const refuse = (messages: readonly string[]): Guarded => ({ permitted: false, conditions: asConditions(messages) });
