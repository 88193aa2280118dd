import { listAt, numberAt, textAt } from '@fairlead/apimachinery';
import { GeneratorError } from '../../generators/generator-error.ts';
import type { ForgeApi } from '../forge-api.ts';
import { githubError, githubList } from '../github.ts';
import { hasLabels, type ListPullRequests, RepositoryNotFound } from './pull-request.ts';

export const githubPullRequests =
  (
    api: ForgeApi,
    { owner, repo, labels }: { readonly owner: string; readonly repo: string; readonly labels?: readonly string[] },
  ): ListPullRequests =>
  async () => {
    const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/pulls`;
    const items = await githubList(api, path, {}, (reply) => {
      const error = githubError(reply);
      if (reply.status === 404) return new RepositoryNotFound(error.message);
      return new GeneratorError(`error listing pull requests for ${owner}/${repo}: ${error.message}`);
    });
    return items
      .map((item) => ({
        number: numberAt(item, 'number'),
        title: textAt(item, 'title'),
        branch: textAt(item, 'head', 'ref'),
        targetBranch: textAt(item, 'base', 'ref'),
        headSha: textAt(item, 'head', 'sha'),
        labels: listAt(item, 'labels').map((label) => textAt(label, 'name')),
        author: textAt(item, 'user', 'login'),
      }))
      .filter((one) => hasLabels(labels, one.labels));
  };
