import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explained } from './agent-stream.ts';

test('an empty answer of argocd-agent gets a reason', () => {
  const full = { status: 200, body: '{"kind":"Pod"}' };
  assert.deepEqual(explained(full), full);
  assert.deepEqual(explained({ status: 404, body: '' }), { status: 404, body: 'the object does not exist' });
  assert.equal(explained({ status: 200, body: '' }).status, 501, 'it does not know the path');
  assert.match(explained({ status: 500, body: '' }).body, /shows only objects of Applications/u);
});
