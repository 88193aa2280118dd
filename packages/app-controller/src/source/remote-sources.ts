import type { AppProject } from '@fairlead/api';
import { type FetchRemote, RenderError } from '@fairlead/render';
import { remoteFetcher } from '@fairlead/source';
import { isSourcePermitted } from '../project/project.ts';
import type { ReconcileEnv } from '../reconcile-env.ts';

/**
 * What sources name by address (bases and files of kustomizations, charts that others depend on), as far as the project permits it, with
 * the credentials that it may use.
 */
export function remoteSources(
  { sources, access }: Pick<ReconcileEnv, 'sources' | 'access'>,
  project: AppProject,
  options: { readonly fresh: boolean; readonly passCredentials: boolean },
): FetchRemote {
  const { name } = project.metadata;
  return remoteFetcher(sources, {
    ...options,
    permit: (url) => permitSource(project, url),
    credentialsFor: (url) => access.credentialsFor(url, name),
    repositoryNamed: (title) => access.repositoryNamed(title, name),
  });
}

/** Refuses an address that no entry of the project's `sourceRepos` admits. */
export function permitSource(project: AppProject, url: string): void {
  // Registries are written with and without their scheme.
  const forms = [url, url.replace(/^oci:\/\//iu, '')];
  if (forms.some((repoURL) => isSourcePermitted(project, { repoURL }))) return;
  const { name } = project.metadata;
  throw new RenderError('Unsupported', `${url} is not permitted in project '${name}': add it to its sourceRepos`);
}
