import { listAt, numberAt, textAt } from '@fairlead/apimachinery';
import type { ForgeApi } from '../forge-api.ts';
import { giteaError, giteaList, giteaPath } from '../gitea.ts';
import { hasLabels, type ListPullRequests, RepositoryNotFound } from './pull-request.ts';

export const giteaPullRequests =
  (
    api: ForgeApi,
    { owner, repo, labels }: { readonly owner: string; readonly repo: string; readonly labels?: readonly string[] },
  ): ListPullRequests =>
  async () => {
    const items = await giteaList(api, `${giteaPath(owner, repo)}/pulls`, { state: 'open' }, (reply) => {
      const error = giteaError(reply);
      return reply.status === 404 ? new RepositoryNotFound(error.message) : error;
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
