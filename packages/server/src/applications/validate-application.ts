import type { Application, ApplicationSource, AppProject } from '@fairlead/api';
import { type JsonObject, objectAt, textAt } from '@fairlead/apimachinery';
import { isDestinationPermitted, isSourcePermitted, sourcesOf } from '@fairlead/app-controller';
import { invalidArgument, RpcError } from '../rpc/rpc-error.ts';
import { destinationCluster, type KnownCluster } from './destination.ts';

/** Refuses an Application for what can be said without its sources. Returns its cluster. */
export function validateApplication(
  application: Application,
  project: AppProject,
  clusters: readonly KnownCluster[],
): KnownCluster {
  const name = application.metadata.name ?? '';
  const cluster = destinationCluster(application.spec.destination, clusters);
  if (typeof cluster === 'string')
    throw invalidArgument(`application destination spec for ${name} is invalid: ${cluster}`);
  const problems = specProblems(application);
  if (problems.length === 0) problems.push(...permissionProblems(application, project, cluster));
  if (problems.length > 0) throw invalidSpec(name, problems);
  const url = application.metadata.annotations?.['argocd.argoproj.io/managed-by-url'];
  if (url !== undefined && !/^https?:\/\//u.test(url)) {
    throw invalidSpec(name, ['invalid managed-by URL: URL must include http or https protocol']);
  }
  return cluster;
}

function specProblems({ spec }: Application): string[] {
  const hydrator = objectAt(spec, 'sourceHydrator');
  if (hydrator) return hydratorProblems(hydrator);
  const sources = sourcesOf(spec);
  return sources.length === 0 ? [missingSource] : sources.flatMap((source) => sourceProblems(source));
}

/** Manifests that are rendered into a branch before they are synced. */
function hydratorProblems(hydrator: JsonObject): string[] {
  const problems: string[] = [];
  if (textAt(hydrator, 'drySource', 'repoURL') === '')
    problems.push('spec.sourceHydrator.drySource.repoURL is required');
  if (textAt(hydrator, 'syncSource', 'targetBranch') === '') {
    problems.push('spec.sourceHydrator.syncSource.targetBranch is required');
  }
  if (objectAt(hydrator, 'hydrateTo') && textAt(hydrator, 'hydrateTo', 'targetBranch') === '') {
    problems.push('when spec.sourceHydrator.hydrateTo is set, spec.sourceHydrator.hydrateTo.targetBranch is required');
  }
  return problems;
}

export const invalidSpec = (name: string, problems: readonly string[]): RpcError =>
  invalidArgument(
    `application spec for ${name} is invalid: ${problems.map((problem) => `InvalidSpecError: ${problem}`).join(';')}`,
  );

const missingSource = 'spec.source.repoURL and either spec.source.path or spec.source.chart are required';

function sourceProblems({ repoURL = '', path = '', chart = '', ref = '' }: ApplicationSource): string[] {
  return repoURL === '' || (path === '' && chart === '' && ref === '') ? [missingSource] : [];
}

function permissionProblems({ spec }: Application, project: AppProject, cluster: KnownCluster): string[] {
  const { name } = project.metadata;
  const { server = '', namespace = '' } = spec.destination;
  const dry = textAt(spec, 'sourceHydrator', 'drySource', 'repoURL');
  const problems = (dry === '' ? sourcesOf(spec) : [{ repoURL: dry }])
    .filter((source) => !isSourcePermitted(project, source))
    .map(({ repoURL }) => `application repo ${repoURL} is not permitted in project '${name}'`);
  if (!isDestinationPermitted(project, cluster, namespace)) {
    const where = server === '' ? `name '${cluster.name}'` : `server '${server}'`;
    problems.push(
      `application destination ${where} and namespace '${namespace}' do not match any of the allowed destinations in project '${name}'`,
    );
  }
  return problems;
}

/** Names of sources are unique. */
export function refuseRepeatedSourceNames({ metadata, spec }: Application): void {
  const seen = new Set<string>();
  for (const { name = '' } of spec.sources ?? []) {
    if (name !== '' && seen.has(name)) {
      throw new RpcError('Unknown', `application ${metadata.name} has duplicate source name: ${name}`);
    }
    seen.add(name);
  }
}
