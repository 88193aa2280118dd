import type { Application, ApplicationSource, AppProject } from '@fairlead/api';
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
  const problems = sourcesOf(application.spec).flatMap((source) => sourceProblems(source));
  if (sourcesOf(application.spec).length === 0) problems.push(missingSource);
  if (problems.length === 0) problems.push(...permissionProblems(application, project, cluster));
  if (problems.length > 0) throw invalidSpec(name, problems);
  const url = application.metadata.annotations?.['argocd.argoproj.io/managed-by-url'];
  if (url !== undefined && !/^https?:\/\//u.test(url)) {
    throw invalidSpec(name, ['invalid managed-by URL: URL must include http or https protocol']);
  }
  return cluster;
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
  const problems = sourcesOf(spec)
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
