import type { Generator } from '@fairlead/api';
import { permitForge } from '../forges/allowed-forge.ts';
import { expression } from '../forges/filter-repositories.ts';
import { openPullRequests } from '../forges/pull-requests/open.ts';
import { type PullRequest, RepositoryNotFound } from '../forges/pull-requests/pull-request.ts';
import { branchSlug } from '../template/slug.ts';
import type { Generate } from './generator.ts';
import { during, GeneratorError } from './generator-error.ts';
import { type Params, paramsOf, textList } from './params.ts';
import { addValues } from './values.ts';

type PullRequestSpec = NonNullable<Generator['pullRequest']>;

/** The open pull requests of a repository. */
export const generatePullRequests: Generate<'pullRequest'> = async (spec, run) => {
  const list = await during('failed to select pull request service provider', () => {
    permitForge(apiOf(spec), run);
    return openPullRequests(spec, run);
  });
  const found = await selected(spec, list);
  const result: Params[] = [];
  for (const request of found) {
    const params = paramsOfRequest(request);
    if (run.goTemplate) params.set('labels', textList(request.labels));
    await during('failed to append templated values', () => addValues(params, spec.values, run));
    result.push(params);
  }
  return result;
};

async function selected(spec: PullRequestSpec, list: () => Promise<PullRequest[]>): Promise<PullRequest[]> {
  try {
    const matches = await during('error listing repos', () => (spec.filters ?? []).map(filterOf));
    const found = await list();
    return matches.length === 0 ? found : found.filter((request) => matches.some((one) => one(request)));
  } catch (error) {
    if (error instanceof RepositoryNotFound && spec.continueOnRepoNotFoundError) return [];
    if (error instanceof GeneratorError && error.message.startsWith('error listing repos: ')) throw error;
    return during('error listing repos', () => {
      throw error;
    });
  }
}

function filterOf({
  branchMatch,
  targetBranchMatch,
  titleMatch,
}: NonNullable<PullRequestSpec['filters']>[number]): (request: PullRequest) => boolean {
  const branch = branchMatch === undefined ? undefined : expression(branchMatch, 'BranchMatch');
  const target = targetBranchMatch === undefined ? undefined : expression(targetBranchMatch, 'TargetBranchMatch');
  const title = titleMatch === undefined ? undefined : expression(titleMatch, 'TitleMatch');
  return (request) =>
    (branch?.(request.branch) ?? true) && (target?.(request.targetBranch) ?? true) && (title?.(request.title) ?? true);
}

const paramsOfRequest = (request: PullRequest): Params =>
  paramsOf([
    ['number', String(request.number)],
    ['title', request.title],
    ['branch', request.branch],
    ['branch_slug', branchSlug(request.branch)],
    ['target_branch', request.targetBranch],
    ['target_branch_slug', branchSlug(request.targetBranch)],
    ['head_sha', request.headSha],
    ['head_short_sha', request.headSha.slice(0, 8)],
    ['head_short_sha_7', request.headSha.slice(0, 7)],
    ['author', request.author],
  ]);

/** The address that the ApplicationSet gives, if it may give one. */
const apiOf = ({ github, gitlab, gitea, bitbucketServer, bitbucket, azuredevops }: PullRequestSpec) =>
  (github ?? gitlab ?? gitea ?? bitbucketServer ?? bitbucket ?? azuredevops)?.api;
