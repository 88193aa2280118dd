import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyDelta, deltaOf, SentObjects } from './delta.ts';

// After one round trip: -0 is 0 then.
const json = fc
  .dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 4 })
  .map((value): Record<string, unknown> => JSON.parse(JSON.stringify(value)));

test('a delta transforms one object into the other, and does not exist if a null must be set', () => {
  fc.assert(
    fc.property(json, json, (before, after) => {
      const delta = deltaOf(before, after);
      if (delta) assert.deepEqual(applyDelta(before, JSON.parse(JSON.stringify(delta))), { ...after });
      else assert.match(JSON.stringify(after), /null/u);
    }),
  );
});

test('a delta contains only what has changed', () => {
  const before = { spec: { source: { path: 'a', rev: 'v1' } }, status: { health: 'ok', at: 1 }, old: 1 };
  const after = { spec: { source: { path: 'a', rev: 'v2' } }, status: { health: 'ok', at: 1 } };
  assert.deepEqual(deltaOf(before, after), { old: null, spec: { source: { rev: 'v2' } } });
});

test('the cache of sent objects is bounded, and equal on both sides', () => {
  const [one, other] = [new SentObjects(), new SentObjects()];
  for (const memory of [one, other])
    for (let i = 0; i < 100; i++) memory.keep(`app-${i % 40}`, i, 'x'.repeat(1_000 * (i % 17)));
  const kept = (memory: SentObjects) => Array.from({ length: 40 }, (_, i) => memory.find(`app-${i}`)?.number);
  assert.deepEqual(kept(one), kept(other));
  assert.equal(one.find('app-20'), undefined);
  assert.notEqual(one.find('app-19'), undefined);
  const total = Array.from({ length: 40 }, (_, i) => one.find(`app-${i}`)?.text.length ?? 0).reduce((a, b) => a + b);
  assert.ok(total <= 256 * 1024);
});
