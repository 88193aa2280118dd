import { numberAt, textAt } from '@fairlead/apimachinery';
import { GeneratorError } from '../../generators/generator-error.ts';
import { bitbucketCloudError, bitbucketCloudList, bitbucketCloudPath } from '../bitbucket-cloud.ts';
import type { ForgeApi } from '../forge-api.ts';
import { type ListPullRequests, RepositoryNotFound } from './pull-request.ts';

export const bitbucketCloudPullRequests =
  (api: ForgeApi, { owner, repo }: { readonly owner: string; readonly repo: string }): ListPullRequests =>
  async () => {
    const items = await bitbucketCloudList(api, `${bitbucketCloudPath(owner, repo)}/pullrequests/`, {}, (reply) => {
      const error = bitbucketCloudError(reply);
      if (reply.status === 404) return new RepositoryNotFound(error.message);
      return new GeneratorError(`error listing pull requests for ${owner}/${repo}: ${error.message}`);
    });
    return items.map((item) => ({
      number: numberAt(item, 'id'),
      title: textAt(item, 'title'),
      branch: textAt(item, 'source', 'branch', 'name'),
      targetBranch: textAt(item, 'destination', 'branch', 'name'),
      headSha: textAt(item, 'source', 'commit', 'hash'),
      labels: [],
      author: textAt(item, 'author', 'nickname'),
    }));
  };
