import { at, type Json, numberAt, textAt } from '@fairlead/apimachinery';
import { int } from '@fairlead/render/go-template';
import { GeneratorError } from '../../generators/generator-error.ts';
import type { ForgeApi } from '../forge-api.ts';
import { giteaError, giteaList, giteaPath } from '../gitea.ts';
import { cloneUrl, type Repository, type RepositoryForge } from './repository.ts';

export interface GiteaRepositories {
  readonly owner: string;
  readonly allBranches?: boolean | undefined;
  readonly excludeArchivedRepos?: boolean | undefined;
}

export function giteaRepositories(api: ForgeApi, options: GiteaRepositories): RepositoryForge {
  const { owner } = options;
  const branchOf = (one: Repository, item: Json): Repository => ({
    ...one,
    branch: textAt(item, 'name'),
    sha: textAt(item, 'commit', 'id'),
  });
  return {
    async list(cloneProtocol) {
      const items = await giteaList(api, `/orgs/${encodeURIComponent(owner)}/repos`, {});
      const repositories: Repository[] = [];
      for (const item of items) {
        const urls = { ssh: textAt(item, 'ssh_url'), https: textAt(item, 'html_url') };
        const url = cloneUrl(cloneProtocol, urls, 'GitHub');
        if (options.excludeArchivedRepos && at(item, 'archived') === true) continue;
        const repository = textAt(item, 'name');
        const labels = await giteaList(api, `${giteaPath(owner, repository)}/labels`, {});
        repositories.push({
          organization: owner,
          repository,
          url,
          branch: textAt(item, 'default_branch'),
          sha: '',
          labels: labels.map((label) => textAt(label, 'name')),
          id: int(numberAt(item, 'id')),
        });
      }
      return repositories;
    },
    async branches(one) {
      const path = `${giteaPath(owner, one.repository)}/branches`;
      if (options.allBranches) return (await giteaList(api, path, {})).map((item) => branchOf(one, item));
      const reply = await api.get(`${path}/${encodeURIComponent(one.branch)}`);
      if (reply.status === 404) {
        throw new GeneratorError(
          `got 404 while getting default branch ${JSON.stringify(one.branch)} for repo ${JSON.stringify(one.repository)} - check your repo config: ${giteaError(reply).message}`,
        );
      }
      if (!reply.ok) throw giteaError(reply);
      return [{ ...branchOf(one, reply.json()), branch: one.branch }];
    },
    async hasPath(one, path) {
      const escaped = path.split('/').map(encodeURIComponent).join('/');
      const reply = await api.get(`${giteaPath(one.organization, one.repository)}/contents/${escaped}`, {
        ref: one.branch,
      });
      if (reply.status === 404) return false;
      if (!reply.ok) throw giteaError(reply);
      return true;
    },
  };
}
