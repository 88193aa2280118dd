import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stableHash } from './stable-hash.ts';

test('key order and undefined values do not change the hash, everything else does', () => {
  const hash = stableHash({ b: [1, { d: null, c: 'x' }], a: { e: true } });
  assert.equal(stableHash({ a: { e: true, f: undefined }, b: [1, { c: 'x', d: null }] }), hash);
  for (const other of [
    { b: [{ d: null, c: 'x' }, 1], a: { e: true } },
    { b: [1, { c: 'x' }], a: { e: true } },
    { b: [1, { d: null, c: 'x' }], a: { e: 'true' } },
    { b: [1, { d: null, c: 'x' }], a: {} },
  ])
    assert.notEqual(stableHash(other), hash, JSON.stringify(other));
});

test('hashes stored in the database are stable', () => {
  assert.equal(stableHash({ sync: { status: 'Synced' }, resources: [] }), 'bENpXxTLxMOb0cKQPqdV7P');
  assert.equal(stableHash('text'), 'Hh0PJR06dvorG_yBFkB4Vy');
});
