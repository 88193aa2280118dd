/** A webhook is a push, ignored or refused; with any content it is bounded and finds Applications without an error. */
import assert from 'node:assert/strict';
import { limits } from '@fairlead/kube/limits';
import fc from 'fast-check';
import { anyText, fieldsOf, mutated } from '../../../../scripts/fuzz/inputs.ts';
import { fuzzTarget } from '../../../../scripts/fuzz/target.ts';
import { affectedRepositories, locationsFollowed, locationsOf } from '../../src/webhook/affected.ts';
import { bodyLimit, parseWebhook } from '../../src/webhook/hosts.ts';
import { sampleApplication } from '../support/sample-application.ts';

const headers = [
  'x-github-event',
  'x-gitlab-event',
  'x-gogs-event',
  'x-gitea-event',
  'x-hook-uuid',
  'x-event-key',
  'x-vss-activityid',
  'x-hub-signature',
  'x-hub-signature-256',
  'x-gitlab-token',
  'authorization',
];
const fields =
  'ref repository html_url clone_url default_branch commits added modified removed total_commits_count object_kind event_name project web_url git_http_url push changes new old name links html href clone resource refUpdates remoteUrl defaultBranch eventType ssh_url type'.split(
    ' ',
  );
const github = {
  ref: 'refs/heads/main',
  repository: { html_url: 'https://github.com/team/shop', default_branch: 'main' },
  commits: [{ added: ['a'], modified: ['shop/values.yaml'], removed: [] }],
};
const azure = {
  eventType: 'git.push',
  resource: {
    repository: { remoteUrl: 'https://dev.azure.com/o/p/_git/r', defaultBranch: 'refs/heads/main' },
    refUpdates: [{ name: 'refs/heads/main' }],
  },
};
const body = fc.oneof(
  mutated(
    [JSON.stringify(github), JSON.stringify(azure)],
    ['"', ':', ',', '{', '}', '[', ']', 'null', '"ref"', '__proto__', 'https://'],
  ),
  fieldsOf(fields, 5).map((value) => JSON.stringify(value)),
  anyText,
);

export const target = fuzzTarget({
  inputs: fc.record({
    headers: fc.dictionary(
      fc.constantFrom(...headers),
      fc.oneof(fc.constantFrom('push', 'Push Hook', 'repo:push', 'repo:refs_changed'), anyText),
      {
        maxKeys: 3,
      },
    ),
    body,
    secret: fc.boolean(),
    paths: fc.oneof(fc.constantFrom('.', '/shop;../lib', 'a*{b,c}', '['), anyText),
  }),
  check(input: { headers: Record<string, string>; body: string; secret: boolean; paths: string }) {
    const header = (name: string): string | undefined =>
      Object.hasOwn(input.headers, name) ? input.headers[name] : undefined;
    const secrets = input.secret ? { github: 'secret' } : {};
    assert.ok(bodyLimit(header, secrets) <= limits.webhookSignedBytes);
    const result = parseWebhook({ header, body: Buffer.from(input.body) }, secrets);
    if (result.kind !== 'push') return;
    assert.ok(!input.secret || header('x-github-event') === undefined, 'no signature of these requests is right');
    assert.ok(result.pushes.length > 0 && result.pushes.length <= limits.webhookPushes);
    const followed = sampleApplication({ 'argocd.argoproj.io/manifest-generate-paths': input.paths });
    locationsFollowed(followed);
    for (const push of result.pushes) {
      locationsOf(push);
      affectedRepositories(followed, push);
    }
  },
});
