import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isObject, type Json, type JsonObject } from '../json/json-value.ts';
import { ApiError } from '../meta/api-error.ts';
import { applyMergePatch } from './apply-patch.ts';

const cases: readonly [title: string, document: JsonObject, patch: JsonObject, expected: Json][] = [
  ['null deletes', { a: 1, b: 2 }, { a: null, none: null }, { b: 2 }],
  ['objects merge', { a: { x: 1, y: 2 } }, { a: { y: 3, z: 4 } }, { a: { x: 1, y: 3, z: 4 } }],
  ['lists replace', { a: [1, 2] }, { a: [3] }, { a: [3] }],
  ['an object replaces a scalar', { a: 'x' }, { a: { b: 1, c: null } }, { a: { b: 1 } }],
  ['a scalar replaces an object', { a: { b: 1 } }, { a: 'x' }, { a: 'x' }],
  ['nulls are dropped from new values', {}, { a: { b: null, c: { d: null } } }, { a: { c: {} } }],
  ['also inside a list that is new', {}, { a: [{ b: null }, null] }, { a: [{}, null] }],
  ['but not if the list replaces an object', { a: {} }, { a: [{ b: null }] }, { a: [{ b: null }] }],
  ['null in the document counts as absent', { a: null }, { a: { b: null } }, { a: {} }],
];

for (const [title, document, patch, expected] of cases) {
  test(`merge patch: ${title}`, () => {
    const before = structuredClone([document, patch]);
    assert.deepEqual(applyMergePatch(document, patch), expected);
    assert.deepEqual([document, patch], before, 'the inputs are not changed');
  });
}

test('merge patch: a patch that is not an object is rejected', () => {
  const refusal = (body: Json, strict: boolean) => {
    try {
      applyMergePatch({}, body, { strict });
    } catch (error) {
      return error instanceof ApiError ? `${error.code} ${error.message}` : String(error);
    }
    return 'accepted';
  };
  assert.equal(
    refusal([], true),
    '400 error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
  );
  assert.equal(refusal([], false), 'accepted');
  assert.equal(refusal(null, true), '400 Invalid JSON Patch');
  assert.equal(refusal('x', false), '400 Invalid JSON Patch');
});

test('merge patch: a body that is nested too deeply is refused', () => {
  let deep: Json = 1;
  for (let n = 0; n < 5000; n++) deep = { a: deep };
  assert.throws(
    () => applyMergePatch({}, deep),
    (error) => error instanceof ApiError && error.code === 400 && error.message.includes('exceeded max depth'),
  );
});

const documents = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), {
  noNullPrototype: true,
}) as fc.Arbitrary<JsonObject>;

/** Lists without nulls at any depth: with nulls the server deviates from the RFC. */
function withoutNullsInLists(value: Json, inList = false): Json {
  if (Array.isArray(value)) return value.map((item) => withoutNullsInLists(item, true));
  if (!isObject(value)) return inList && value === null ? 0 : value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, withoutNullsInLists(child, inList)]));
}

test('merge patch: applying twice equals applying once', () => {
  fc.assert(
    fc.property(documents, documents, (document, any) => {
      const patch = withoutNullsInLists(any);
      const once = applyMergePatch(document, patch) as JsonObject;
      assert.deepEqual(applyMergePatch(once, patch), once);
    }),
  );
});

test('merge patch: the empty patch changes nothing, and fields of a patch are set', () => {
  fc.assert(
    fc.property(documents, documents, (document, patch) => {
      assert.deepEqual(applyMergePatch(document, {}), document);
      const patched = applyMergePatch(document, patch) as JsonObject;
      for (const [key, value] of Object.entries(patch)) {
        if (value === null) assert.equal(Object.hasOwn(patched, key), false);
        else if (!isObject(value) && !Array.isArray(value)) assert.deepEqual(patched[key], value);
      }
    }),
  );
});
