import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { equalSets, fieldSet, membersOf } from './field-set.ts';
import { decodeFields, encodeFields } from './fields-v1.ts';
import { keyElement, valueElement } from './path-element.ts';

test('fieldsV1 is a tree of objects, with a dot if a parent is a member too', () => {
  const set = fieldSet(['f:b', 'v:"x"'], ['f:a'], ['f:b'], ['f:c', 'k:{"name":"n"}', 'f:name']);
  const encoded = encodeFields(set);
  assert.equal(
    JSON.stringify(encoded),
    '{"f:a":{},"f:b":{".":{},"v:\\"x\\"":{}},"f:c":{"k:{\\"name\\":\\"n\\"}":{"f:name":{}}}}',
  );
  assert.ok(equalSets(decodeFields(encoded), set));
});

test('other notations of clients are parsed to the same set', () => {
  const read = decodeFields({ 'k:{"b":1, "a":"<"}': {}, 'f:x': null as never, '.': {}, 'x:future': {} });
  assert.deepEqual([...membersOf(read)], [['f:x'], ['k:{"a":"\\u003c","b":1}']]);
});

for (const bad of [{ 'f:a': 1 }, { nothing: {} }, { 'k:[]': {} }, { 'v:': {} }, { 'i:x': {} }, { a: {} }]) {
  test(`fieldsV1 refuses ${JSON.stringify(bad)}`, () => {
    assert.throws(() => decodeFields(bad));
  });
}

const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean());
const element = fc.oneof(
  fc.string().map((name) => `f:${name}`),
  scalar.map(valueElement),
  fc
    .array(scalar, { minLength: 1, maxLength: 3 })
    .map((values) => keyElement(values.map((value, at) => [`k${at}`, value]))),
  fc.nat().map((index) => `i:${index}`),
);

test('fieldsV1: decoding an encoded set returns the set, also through text', () => {
  fc.assert(
    fc.property(fc.array(fc.array(element, { minLength: 1, maxLength: 4 })), (paths) => {
      const set = fieldSet(...paths);
      const encoded = encodeFields(set);
      assert.ok(equalSets(decodeFields(encoded), set));
      const again = JSON.parse(JSON.stringify(encoded));
      assert.ok(equalSets(decodeFields(again), set));
      assert.equal(JSON.stringify(encodeFields(decodeFields(again))), JSON.stringify(encoded));
    }),
  );
});
