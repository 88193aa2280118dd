import { type Application, type AppProject, applicationKind } from '@fairlead/api';
import type { Cluster } from '../cluster/cluster.ts';
import { type Clusters, isClusterProblem } from '../cluster/clusters.ts';
import { drySourceOf } from '../hydrator/hydrated-sources.ts';
import { isDestinationPermitted, isSourceNamespacePermitted, whySourceRefused } from '../project/project.ts';
import { sourcesOf } from '../source/desired-state.ts';
import { formatConditions, type NewCondition } from '../status/conditions.ts';
import { refusals } from './unsupported.ts';

export type Guarded =
  | { readonly permitted: true; readonly cluster: Cluster; readonly project: AppProject }
  | {
      readonly permitted: false;
      readonly conditions: readonly NewCondition[];
      /** The message of a sync. */
      readonly syncError: string;
      /** The project is missing, or does not permit this Application. */
      readonly noProject?: true;
      /** The spec is valid, but the settings do not define how to compare. */
      readonly noSettings?: true;
    };

/**
 * Preconditions of reading and rendering: a valid spec, a project that permits it, a cluster that exists. With the same messages as Argo
 * CD.
 */
export function guard(
  application: Application,
  env: {
    readonly project: (name: string) => AppProject | undefined;
    readonly clusters: Clusters;
    readonly controlPlaneNamespace: string;
    /** Why the settings do not define how to compare. */
    readonly settingsProblem?: string | undefined;
  },
): Guarded {
  const { spec, metadata } = application;
  const name = spec.project || 'default';
  const project = typeof name === 'string' ? env.project(name) : undefined;
  const problems = problemsOf(application);
  if (typeof name === 'string' && !project) {
    const message = `Application referencing project ${name} which does not exist`;
    const syncError = `Failed to load application project: ${projectNotFound(name)}`;
    return { permitted: false, conditions: asConditions([message]), syncError, noProject: true };
  }
  if (problems.length > 0 || !project) return refuse(asConditions(problems));
  const { namespace: home = '' } = metadata;
  if (home !== env.controlPlaneNamespace && !isSourceNamespacePermitted(project, home)) {
    const message = `application '${metadata.name}' in namespace '${home}' is not permitted to use project '${name}'`;
    const syncError = `Failed to load application project: ${message}`;
    return { permitted: false, conditions: [{ type: 'UnknownError', message }], syncError, noProject: true };
  }
  const wrong = refusals(project);
  const dry = spec.sourceHydrator ? [drySourceOf(spec.sourceHydrator)] : [];
  for (const source of [...dry, ...sourcesOf(spec)]) {
    const refusal = whySourceRefused(project, source.repoURL);
    if (refusal !== undefined) wrong.push(refusal);
  }
  const cluster = env.clusters.find(spec.destination);
  if (isClusterProblem(cluster)) {
    // An unreachable cluster does not make the spec invalid.
    const condition: NewCondition =
      cluster.problem === 'Unavailable'
        ? { type: 'ComparisonError', message: `Failed to load live state: ${cluster.message}` }
        : { type: 'InvalidSpecError', message: cluster.message };
    return { permitted: false, conditions: [...asConditions(wrong), condition], syncError: cluster.message };
  }
  const namespace = spec.destination.namespace ?? '';
  if (!isDestinationPermitted(project, cluster, namespace)) {
    const server = spec.destination.name ? cluster.name : cluster.server;
    wrong.push(
      `application destination server '${server}' and namespace '${namespace}' do not match any of the allowed destinations in project '${name}'`,
    );
  }
  if (wrong.length > 0) return refuse(asConditions(wrong));
  if (env.settingsProblem === undefined) return { permitted: true, cluster, project };
  const condition: NewCondition = { type: 'InvalidSettingWarning', message: env.settingsProblem };
  return { ...refuse([condition]), noSettings: true };
}

export const projectNotFound = (name: string): string =>
  `error getting app project "${name}": appproject.argoproj.io "${name}" not found`;

const known = new WeakMap<Application, readonly string[]>();

/** The problems of the spec itself. API objects are immutable: each is checked once. */
function problemsOf(application: Application): readonly string[] {
  const found = known.get(application) ?? specProblems(application);
  known.set(application, found);
  return found;
}

function specProblems(application: Application): readonly string[] {
  // The schema of the server accepted an unknown field; it may be newer than ours.
  const problems = applicationKind.validate({ ...application, status: undefined }).filter(({ unknown }) => !unknown);
  // The destination is resolved with the clusters.
  const own = problems.filter(({ field }) => field !== 'spec.destination');
  if (own.length > 0) return own.map(({ field, message }) => `${field} ${message}`);
  return [];
}

const asConditions = (messages: readonly string[]): NewCondition[] =>
  messages.map((message) => ({ type: 'InvalidSpecError', message }));

const refuse = (conditions: readonly NewCondition[]): Guarded & { permitted: false } => ({
  permitted: false,
  conditions,
  syncError: formatConditions(conditions),
});
