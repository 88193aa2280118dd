import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { parseWebhook, type WebhookResult } from './hosts.ts';
import type { Push } from './push.ts';
import type { WebhookSecrets } from './webhook-host.ts';
import { UnresolvedSecret } from './webhook-secrets.ts';

const parse = (headers: Record<string, string>, payload: unknown, secrets: WebhookSecrets = {}): WebhookResult =>
  parseWebhook(
    {
      header: (name) => headers[name],
      body: Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)),
    },
    secrets,
  );
const hmac = (algorithm: string, secret: string, payload: unknown): string =>
  createHmac(algorithm, secret).update(JSON.stringify(payload)).digest('hex');

const commits = [
  { added: ['a/new.yaml'], modified: ['b.yaml'], removed: [] },
  { added: [], modified: [], removed: ['c.yaml'] },
];
const files = ['a/new.yaml', 'b.yaml', 'c.yaml'];
const github = {
  ref: 'refs/heads/main',
  repository: { html_url: 'https://github.com/team/shop', default_branch: 'main' },
  commits,
};
const gitlab = {
  object_kind: 'push',
  ref: 'refs/heads/dev',
  project: {
    web_url: 'https://gitlab.com/team/shop',
    git_ssh_url: 'git@gitlab.com:team/shop.git',
    default_branch: 'main',
  },
  commits,
  total_commits_count: 2,
};
const bitbucket = {
  repository: { links: { html: { href: 'https://bitbucket.org/team/shop' } } },
  push: { changes: [{ new: { name: 'main' } }, { old: { name: 'gone' }, new: null }] },
};
const bitbucketServer = {
  repository: { links: { clone: [{ name: 'http', href: 'https://bb.example.com/scm/team/shop.git' }] } },
  changes: [{ ref: { id: 'refs/heads/main' } }],
};
const azure = {
  eventType: 'git.push',
  resource: {
    repository: { remoteUrl: 'https://dev.azure.com/org/p/_git/shop', defaultBranch: 'refs/heads/main' },
    refUpdates: [{ name: 'refs/heads/main' }],
  },
};

const githubPackage = {
  action: 'published',
  package: {
    name: 'web',
    package_type: 'CONTAINER',
    owner: { login: 'team' },
    package_version: { container_metadata: { tag: { name: '1.0' } } },
  },
};

interface Case {
  readonly headers: Record<string, string>;
  readonly payload: object;
  readonly secrets: WebhookSecrets;
  /** Headers that authenticate the request. */
  readonly proof: Record<string, string>;
  readonly pushes: Push[];
  /** The answer to what does not know the secret; 400 if not given. */
  readonly refusal?: 401;
}
const cases: Record<string, Case> = {
  GitHub: {
    headers: { 'x-github-event': 'push' },
    payload: github,
    secrets: { github: 's' },
    proof: { 'x-hub-signature-256': `sha256=${hmac('sha256', 's', github)}` },
    pushes: [{ urls: ['https://github.com/team/shop'], ref: 'refs/heads/main', touchedHead: true, files }],
  },
  GitLab: {
    headers: { 'x-gitlab-event': 'Push Hook' },
    payload: gitlab,
    secrets: { gitlab: 's' },
    proof: { 'x-gitlab-token': 's' },
    pushes: [
      {
        urls: ['https://gitlab.com/team/shop', 'git@gitlab.com:team/shop.git'],
        ref: 'refs/heads/dev',
        touchedHead: false,
        files,
      },
    ],
  },
  'Gitea or Gogs': {
    headers: { 'x-gitea-event': 'push', 'x-gogs-event': 'push', 'x-github-event': 'push' },
    payload: github,
    secrets: { gogs: 's' },
    proof: { 'x-gitea-signature': hmac('sha256', 's', github) },
    pushes: [{ urls: ['https://github.com/team/shop'], ref: 'refs/heads/main', touchedHead: true, files }],
  },
  Bitbucket: {
    headers: { 'x-event-key': 'repo:push', 'x-hook-uuid': '{ABC}' },
    payload: bitbucket,
    secrets: { bitbucketUuid: 'abc' },
    proof: {},
    pushes: [
      { urls: ['https://bitbucket.org/team/shop'], ref: 'main', touchedHead: true },
      { urls: ['https://bitbucket.org/team/shop'], ref: 'gone', touchedHead: true },
    ],
  },
  'Bitbucket Server': {
    headers: { 'x-event-key': 'repo:refs_changed' },
    payload: bitbucketServer,
    secrets: { bitbucketServer: 's' },
    proof: { 'x-hub-signature': `sha256=${hmac('sha256', 's', bitbucketServer)}` },
    pushes: [{ urls: ['https://bb.example.com/scm/team/shop.git'], ref: 'refs/heads/main', touchedHead: true }],
  },
  'GitHub packages': {
    headers: { 'x-github-event': 'package' },
    payload: githubPackage,
    secrets: { github: 's' },
    proof: { 'x-hub-signature-256': `sha256=${hmac('sha256', 's', githubPackage)}` },
    pushes: [{ urls: ['oci://ghcr.io/team/web'], ref: '1.0', touchedHead: false, isArtifact: true }],
    refusal: 401,
  },
  'Azure DevOps': {
    headers: { 'x-vss-activityid': '1' },
    payload: azure,
    secrets: { azureUsername: 'u', azurePassword: 'p' },
    proof: { authorization: `Basic ${Buffer.from('u:p').toString('base64')}` },
    pushes: [{ urls: ['https://dev.azure.com/org/p/_git/shop'], ref: 'refs/heads/main', touchedHead: true }],
  },
};
for (const [host, { headers, payload, secrets, proof, pushes, refusal = 400 }] of Object.entries(cases)) {
  test(`${host}: a push is parsed with and without a secret`, () => {
    assert.deepEqual(parse(headers, payload), { kind: 'push', host, pushes });
    assert.deepEqual(parse({ ...headers, ...proof }, payload, secrets), { kind: 'push', host, pushes });
  });
  test(`${host}: a request with a wrong secret is refused before its body is parsed`, () => {
    const wrong = Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, `${value}x`]));
    for (const forged of [{ ...headers, ...proof }, headers]) {
      const result = parse(forged, 'no JSON', wrong);
      assert.equal(result.kind === 'refused' && result.code, refusal);
    }
  });
}

test('a signature of another body is rejected', () => {
  const { headers, proof, secrets } = cases['GitHub']!;
  assert.equal(parse({ ...headers, ...proof }, { ...github, ref: 'refs/heads/x' }, secrets).kind, 'refused');
});

test('pings and other events are ignored; unknown senders and invalid JSON are refused', () => {
  assert.deepEqual(parse({ 'x-github-event': 'ping' }, {}), { kind: 'ignored', host: 'GitHub', event: 'ping' });
  assert.equal(parse({ 'x-event-key': 'diagnostics:ping' }, {}).kind, 'ignored');
  assert.equal(parse({}, github).kind, 'refused');
  assert.equal(parse({ 'x-github-event': 'push' }, 'ref=main').kind, 'refused');
  for (const odd of ['null', '[]', '3', '{"repository":[],"ref":{}}']) {
    assert.equal(parse({ 'x-github-event': 'push' }, odd).kind, 'refused', odd);
  }
});

test('Harbor is known by its secret alone', () => {
  const event_data = {
    resources: [{ digest: 'sha256:0' }, { tag: '1.0', resource_url: 'harbor.example.com/lib/web:1.0' }],
    repository: { repo_full_name: 'lib/web' },
  };
  const push = { type: 'PUSH_ARTIFACT', event_data };
  const send = (payload: unknown, authorization = 'h'): WebhookResult =>
    parse({ authorization }, payload, { harbor: 'h' });
  assert.deepEqual(send(push), {
    kind: 'push',
    host: 'Harbor',
    pushes: [{ urls: ['oci://harbor.example.com/lib/web'], ref: '1.0', touchedHead: false, isArtifact: true }],
  });
  const unknown = send(push, 'x');
  assert.equal(unknown.kind === 'refused' && unknown.answer, 'Unknown webhook event');
  assert.equal(parse({ authorization: '' }, push).kind, 'refused');
  assert.equal(send({ type: 'PULL_ARTIFACT' }).kind, 'ignored');
  assert.equal(send({ type: 'PUSH_ARTIFACT' }).kind, 'ignored');
  assert.equal(send({ type: 'PUSH_ARTIFACT', event_data: { ...event_data, repository: {} } }).kind, 'refused');
});

test('an event that is not about a push is refused, as by Argo CD', () => {
  for (const headers of [
    { 'x-github-event': 'issues' },
    { 'x-gitlab-event': 'Issue Hook' },
    { 'x-hook-uuid': '1', 'x-event-key': 'repo:fork' },
    { 'x-event-key': 'pr:opened' },
    { 'x-gogs-event': 'create' },
    { 'x-vss-activityid': '1' },
  ]) {
    const result = parse(headers, { ...github, ...gitlab });
    assert.equal(result.kind === 'refused' && result.answer, 'Webhook processing failed', JSON.stringify(headers));
  }
});

test('a SHA-1 signature of GitHub is not accepted', () => {
  const { headers, secrets } = cases['GitHub']!;
  const signature = { 'x-hub-signature': `sha1=${hmac('sha1', 's', github)}` };
  assert.equal(parse({ ...headers, ...signature }, github, secrets).kind, 'refused');
});

test('an incomplete list of commits is not used as a list of files', () => {
  const result = parse({ 'x-gitlab-event': 'Push Hook' }, { ...gitlab, total_commits_count: 40 });
  assert.ok(result.kind === 'push');
  assert.equal(result.pushes[0]?.files, undefined);
});

test('a host without a secret is refused if another host has one, unless it is allowed', () => {
  const request = [{ 'x-github-event': 'push' }, github] as const;
  assert.equal(parse(...request, { gitlab: 's' }).kind, 'refused');
  assert.equal(parse(...request, { unauthenticated: 'deny' }).kind, 'refused');
  assert.equal(parse(...request, { gitlab: 's', unauthenticated: 'allow' }).kind, 'push');
  const unresolved = {
    get gitlab(): string {
      throw new UnresolvedSecret('gone');
    },
  };
  assert.equal(parse(...request, unresolved).kind, 'refused');
});

test('more refs than the limit match every ref', () => {
  const refUpdates = Array.from({ length: 101 }, (_, i) => ({ name: `refs/heads/b${i}` }));
  const result = parse({ 'x-vss-activityid': '1' }, { ...azure, resource: { ...azure.resource, refUpdates } });
  assert.ok(result.kind === 'push');
  assert.deepEqual(
    result.pushes.map(({ everyRef, touchedHead }) => [everyRef, touchedHead]),
    [[true, true]],
  );
});

test('more files than the limit match every file', () => {
  const added = Array.from({ length: 10_001 }, (_, i) => `f${i}`);
  const result = parse({ 'x-github-event': 'push' }, { ...github, commits: [{ added }] });
  assert.ok(result.kind === 'push');
  assert.equal(result.pushes[0]?.files, undefined);
});

test('a payload with very many values is refused before it is parsed, and one with many files is not', () => {
  const header = { 'x-github-event': 'push' };
  const added = Array.from({ length: 150_000 }, (_, i) => `folder/file-${i}.yaml`);
  assert.equal(parse(header, { ...github, commits: [{ added }] }).kind, 'push');
  const many = `${'['.repeat(100_000)}${'{},'.repeat(100_000)}`;
  const refused = parse(header, many);
  assert.ok(refused.kind === 'refused' && /limit webhookValues/u.test(refused.message), JSON.stringify(refused));
});
