import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyDefaults } from './defaults.ts';
import { boolean, int64, list, object, string } from './schema.ts';

const retry = object({ limit: int64({ default: 5 }), factor: int64({ default: 2 }) });
const shape = object({
  timeout: string({ default: '10m' }),
  retry,
  rules: list(object({ on: boolean({ default: true }) })),
});

test('a default fills a missing field, and keeps an existing one', () => {
  assert.deepEqual(applyDefaults(shape, {}), { timeout: '10m' });
  assert.deepEqual(applyDefaults(shape, { timeout: '1m', retry: { limit: 0 } }), {
    timeout: '1m',
    retry: { limit: 0, factor: 2 },
  });
});

test('a default inside an absent object does not create the object', () => {
  assert.equal('retry' in applyDefaults<object>(shape, {}), false);
});

test('defaults apply to the items of lists', () => {
  assert.deepEqual(applyDefaults<object>(shape, { timeout: 'x', rules: [{}, { on: false }] }), {
    timeout: 'x',
    rules: [{ on: true }, { on: false }],
  });
});

test('the input is not changed, and is returned if no default applies', () => {
  const input = Object.freeze({ timeout: '1m', rules: Object.freeze([Object.freeze({ on: true })]) });
  assert.equal(applyDefaults<object>(shape, input), input);
});
