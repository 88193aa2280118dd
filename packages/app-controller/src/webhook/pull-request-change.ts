import { objectIn, type Payload, textIn } from './push.ts';

/** A pull request that was opened, closed or changed, as a Git host reports it. */
export interface PullRequestChange {
  readonly forge: 'github' | 'gitlab' | 'gitea' | 'azuredevops';
  /** The host of the forge, in lower case; empty if the event does not name it. */
  readonly host: string;
  /** The owner or the project of the repository; empty for GitLab. */
  readonly owner: string;
  /** The names of the repository; for GitLab the number and the path of the project. */
  readonly repositories: readonly string[];
}

/** Events of a Git host about pull requests. */
export interface PullRequestEvents {
  readonly events: readonly string[];
  /** Undefined if the event changes nothing that a generator reads, such as a comment. */
  readonly change: (payload: Payload) => PullRequestChange | undefined;
}

const githubActions = ['opened', 'closed', 'synchronize', 'synchronized', 'labeled', 'reopened', 'unlabeled'];
/** Gitea's own names for changes of labels. */
const giteaActions = [...githubActions, 'label_updated', 'label_cleared', 'edited'];
const gitlabActions = ['open', 'close', 'reopen', 'update', 'merge'];

/** GitHub names the address of its API, Gitea the page of the repository. */
const githubEvents = (
  forge: 'github' | 'gitea',
  actions: readonly string[],
  address: 'url' | 'html_url',
): PullRequestEvents => ({
  events: ['pull_request'],
  change(payload) {
    if (!actions.includes(textIn(payload, 'action'))) return undefined;
    const repository = objectIn(payload, 'repository');
    return {
      forge,
      host: hostOf(textIn(repository, address)),
      owner: textIn(objectIn(repository, 'owner'), 'login'),
      repositories: [textIn(repository, 'name')],
    };
  },
});

export const githubPullRequests = githubEvents('github', githubActions, 'url');
export const giteaPullRequests = githubEvents('gitea', giteaActions, 'html_url');

export const gitlabMergeRequests: PullRequestEvents = {
  events: ['merge_request'],
  change(payload) {
    const attributes = objectIn(payload, 'object_attributes');
    const project = attributes['target_project_id'];
    if (!gitlabActions.includes(textIn(attributes, 'action')) || typeof project !== 'number') return undefined;
    const target = objectIn(payload, 'project');
    const repositories = [String(project), textIn(target, 'path_with_namespace')];
    return { forge: 'gitlab', host: hostOf(textIn(target, 'web_url')), owner: '', repositories };
  },
};

export const azurePullRequests: PullRequestEvents = {
  events: ['git.pullrequest.created', 'git.pullrequest.merged', 'git.pullrequest.updated'],
  change(payload) {
    const repository = objectIn(objectIn(payload, 'resource'), 'repository');
    const owner = textIn(objectIn(repository, 'project'), 'name');
    return { forge: 'azuredevops', host: '', owner, repositories: [textIn(repository, 'name')] };
  },
};

/** The host of an address, in lower case; empty if it is none. */
export const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).hostname : '');
