import { at, listAt, numberAt, textAt } from '@fairlead/apimachinery';
import { GeneratorError } from '../../generators/generator-error.ts';
import { azureError, azurePath, withoutHeads } from '../azure-devops.ts';
import { allPages, type ForgeApi } from '../forge-api.ts';
import { hasLabels, type ListPullRequests, RepositoryNotFound } from './pull-request.ts';

export interface AzurePullRequests {
  readonly project: string;
  readonly repo: string;
  readonly labels?: readonly string[] | undefined;
}

const pageSize = 100;
const noProject = 'The following project does not exist';

export const azurePullRequests =
  (api: ForgeApi, { project, repo, labels }: AzurePullRequests): ListPullRequests =>
  async () => {
    const items = await allPages(0, async (skip) => {
      const reply = await api.get(`${azurePath(project)}/pullRequests`, { $top: pageSize, $skip: skip });
      if (!reply.ok) {
        const { message } = azureError(reply);
        if (message.includes(noProject)) throw new RepositoryNotFound(message);
        throw new GeneratorError(`failed to get pull requests by project: ${message}`);
      }
      const found = listAt(reply.json(), 'value');
      return { items: found, next: found.length < pageSize ? undefined : skip + pageSize };
    });
    const isComplete = (item: unknown): boolean =>
      at(item, 'pullRequestId') !== undefined && textAt(item, 'lastMergeSourceCommit', 'commitId') !== '';
    return items
      .filter((item) => isComplete(item) && textAt(item, 'repository', 'name') === repo)
      .map((item) => ({
        number: numberAt(item, 'pullRequestId'),
        title: textAt(item, 'title'),
        branch: withoutHeads(textAt(item, 'sourceRefName')),
        targetBranch: withoutHeads(textAt(item, 'targetRefName')),
        headSha: textAt(item, 'lastMergeSourceCommit', 'commitId'),
        labels: listAt(item, 'labels').map((label) => textAt(label, 'name')),
        // The part of the address before the @.
        author: textAt(item, 'createdBy', 'uniqueName').split('@')[0] ?? '',
      }))
      .filter((one) => hasLabels(labels, one.labels));
  };
