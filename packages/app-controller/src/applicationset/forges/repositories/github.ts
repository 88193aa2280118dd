import { at, listAt, numberAt, textAt } from '@fairlead/apimachinery';
import { int64 } from '@fairlead/render/go-template';
import { during, GeneratorError } from '../../generators/generator-error.ts';
import type { ForgeApi } from '../forge-api.ts';
import { githubError, githubList } from '../github.ts';
import { cloneUrl, type RepositoryForge } from './repository.ts';

export interface GithubRepositories {
  readonly organization: string;
  readonly allBranches?: boolean | undefined;
  readonly excludeArchivedRepos?: boolean | undefined;
}

export function githubRepositories(api: ForgeApi, options: GithubRepositories): RepositoryForge {
  const { organization } = options;
  const repoPath = (owner: string, name: string): string =>
    `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
  return {
    async list(cloneProtocol) {
      const items = await githubList(api, `/orgs/${encodeURIComponent(organization)}/repos`, {}, (reply) => {
        return new GeneratorError(`error listing repositories for ${organization}: ${githubError(reply).message}`);
      });
      return items
        .filter((item) => !(options.excludeArchivedRepos && at(item, 'archived') === true))
        .map((item) => ({
          organization: textAt(item, 'owner', 'login'),
          repository: textAt(item, 'name'),
          url: cloneUrl(cloneProtocol, { ssh: textAt(item, 'ssh_url'), https: textAt(item, 'clone_url') }, 'GitHub'),
          branch: textAt(item, 'default_branch'),
          sha: '',
          labels: listAt(item, 'topics').map(String),
          id: int64(numberAt(item, 'id')),
        }));
    },
    branches: (one) =>
      during(`error listing branches for ${one.organization}/${one.repository}`, async () => {
        const path = `${repoPath(one.organization, one.repository)}/branches`;
        if (options.allBranches) {
          const items = await githubList(api, path, {}, githubError);
          return items.map((item) => ({ ...one, branch: textAt(item, 'name'), sha: textAt(item, 'commit', 'sha') }));
        }
        const reply = await api.get(`${path}/${encodeURIComponent(one.branch)}`);
        // A default branch that does not exist is that of an empty repository.
        if (reply.status === 404) return [];
        if (!reply.ok) throw githubError(reply);
        const item = reply.json();
        return [{ ...one, branch: textAt(item, 'name'), sha: textAt(item, 'commit', 'sha') }];
      }),
    async hasPath(one, path) {
      const escaped = path.split('/').map(encodeURIComponent).join('/');
      const url = `${repoPath(one.organization, one.repository)}/contents/${escaped}`;
      const reply = await api.get(url, { ref: one.branch });
      if (reply.status === 404) return false;
      if (!reply.ok) throw githubError(reply);
      return true;
    },
  };
}
