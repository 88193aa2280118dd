import { numberAt, textAt } from '@fairlead/apimachinery';
import { GeneratorError } from '../../generators/generator-error.ts';
import { bitbucketServerError, bitbucketServerList, bitbucketServerPath } from '../bitbucket-server.ts';
import type { ForgeApi } from '../forge-api.ts';
import { type ListPullRequests, RepositoryNotFound } from './pull-request.ts';

export const bitbucketServerPullRequests =
  (api: ForgeApi, { project, repo }: { readonly project: string; readonly repo: string }): ListPullRequests =>
  async () => {
    const path = `${bitbucketServerPath(project, repo)}/pull-requests`;
    const items = await bitbucketServerList(api, path, (reply) => {
      const error = bitbucketServerError(reply);
      if (reply.status === 404) return new RepositoryNotFound(error.message);
      return new GeneratorError(`error listing pull requests for ${project}/${repo}: ${error.message}`);
    });
    return items.map((item) => ({
      number: numberAt(item, 'id'),
      title: textAt(item, 'title'),
      branch: textAt(item, 'fromRef', 'displayId'),
      targetBranch: textAt(item, 'toRef', 'displayId'),
      headSha: textAt(item, 'fromRef', 'latestCommit'),
      labels: [],
      author: textAt(item, 'author', 'user', 'name'),
    }));
  };
