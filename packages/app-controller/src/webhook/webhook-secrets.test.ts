import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { parseWebhook } from './hosts.ts';
import { readWebhookSecrets, UnresolvedSecret, type WebhookSecret } from './webhook-secrets.ts';

const secret = (name: string, data: Record<string, string>): WebhookSecret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'argocd' },
  data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')])),
});

const own = secret('argocd-secret', {
  'webhook.github.secret': '$shared:git',
  'webhook.gitlab.secret': '$mine',
  'webhook.bitbucketserver.secret': 'plain',
  'webhook.gogs.secret': '$gone',
  'webhook.bitbucket.uuid': '$shared:gone',
  mine: 'of my own\n',
});
const find = (name: string) => (name === 'shared' ? secret('shared', { git: 'of another' }) : undefined);

test('a secret may refer to another key or another Secret', () => {
  const { github, gitlab, bitbucketServer, azureUsername } = readWebhookSecrets(own, find);
  assert.deepEqual([github, gitlab, bitbucketServer, azureUsername], ['of another', 'of my own', 'plain', '']);
});

test('a reference to a missing key rejects every request, and the message names the key', () => {
  const secrets = readWebhookSecrets(own, find);
  assert.throws(() => secrets.gogs, UnresolvedSecret);
  const body = Buffer.from('{}');
  const signed = (key: string) => createHmac('sha256', key).update(body).digest('hex');
  for (const key of ['', '$gone']) {
    const headers: Record<string, string> = { 'x-gogs-event': 'push', 'x-gogs-signature': signed(key) };
    const said = parseWebhook({ header: (name) => headers[name], body }, secrets);
    assert.deepEqual(said, {
      kind: 'refused',
      code: 400,
      answer: 'Webhook processing failed',
      message: 'argocd-secret: webhook.gogs.secret refers to $gone: there is no key gone in argocd-secret',
    });
  }
  assert.throws(() => secrets.bitbucketUuid, /no Secret shared with the label .* and a key gone/);
});
