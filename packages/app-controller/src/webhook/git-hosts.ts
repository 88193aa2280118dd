import { limits } from '@fairlead/kube/limits';
import {
  azurePullRequests,
  giteaPullRequests,
  githubPullRequests,
  gitlabMergeRequests,
} from './pull-request-change.ts';
import { filesOf, listIn, objectIn, type Payload, type Push, shortRef, textIn } from './push.ts';
import { packageEvent } from './registry-hosts.ts';
import { sameText } from './signature.ts';
import { type Host, signed } from './webhook-host.ts';

/** A push as GitHub writes it, and those who write as GitHub does. */
const githubPush = (payload: Payload): Push => {
  const repository = objectIn(payload, 'repository');
  const ref = textIn(payload, 'ref');
  return {
    urls: [textIn(repository, 'html_url'), textIn(repository, 'clone_url'), textIn(repository, 'ssh_url')].filter(
      Boolean,
    ),
    ref,
    touchedHead: textIn(repository, 'default_branch') === shortRef(ref),
    ...filesOf(payload),
  };
};

/** The first that knows the request takes it: Gitea sends the headers of Gogs and of GitHub beside its own. */
export const gitHosts: readonly Host[] = [
  {
    name: 'Azure DevOps',
    isFrom: (header) => header('x-vss-activityid') !== undefined,
    secret: ({ azureUsername = '', azurePassword = '' }) => azureUsername + azurePassword,
    isGenuine({ header }, { azureUsername = '', azurePassword = '' }) {
      const expected = `Basic ${Buffer.from(`${azureUsername}:${azurePassword}`).toString('base64')}`;
      return sameText(header('authorization') ?? '', expected);
    },
    event: (_, payload) => textIn(payload, 'eventType'),
    events: ['git.push'],
    ignored: [],
    pullRequests: azurePullRequests,
    pushes(payload) {
      const resource = objectIn(payload, 'resource');
      const repository = objectIn(resource, 'repository');
      return first(listIn(resource, 'refUpdates')).map((update) => ({
        urls: [textIn(repository, 'remoteUrl')].filter(Boolean),
        ref: textIn(update, 'name'),
        touchedHead: textIn(update, 'name') === textIn(repository, 'defaultBranch'),
      }));
    },
  },
  {
    name: 'Gitea or Gogs',
    isFrom: (header) => header('x-gogs-event') !== undefined,
    ...signed(['x-gitea-signature', 'x-gogs-signature', 'x-hub-signature-256'], ({ gogs }) => gogs),
    event: (header) => header('x-gogs-event') ?? '',
    events: ['push'],
    ignored: [],
    pullRequests: giteaPullRequests,
    pushes: (payload) => [githubPush(payload)],
  },
  {
    name: 'GitHub',
    isFrom: (header) => header('x-github-event') !== undefined && header('x-github-event') !== packageEvent,
    ...signed(['x-hub-signature-256'], ({ github }) => github),
    event: (header) => header('x-github-event') ?? '',
    events: ['push'],
    ignored: ['ping'],
    pullRequests: githubPullRequests,
    pushes: (payload) => [githubPush(payload)],
  },
  {
    name: 'GitLab',
    isFrom: (header) => header('x-gitlab-event') !== undefined,
    secret: ({ gitlab = '' }) => gitlab,
    isGenuine: ({ header }, { gitlab = '' }) => sameText(header('x-gitlab-token') ?? '', gitlab),
    event(header, payload) {
      const named = header('x-gitlab-event') ?? '';
      // Pushes are one of the events of a system hook.
      if (named === 'System Hook') return textIn(payload, 'object_kind') || textIn(payload, 'event_name');
      return gitlabEvents[named] ?? named;
    },
    events: ['push', 'tag_push'],
    ignored: ['repository_update'],
    pullRequests: gitlabMergeRequests,
    pushes(payload) {
      const project = objectIn(payload, 'project');
      const ref = textIn(payload, 'ref');
      const { files } = filesOf(payload);
      return [
        {
          urls: ['web_url', 'git_http_url', 'git_ssh_url'].map((name) => textIn(project, name)).filter(Boolean),
          ref,
          touchedHead: textIn(project, 'default_branch') === shortRef(ref),
          ...(files ? { files } : {}),
        },
      ];
    },
  },
  {
    name: 'Bitbucket',
    isFrom: (header) => header('x-hook-uuid') !== undefined,
    secret: ({ bitbucketUuid = '' }) => bitbucketUuid,
    isGenuine: ({ header }, { bitbucketUuid = '' }) => sameText(bare(header('x-hook-uuid') ?? ''), bare(bitbucketUuid)),
    event: (header) => header('x-event-key') ?? '',
    events: ['repo:push'],
    ignored: [],
    pushes(payload) {
      const html = objectIn(objectIn(objectIn(payload, 'repository'), 'links'), 'html');
      return first(listIn(objectIn(payload, 'push'), 'changes')).map((change) => {
        const name = textIn(objectIn(change, 'new'), 'name') || textIn(objectIn(change, 'old'), 'name');
        // The payload does not name the default branch: everything that follows it is refreshed.
        return { urls: [textIn(html, 'href')].filter(Boolean), ref: name, touchedHead: true };
      });
    },
  },
  {
    name: 'Bitbucket Server',
    isFrom: (header) => header('x-event-key') !== undefined,
    ...signed(['x-hub-signature'], ({ bitbucketServer }) => bitbucketServer),
    event: (header) => header('x-event-key') ?? '',
    events: ['repo:refs_changed'],
    ignored: ['diagnostics:ping'],
    pushes(payload) {
      const urls = first(listIn(objectIn(objectIn(payload, 'repository'), 'links'), 'clone'))
        .map((link) => textIn(link, 'href'))
        .filter(Boolean);
      return first(listIn(payload, 'changes')).map((change) => ({
        urls,
        ref: textIn(objectIn(change, 'ref'), 'id') || textIn(change, 'refId'),
        touchedHead: true,
      }));
    },
  },
];

const gitlabEvents: Readonly<Record<string, string>> = {
  'Push Hook': 'push',
  'Tag Push Hook': 'tag_push',
  'Merge Request Hook': 'merge_request',
};

/** One more than the limit, which tells a longer list from a full one. */
const first = (list: readonly unknown[]): readonly unknown[] => list.slice(0, limits.webhookPushes + 1);

const bare = (uuid: string): string => uuid.replace(/[{}]/gu, '').toLowerCase();
