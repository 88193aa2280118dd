import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseNotificationsConfig } from './parse-config.ts';

const parse = (data: Record<string, string>, secret: Record<string, string> = {}) =>
  parseNotificationsConfig({
    data,
    secrets: new Map(Object.entries(secret).map(([key, value]) => [key, Buffer.from(value)])),
    now: () => 0,
  });

test('an invalid part is named and leaves the others as they are', () => {
  const config = parse({
    'service.pigeon': 'x: 1',
    'service.slack': 'token: t',
    'trigger.bad': "- when: 'a ='\n- when: 'true'",
    'template.bad': "message: '{{'",
    'template.good': 'message: hello',
    subscriptions: 'a: b',
  });
  assert.deepEqual(
    [...config.services].map(([name, entry]) => [name, 'service' in entry]),
    [
      ['pigeon', false],
      ['slack', true],
    ],
  );
  assert.deepEqual(
    config.triggers.get('bad')?.map(({ problem }) => problem === undefined),
    [false, true],
  );
  assert.ok('template' in (config.templates.get('good') ?? {}));
  assert.deepEqual(
    config.problems.map((problem) => /^[^:]*/u.exec(problem)?.[0]),
    ['service.pigeon', 'template bad', 'trigger bad, condition 1', 'subscriptions'],
  );
});

test('a reference to a missing key of the Secret is a warning', () => {
  const { warnings, problems } = parse({ 'service.slack': 'token: $slack-token' }, { other: 'x' });
  assert.deepEqual(problems, []);
  assert.deepEqual(warnings, ['service.slack: the Secret has no key for $slack-token']);
});
