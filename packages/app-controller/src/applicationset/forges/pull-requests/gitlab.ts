import { listAt, numberAt, textAt } from '@fairlead/apimachinery';
import { GeneratorError } from '../../generators/generator-error.ts';
import type { ForgeApi } from '../forge-api.ts';
import { gitlabError, gitlabId, gitlabList } from '../gitlab.ts';
import { type ListPullRequests, RepositoryNotFound } from './pull-request.ts';

export interface GitlabMergeRequests {
  readonly project: string;
  readonly labels?: readonly string[] | undefined;
  readonly pullRequestState?: string | undefined;
}

export const gitlabMergeRequests =
  (api: ForgeApi, { project, labels = [], pullRequestState }: GitlabMergeRequests): ListPullRequests =>
  async () => {
    const query = {
      ...(labels.length > 0 ? { labels: labels.join(',') } : {}),
      ...(pullRequestState ? { state: pullRequestState } : {}),
    };
    const items = await gitlabList(api, `/projects/${gitlabId(project)}/merge_requests`, query, (reply) => {
      const error = gitlabError(reply);
      if (reply.status === 404) return new RepositoryNotFound(error.message);
      return new GeneratorError(`error listing merge requests for project '${project}': ${error.message}`);
    });
    return items.map((item) => ({
      number: numberAt(item, 'iid'),
      title: textAt(item, 'title'),
      branch: textAt(item, 'source_branch'),
      targetBranch: textAt(item, 'target_branch'),
      headSha: textAt(item, 'sha'),
      labels: listAt(item, 'labels').map(String),
      author: textAt(item, 'author', 'username'),
    }));
  };
