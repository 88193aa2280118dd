import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GoMap, stringMap } from '@fairlead/render/go-template';
import { combined, overridden } from './merge-params.ts';
import { paramsFrom, paramsOf, printed, textMap } from './params.ts';

test('maps are merged deeply, and neither side is changed', () => {
  const [one, other] = [paramsFrom({ m: { x: 1, y: 1 } }), paramsFrom({ m: { y: 2 } })];
  assert.equal(printed(overridden(one, other)), 'map[m:map[x:1 y:2]]');
  assert.equal(printed(one), 'map[m:map[x:1 y:1]]');
});

test('values of two clusters stay a map of texts', () => {
  const [one, other] = [paramsOf([['values', textMap({ a: '1' })]]), paramsOf([['values', textMap({ b: '2' })]])];
  const values = overridden(one, other).get('values');
  assert.ok(values instanceof GoMap && values.type === stringMap);
  assert.equal(printed(values), 'map[a:1 b:2]');
});

test('values of clusters and of a list cannot be merged: an error names the parameter', () => {
  const clusters = paramsOf([['values', textMap({ a: '1' })]]);
  assert.throws(
    () => overridden(clusters, paramsFrom({ values: { a: 'x' } })),
    /the parameter values .* cannot be merged/u,
  );
  assert.equal(printed(overridden(paramsFrom({ values: { a: 'x' } }), clusters)), 'map[values:map[a:1]]');
});

test('plain parameters of two generators may not differ', () => {
  assert.throws(() => combined(paramsOf([['env', 'dev']]), paramsOf([['env', 'prod']])), /duplicate key env/u);
  assert.equal(printed(combined(paramsOf([['n', 1]]), paramsOf([['n', '1']]))), 'map[n:1]');
});
