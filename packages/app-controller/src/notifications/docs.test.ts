import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { stringsAt, textAt } from '@fairlead/apimachinery';
import { readYaml } from '@fairlead/render/go-yaml';
import { notificationsCatalog } from './catalog.ts';
import { parseNotificationsConfig } from './config/parse-config.ts';
import { tryTemplate, tryTrigger } from './preview.ts';
import { serviceTypes } from './services/service-types.ts';

const page = readFileSync(new URL('../../../../docs/notifications.md', import.meta.url), 'utf8');
const now = (): number => Date.now();
const application = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'guestbook', namespace: 'argocd' },
  spec: { project: 'default' },
  status: {
    sync: { status: 'Synced', revision: '0123456789abcdef' },
    health: { status: 'Healthy' },
    operationState: { phase: 'Succeeded' },
  },
};
const load = async (): Promise<never> => {
  throw new Error('nothing is read');
};
const subject = { application, project: undefined, load, now };

test('the example of docs/notifications.md is valid and does what the page says', async () => {
  const example = readYaml(/```yaml\n([^`]*)```/u.exec(page)?.[1] ?? '');
  const secrets = new Map([['chat-token', Buffer.from('t')]]);
  const config = parseNotificationsConfig({ data: stringsAt(example, 'data'), secrets, now });
  assert.deepEqual([...config.problems, ...config.warnings], []);
  const results = await tryTrigger(config, 'on-deployed', subject);
  assert.deepEqual(
    results?.map(({ triggered, oncePer }) => [triggered, oncePer]),
    [[true, '0123456789abcdef']],
  );
  const notification = await tryTemplate(config, 'app-deployed', { service: 'chat', recipient: '' }, subject);
  assert.equal(notification.message, 'guestbook runs 0123456');
  assert.match(textAt(notification.parts, 'webhook', 'chat', 'body'), /applications\/guestbook/u);
});

test('docs/notifications.md lists every service', () => {
  for (const type of Object.keys(serviceTypes)) assert.ok(page.includes(type), type);
});

test('the catalog is valid', () => {
  const { problems, triggers } = parseNotificationsConfig({ data: notificationsCatalog(), secrets: new Map(), now });
  assert.deepEqual(problems, []);
  assert.equal(triggers.size, 8);
});
