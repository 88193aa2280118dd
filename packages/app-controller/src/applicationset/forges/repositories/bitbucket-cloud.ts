import { type Json, objectsAt, textAt } from '@fairlead/apimachinery';
import { during, GeneratorError } from '../../generators/generator-error.ts';
import { bitbucketCloudError, bitbucketCloudList, bitbucketCloudPath } from '../bitbucket-cloud.ts';
import type { ForgeApi } from '../forge-api.ts';
import type { Repository, RepositoryForge } from './repository.ts';

export function bitbucketCloudRepositories(
  api: ForgeApi,
  { owner, allBranches }: { readonly owner: string; readonly allBranches?: boolean | undefined },
): RepositoryForge {
  const branchOf = (one: Repository, item: Json): Repository => ({
    ...one,
    branch: textAt(item, 'name'),
    sha: textAt(item, 'target', 'hash'),
  });
  return {
    async list(cloneProtocol) {
      const path = `/repositories/${encodeURIComponent(owner)}`;
      const items = await bitbucketCloudList(api, path, { role: 'member', pagelen: 100 }, (reply) => {
        return new GeneratorError(`error listing repositories for ${owner}: ${bitbucketCloudError(reply).message}`);
      });
      return items.map((item) => ({
        organization: owner,
        repository: textAt(item, 'slug'),
        url: linkOf(item, cloneProtocol || 'ssh'),
        branch: textAt(item, 'mainbranch', 'name'),
        sha: '',
        labels: [],
        id: textAt(item, 'uuid'),
      }));
    },
    branches: (one) =>
      during(`error listing branches for ${one.organization}/${one.repository}`, async () => {
        const path = `${bitbucketCloudPath(owner, one.repository)}/refs/branches`;
        if (allBranches) {
          const items = await bitbucketCloudList(api, path, { pagelen: 100 }, bitbucketCloudError);
          return items.map((item) => branchOf(one, item));
        }
        const reply = await api.get(`${path}/${encodeURIComponent(one.branch)}`);
        if (!reply.ok) throw bitbucketCloudError(reply);
        return [branchOf(one, reply.json())];
      }),
    async hasPath(one, path) {
      const escaped = path.split('/').map(encodeURIComponent).join('/');
      const at = `${bitbucketCloudPath(owner, one.repository)}/src/${encodeURIComponent(one.sha)}/${escaped}`;
      const reply = await api.get(at, { format: 'meta' });
      if (reply.status === 404) return false;
      if (!reply.ok) throw bitbucketCloudError(reply);
      return true;
    },
  };
}

function linkOf(repository: Json, protocol: string): string {
  const link = objectsAt(repository, 'links', 'clone').find((one) => one['name'] === protocol);
  if (link) return textAt(link, 'href');
  const slug = textAt(repository, 'slug');
  throw new GeneratorError(
    `error fetching clone url for repo ${slug}: unknown clone protocol for Bitbucket cloud ${protocol}`,
  );
}
