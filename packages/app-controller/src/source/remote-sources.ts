import type { AppProject } from '@fairlead/api';
import { parseRepositoryUrl } from '@fairlead/apimachinery';
import { type FetchRemote, RenderError } from '@fairlead/render';
import { remoteFetcher, withNetworks } from '@fairlead/source';
import { allowedNetworksOf } from '../project/allowed-networks.ts';
import { isUrlPermitted } from '../project/project.ts';
import type { ReconcileEnv } from '../reconcile-env.ts';

/**
 * Remote references of sources (bases and files of kustomizations, chart dependencies), as far as the project permits them, with the
 * credentials that it may use.
 */
export function remoteSources(
  { sources, access }: Pick<ReconcileEnv, 'sources' | 'access'>,
  project: AppProject,
  options: { readonly fresh: boolean; readonly passCredentials: boolean },
): FetchRemote {
  const { name } = project.metadata;
  return remoteFetcher(sources, {
    ...options,
    project: name,
    permit: (url) => permitSource(project, url),
    credentialsFor: (url) => withNetworks(access.credentialsFor(url, name), allowedNetworksOf(project)),
    repositoryNamed: (title) => access.repositoryNamed(title, name),
  });
}

/** Rejects an address that no entry of `sourceRepos` of the project permits. */
export function permitSource(project: AppProject, url: string): void {
  const { name } = project.metadata;
  const { url: parsed, problem } = parseRepositoryUrl(url);
  if (!parsed) throw new RenderError('Unsupported', `${problem} (named by a source of project '${name}')`);
  // Registries are written with and without their scheme.
  const forms = parsed.scheme === 'oci' ? [parsed, { ...parsed, schemeWritten: !parsed.schemeWritten }] : [parsed];
  if (forms.some((form) => isUrlPermitted(project, form))) return;
  throw new RenderError('Unsupported', `${url} is not permitted in project '${name}': add it to its sourceRepos`);
}
