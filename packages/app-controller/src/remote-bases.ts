import type { AppProject } from '@fairlead/api';
import { RenderError, type Tree } from '@fairlead/render';
import { isSourcePermitted } from './project.ts';
import type { World } from './world.ts';

/** Repositories that kustomizations name by address, as far as the project permits them, with the credentials that it may use. */
export function remoteBases(
  { sources, access }: Pick<World, 'sources' | 'access'>,
  project: AppProject,
  { fresh }: { readonly fresh: boolean },
): (address: string) => Promise<Tree> {
  return async (address) => {
    const { repoURL, revision } = readAddress(address);
    const { name } = project.metadata;
    if (!isSourcePermitted(project, { repoURL }))
      throw new RenderError('Unsupported', `remote base ${repoURL} is not permitted in project '${name}'`);
    const ask = { credentials: access.credentialsFor(repoURL, name) };
    return sources.tree({ repoURL }, await sources.resolve({ repoURL }, revision, { ...ask, fresh }), ask);
  };
}

/** `https://host/repo?ref=v1&timeout=9s` → the repository and the revision; `version` is an older word for `ref`. */
export function readAddress(address: string): { readonly repoURL: string; readonly revision: string } {
  const [repoURL = '', query = ''] = address.replace(/^git::/u, '').split(/\?(.*)/su);
  const asked = new URLSearchParams(query);
  return { repoURL, revision: asked.get('ref') ?? asked.get('version') ?? '' };
}
