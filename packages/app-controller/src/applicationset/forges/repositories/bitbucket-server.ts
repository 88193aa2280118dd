import { type Json, numberAt, objectsAt, textAt } from '@fairlead/apimachinery';
import { int } from '@fairlead/render/go-template';
import { during, GeneratorError } from '../../generators/generator-error.ts';
import { bitbucketServerError, bitbucketServerList, bitbucketServerPath } from '../bitbucket-server.ts';
import type { ForgeApi } from '../forge-api.ts';
import { cloneUrl, type Repository, type RepositoryForge } from './repository.ts';

export function bitbucketServerRepositories(
  api: ForgeApi,
  { project, allBranches }: { readonly project: string; readonly allBranches?: boolean | undefined },
): RepositoryForge {
  const repoPath = ({ organization, repository }: Pick<Repository, 'organization' | 'repository'>): string =>
    bitbucketServerPath(organization, repository);

  /** Undefined for a repository without commits. */
  async function defaultBranch(of: Pick<Repository, 'organization' | 'repository'>): Promise<Json | undefined> {
    const reply = await api.get(`${repoPath(of)}/branches/default`);
    if (reply.status === 404) return undefined;
    if (!reply.ok) throw bitbucketServerError(reply);
    return reply.json() ?? undefined;
  }

  return {
    async list(cloneProtocol) {
      const items = await bitbucketServerList(api, `/projects/${encodeURIComponent(project)}/repos`, (reply) => {
        return new GeneratorError(`error listing repositories for ${project}: ${bitbucketServerError(reply).message}`);
      });
      const repositories: Repository[] = [];
      for (const item of items) {
        const links = objectsAt(item, 'links', 'clone');
        const link = (name: string): string => textAt(links.find((one) => one['name'] === name) ?? {}, 'href');
        const url = cloneUrl(cloneProtocol, { ssh: link('ssh'), https: link('http') }, 'Bitbucket Server');
        const name = { organization: textAt(item, 'project', 'key'), repository: textAt(item, 'name') };
        const branch = await defaultBranch(name);
        if (branch === undefined) continue;
        repositories.push({ ...name, url, ...branchOf(branch), labels: [], id: int(numberAt(item, 'id')) });
      }
      return repositories;
    },
    branches: (one) =>
      during(`error listing branches for ${one.organization}/${one.repository}`, async () => {
        if (!allBranches) {
          const branch = await defaultBranch(one);
          return branch === undefined ? [] : [{ ...one, ...branchOf(branch) }];
        }
        const items = await bitbucketServerList(api, `${repoPath(one)}/branches`, (reply) => {
          const said = bitbucketServerError(reply).message;
          return new GeneratorError(`error listing branches for ${one.organization}/${one.repository}: ${said}`);
        });
        return items.map((item) => ({ ...one, ...branchOf(item) }));
      }),
    async hasPath(one, path) {
      const escaped = path.split('/').map(encodeURIComponent).join('/');
      const query = { limit: 100, at: one.branch, type: true };
      const reply = await api.get(`${repoPath(one)}/browse/${escaped}`, query);
      if (reply.status === 404) return false;
      if (!reply.ok) throw bitbucketServerError(reply);
      return true;
    },
  };
}

const branchOf = (item: Json): Pick<Repository, 'branch' | 'sha'> => ({
  branch: textAt(item, 'displayId'),
  sha: textAt(item, 'latestCommit'),
});
