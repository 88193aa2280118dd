/** A sync that exceeds its timeout. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { configMap, hook, job } from '../test/support/objects.ts';
import { openSuite, type Suite, types, until } from '../test/support/suite.ts';

let suite: Suite;
before(async () => {
  suite = await openSuite({ syncTimeoutMs: 3_000 });
});
after(() => suite.close());

test('a sync that exceeds its timeout is terminated with its hooks, and the message gives the reason', async () => {
  const app = await suite.create('timeout', {
    migrate: job('migrate', { command: 'sleep 600', annotations: hook('PreSync') }),
    a: configMap('a'),
  });
  const state = await app.sync();
  assert.equal(state.phase, 'Failed');
  assert.equal(state.message, 'Operation terminated, triggered by controller sync timeout');
  await until('the hook is deleted', async () => !(await app.find(types.Job, 'migrate')));
});
