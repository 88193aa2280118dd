import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { widget } from '../../test/support/sample-schemas.ts';
import type { Json } from '../json/json-value.ts';
import type { Schema } from '../schema/schema.ts';
import { compare, isSame } from './compare.ts';
import { equalSets, has, membersOf, showPath } from './field-set.ts';
import { fieldsOf } from './fields-of.ts';
import { merge } from './merge.ts';
import { removeFields } from './remove.ts';
import { shapeOf } from './shape.ts';

const shape = shapeOf(widget);
const spec = (value: Json) => ({ spec: value });
const merged = (live: Json, config: Json): Json | undefined => merge(shape, spec(live), spec(config));

const cases: readonly [title: string, live: Json, config: Json, expected: Json][] = [
  ['leaves come from the configuration', { n: 1 }, { n: 2 }, { n: 2 }],
  ['maps merge by key', { map: { a: '1' } }, { map: { b: '2' } }, { map: { a: '1', b: '2' } }],
  ['atomic maps are replaced', { atomicMap: { a: '1' } }, { atomicMap: { b: '2' } }, { atomicMap: { b: '2' } }],
  ['atomic lists are replaced', { plain: ['a'] }, { plain: ['b'] }, { plain: ['b'] }],
  ['sets unite', { set: ['a', 'b'] }, { set: ['c'] }, { set: ['a', 'b', 'c'] }],
  ['the order of the configuration wins', { set: ['a', 'b'] }, { set: ['b', 'a'] }, { set: ['b', 'a'] }],
  ['live-only items keep their position', { set: ['a', 'x', 'b'] }, { set: ['b', 'a'] }, { set: ['x', 'b', 'a'] }],
  [
    'new items have the position of the configuration',
    { set: ['a', 'b'] },
    { set: ['n', 'a', 'b'] },
    { set: ['n', 'a', 'b'] },
  ],
  [
    'items of a list by keys merge',
    { list: [{ name: 'a', v: 1 }] },
    { list: [{ name: 'a' }] },
    { list: [{ name: 'a', v: 1 }] },
  ],
  ['an empty map keeps existing entries', { map: { a: '1' } }, { map: {} }, { map: { a: '1' } }],
  ['null keeps a map', { map: { a: '1' } }, { map: null }, { map: { a: '1' } }],
  ['null replaces a leaf', { n: 1 }, { n: null }, { n: null }],
  [
    'unknown fields of an open object merge',
    { open: { a: { x: 1 } } },
    { open: { a: { y: [2] } } },
    { open: { a: { x: 1, y: [2] } } },
  ],
  ['a leaf replaces an unknown object', { open: { a: { x: 1 } } }, { open: { a: 5 } }, { open: { a: 5 } }],
];

for (const [title, live, config, expected] of cases) {
  test(`merge: ${title}`, () => {
    assert.deepEqual(merged(live, config), spec(expected));
  });
}

test('merge: a RawExtension is atomic, other schemaless values merge as maps', () => {
  const raw = { type: 'any', name: 'io.k8s.apimachinery.pkg.runtime.RawExtension' } as const;
  const mergeAs = (schema: Schema) => merge(shapeOf(schema), { a: 1 }, { b: 2 });
  assert.deepEqual(mergeAs(raw), { b: 2 });
  assert.deepEqual(mergeAs({ type: 'any' }), { a: 1, b: 2 });
});

const texts = fc.constantFrom('a', 'b', 'c', 'd');
const plain = { requiredKeys: [], noNullPrototype: true };
const specs = fc.record(
  {
    n: fc.integer(),
    map: fc.dictionary(texts, texts, { noNullPrototype: true }),
    atomicMap: fc.dictionary(texts, texts, { noNullPrototype: true }),
    set: fc.uniqueArray(texts),
    list: fc.uniqueArray(
      fc.record({ name: texts, v: fc.integer() }, { requiredKeys: ['name'], noNullPrototype: true }),
      {
        selector: ({ name }) => name,
      },
    ),
    plain: fc.array(texts),
    open: fc.dictionary(texts, fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true }),
  },
  plain,
) as fc.Arbitrary<Json>;

test('merge: merging a configuration into its own result changes nothing', () => {
  fc.assert(
    fc.property(specs, specs, (live, config) => {
      const once = merged(live, config) as Json;
      assert.deepEqual(merge(shape, once, spec(config)), once);
    }),
  );
});

test('merge: comparison and field sets agree on the changes of a configuration', () => {
  fc.assert(
    fc.property(specs, specs, (live, config) => {
      const before = spec(live);
      const after = merged(live, config) as Json;
      const { added, modified, removed } = compare(shape, before, after);
      if (!('open' in (live as object))) assert.equal(removed.size, 0, 'a merge removes no declared field');
      const fields = fieldsOf(shape, after);
      const original = fieldsOf(shape, before);
      for (const path of membersOf(fields)) {
        const known = has(original, path) || has(added, path) || has(modified, path);
        assert.ok(known, `${showPath(path)} came from nowhere`);
      }
    }),
  );
});

test('compare: an object equals itself, and added fields are removed fields of the reverse comparison', () => {
  fc.assert(
    fc.property(specs, specs, (a, b) => {
      assert.ok(isSame(compare(shape, spec(a), spec(structuredClone(a)))));
      const forth = compare(shape, spec(a), spec(b));
      const back = compare(shape, spec(b), spec(a));
      assert.ok(equalSets(forth.added, back.removed));
      assert.ok(equalSets(forth.modified, back.modified));
    }),
  );
});

test('removing all fields of an object leaves no leaf of it', () => {
  fc.assert(
    fc.property(specs, (value) => {
      const rest = removeFields(shape, spec(value), fieldsOf(shape, spec(value)));
      const left = rest === undefined ? new Map() : fieldsOf(shape, rest);
      for (const path of membersOf(left)) assert.ok(!has(fieldsOf(shape, spec(value)), path), showPath(path));
    }),
  );
});
