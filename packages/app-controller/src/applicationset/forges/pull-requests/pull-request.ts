/** An open pull or merge request. */
export interface PullRequest {
  readonly number: number;
  readonly title: string;
  readonly branch: string;
  readonly targetBranch: string;
  readonly headSha: string;
  readonly labels: readonly string[];
  readonly author: string;
}

export type ListPullRequests = () => Promise<PullRequest[]>;

/** The forge does not know the repository. */
export class RepositoryNotFound extends Error {}

/** Whether a request has all required labels. */
export const hasLabels = (required: readonly string[] | undefined, labels: readonly string[]): boolean =>
  (required ?? []).every((label) => labels.includes(label));
