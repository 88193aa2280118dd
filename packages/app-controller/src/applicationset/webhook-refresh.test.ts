import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApplicationSet, Generator } from '@fairlead/api';
import { parseWebhook } from '../webhook/hosts.ts';
import { concernsGenerators, type ForgeEvent } from './webhook-refresh.ts';

const setOf = (...generators: Generator[]): ApplicationSet => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'ApplicationSet',
  metadata: { name: 'set', namespace: 'argocd' },
  spec: { generators, template: { metadata: { name: '{{x}}' }, spec: { project: 'default', destination: {} } } },
});

/** The event that a webhook reports. */
function eventOf(headers: Readonly<Record<string, string>>, payload: object): ForgeEvent | undefined {
  const result = parseWebhook({ header: (name) => headers[name], body: Buffer.from(JSON.stringify(payload)) }, {});
  if (result.kind === 'pull request') return { pullRequest: result.change };
  const [push] = result.kind === 'push' ? result.pushes : [];
  return push && { push };
}

const github = (change: object = {}) =>
  eventOf(
    { 'x-github-event': 'pull_request' },
    {
      action: 'opened',
      repository: { name: 'shop', url: 'https://api.github.com/repos/Team/shop', owner: { login: 'Team' } },
      ...change,
    },
  );
const gitlab = eventOf(
  { 'x-gitlab-event': 'Merge Request Hook' },
  {
    object_attributes: { action: 'update', target_project_id: 42 },
    project: { web_url: 'https://gitlab.example.com/team/shop', path_with_namespace: 'team/shop' },
  },
);
const gitea = eventOf(
  { 'x-gitea-event': 'pull_request', 'x-gogs-event': 'pull_request', 'x-github-event': 'pull_request' },
  {
    action: 'synchronized',
    repository: { name: 'shop', html_url: 'https://gitea.example.com/team/shop', owner: { login: 'team' } },
  },
);
const azure = eventOf(
  { 'x-vss-activityid': '1' },
  { eventType: 'git.pullrequest.created', resource: { repository: { name: 'shop', project: { name: 'team' } } } },
);
const push = eventOf(
  { 'x-github-event': 'push' },
  { ref: 'refs/heads/main', repository: { html_url: 'https://github.com/team/shop', default_branch: 'main' } },
);

const git = (repoURL: string, revision = 'HEAD'): Generator => ({
  git: { repoURL, revision, directories: [{ path: '*' }] },
});
const gitlabGenerator = (project: string, api = 'https://gitlab.example.com'): Generator => ({
  pullRequest: { gitlab: { project, api } },
});
const plugin: Generator = { plugin: { configMapRef: { name: 'p' } } };

const cases: [title: string, event: ForgeEvent | undefined, generator: Generator, concerned: boolean][] = [
  [
    'the repository of GitHub, in another case',
    github(),
    { pullRequest: { github: { owner: 'team', repo: 'Shop' } } },
    true,
  ],
  ['another repository of GitHub', github(), { pullRequest: { github: { owner: 'team', repo: 'x' } } }, false],
  [
    'another GitHub',
    github(),
    { pullRequest: { github: { owner: 'team', repo: 'shop', api: 'https://ghe.example.com/api/v3' } } },
    false,
  ],
  ['a repository that is a template', github(), { pullRequest: { github: { owner: 'team', repo: '{{x}}' } } }, true],
  ['the number of a project of GitLab', gitlab, gitlabGenerator('42'), true],
  ['the path of a project of GitLab', gitlab, gitlabGenerator('team/shop'), true],
  ['another project of GitLab', gitlab, gitlabGenerator('43'), false],
  ['another GitLab', gitlab, gitlabGenerator('42', ''), false],
  [
    'the repository of Gitea',
    gitea,
    { pullRequest: { gitea: { owner: 'team', repo: 'shop', api: 'https://gitea.example.com' } } },
    true,
  ],
  [
    'the repository of Azure DevOps',
    azure,
    { pullRequest: { azuredevops: { organization: 'o', project: 'team', repo: 'shop' } } },
    true,
  ],
  ['another forge', azure, { pullRequest: { github: { owner: 'team', repo: 'shop' } } }, false],
  ['a pull request and a Git generator', github(), git('https://github.com/team/shop'), false],
  ['a pushed repository', push, git('git@github.com:team/shop.git'), true],
  ['another branch of a pushed repository', push, git('https://github.com/team/shop', 'dev'), false],
  ['a branch that is a template', push, git('https://github.com/team/shop', '{{branch}}'), true],
  ['another repository than the pushed one', push, git('https://github.com/team/other'), false],
  ['a Git generator whose address is a template', push, git('{{url}}'), true],
  ['a plugin, which may read anything', push, plugin, true],
  [
    'a generator within a matrix',
    github(),
    {
      matrix: {
        generators: [{ list: { elements: [] } }, { pullRequest: { github: { owner: 'team', repo: 'shop' } } }],
      },
    },
    true,
  ],
];
for (const [title, event, generator, concerned] of cases) {
  test(`webhooks and generators: ${title}`, () => {
    assert.ok(event);
    assert.equal(concernsGenerators(setOf(generator), event), concerned);
  });
}

test('an event of a pull request that no generator reads is accepted and ignored', () => {
  assert.equal(github({ action: 'review_requested' }), undefined);
  const body = Buffer.from(JSON.stringify({ action: 'review_requested' }));
  const result = parseWebhook({ header: (name) => (name === 'x-github-event' ? 'pull_request' : undefined), body }, {});
  assert.equal(result.kind, 'ignored');
});
