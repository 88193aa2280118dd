import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markKey, readMarks, writeMarks } from './marks.ts';

const destination = { service: 'slack', recipient: 'a' };

test('a key has the value of oncePer, the namespace of a self-service configuration, the condition and the destination', () => {
  assert.equal(markKey('on-x', { key: '[0].h', oncePer: '' }, destination), 'on-x:[0].h:slack:a');
  assert.equal(markKey('on-x', { key: '[0].h', oncePer: 'r1' }, destination, 'team'), 'r1:team:on-x:[0].h:slack:a');
});

test('an annotation that is not in the form of Argo CD counts as none', () => {
  for (const text of [undefined, '', 'x', '[]', '{"a":1.5}', '{"a":"1"}']) assert.deepEqual(readMarks(text), {});
});

test('the newest hundred marks are kept', () => {
  const marks = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`k${i}`, i]));
  const kept = Object.keys(readMarks(writeMarks(marks)));
  assert.equal(kept.length, 100);
  assert.ok(kept.includes('k149') && !kept.includes('k49'));
});

test('no marks are no annotation', () => assert.equal(writeMarks({}), undefined));
