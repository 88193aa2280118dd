import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { beginTrace, carryOn, readTraceparent, traceIdOf } from './trace.ts';

const example = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

test('a trace starts in the W3C format, and later messages keep its id and flags with a new span', () => {
  const first = beginTrace(randomUUID);
  assert.match(first, /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/u);
  assert.equal(readTraceparent(first), first);
  const next = carryOn(first, randomUUID);
  assert.match(next, /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/u);
  assert.equal(traceIdOf(next), traceIdOf(first));
  assert.notEqual(next, first);
  assert.match(carryOn('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00', randomUUID), /-00$/u);
});

test('an invalid traceparent is ignored', () => {
  assert.equal(readTraceparent(example), example);
  // An unknown version may have more fields.
  assert.equal(readTraceparent(`cc${example.slice(2)}-what-comes-later`), example);
  for (const wrong of [
    undefined,
    '',
    'nonsense',
    `ff${example.slice(2)}`,
    `${example}-more`,
    example.toUpperCase(),
    example.replace('0af7651916cd43dd8448eb211c80319c', '0'.repeat(32)),
    example.replace('b7ad6b7169203331', '0'.repeat(16)),
  ])
    assert.equal(readTraceparent(wrong), undefined, wrong);
});
