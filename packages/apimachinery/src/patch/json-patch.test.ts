import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../json/json-value.ts';
import { ApiError } from '../meta/api-error.ts';
import { applyJsonPatch } from './apply-patch.ts';

const document = { data: { k: 'v', 'a/b': 'slash', 'm~n': 'tilde' }, list: ['a', 'b', 'c'], nested: [{ x: 1 }] };

const cases: readonly [title: string, patch: Json, expected: Json][] = [
  ['add sets a key', [{ op: 'add', path: '/data/n', value: 1 }], { data: { ...document.data, n: 1 } }],
  ['add without a value sets null', [{ op: 'add', path: '/data/n' }], { data: { ...document.data, n: null } }],
  ['replace of a missing key adds it', [{ op: 'replace', path: '/new', value: 1 }], { new: 1 }],
  ['add inserts before an index', [{ op: 'add', path: '/list/1', value: 'x' }], { list: ['a', 'x', 'b', 'c'] }],
  ['a dash appends', [{ op: 'add', path: '/list/-', value: 'x' }], { list: ['a', 'b', 'c', 'x'] }],
  ['-1 adds at the end', [{ op: 'add', path: '/list/-1', value: 'x' }], { list: ['a', 'b', 'c', 'x'] }],
  ['-1 removes the last', [{ op: 'remove', path: '/list/-1' }], { list: ['a', 'b'] }],
  ['an index may have a sign', [{ op: 'replace', path: '/list/+1', value: 'x' }], { list: ['a', 'x', 'c'] }],
  [
    'move moves a value',
    [{ op: 'move', from: '/list', path: '/data/k' }],
    { list: undefined as never, data: { ...document.data, k: document.list } },
  ],
  ['copy leaves it', [{ op: 'copy', from: '/list/0', path: '/data/k' }], { data: { ...document.data, k: 'a' } }],
  ['copy of a missing key is null', [{ op: 'copy', from: '/none', path: '/n' }], { n: null }],
  ['test of a missing key against null succeeds', [{ op: 'test', path: '/none', value: null }], {}],
  ['test compares whole trees', [{ op: 'test', path: '/nested', value: [{ x: 1 }] }], {}],
  [
    'keys are unescaped',
    [
      { op: 'remove', path: '/data/a~1b' },
      { op: 'remove', path: '/data/m~0n' },
    ],
    { data: { k: 'v' } },
  ],
  ['text before the first slash is ignored', [{ op: 'add', path: 'x/top', value: 1 }], { top: 1 }],
  ['a null body has no effect', null, {}],
];

for (const [title, patch, expected] of cases) {
  test(`JSON patch: ${title}`, () => {
    const before = structuredClone(document);
    const merged = Object.fromEntries(
      Object.entries({ ...document, ...(expected as JsonObject) }).filter(([, value]) => value !== undefined),
    );
    assert.deepEqual(applyJsonPatch(document, patch), merged);
    assert.deepEqual(document, before, 'the document is untouched');
  });
}

test('JSON patch: the whole document can be replaced and tested', () => {
  assert.deepEqual(applyJsonPatch(document, [{ op: 'replace', path: '', value: { a: 1 } }]), { a: 1 });
  assert.deepEqual(applyJsonPatch({ a: 1 }, [{ op: 'test', path: '', value: { a: 1 } }]), { a: 1 });
});

test('JSON patch: __proto__ is a key like any other', () => {
  const body = JSON.parse(
    '[{"op":"add","path":"/__proto__","value":{"polluted":true}},{"op":"test","path":"/constructor","value":null}]',
  );
  const patched = applyJsonPatch({}, body) as JsonObject;
  assert.equal(JSON.stringify(patched), '{"__proto__":{"polluted":true}}');
  assert.equal((patched as { polluted?: boolean }).polluted, undefined);
});

const rejected: readonly [title: string, patch: Json][] = [
  ['a failing test', [{ op: 'test', path: '/data/k', value: 'other' }]],
  ['a test of a missing key', [{ op: 'test', path: '/none', value: 1 }]],
  ['a path through a scalar', [{ op: 'add', path: '/data/k/x', value: 1 }]],
  ['a path through a missing key', [{ op: 'add', path: '/none/x', value: 1 }]],
  ['removing a missing key', [{ op: 'remove', path: '/none' }]],
  ['moving a missing key', [{ op: 'move', from: '/none', path: '/n' }]],
  ['moving into itself', [{ op: 'move', from: '/data', path: '/data/k' }]],
  ['an index out of bounds', [{ op: 'replace', path: '/list/3', value: 1 }]],
  ['a dash that is no insertion', [{ op: 'replace', path: '/list/-', value: 1 }]],
  ['an index that is no number', [{ op: 'add', path: '/list/x', value: 1 }]],
  ['adding the document', [{ op: 'add', path: '', value: {} }]],
  ['replacing the document by a scalar', [{ op: 'replace', path: '', value: 1 }]],
  ['an unknown operation', [{ op: 'merge', path: '/data', value: {} }]],
  ['an operation without a path', [{ op: 'remove' }]],
  ['an operation that is null', [null]],
];

for (const [title, patch] of rejected) {
  test(`JSON patch refuses ${title} without causes`, () => {
    assert.throws(
      () => applyJsonPatch(document, patch),
      (error) =>
        error instanceof ApiError && error.code === 422 && error.reason === 'Invalid' && !error.status.details?.causes,
    );
  });
}

const malformed: readonly [body: Json, strict: boolean, message: string][] = [
  [{}, true, 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
  [{}, false, 'json: cannot unmarshal object into Go value of type jsonpatch.Patch'],
  [[5], true, 'error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp'],
  [
    [{ op: 5 }],
    true,
    'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string',
  ],
];

for (const [body, strict, message] of malformed) {
  test(`JSON patch: ${JSON.stringify(body)} is a bad request${strict ? '' : ', read leniently'}`, () => {
    assert.throws(
      () => applyJsonPatch({}, body, { strict }),
      (error) => error instanceof ApiError && error.code === 400 && error.message === message,
    );
  });
}

test('JSON patch: unknown members of an operation are named', () => {
  const warnings: string[] = [];
  applyJsonPatch({}, [{ op: 'add', path: '/a', value: 1, vlaue: 2 }], { warn: (text) => warnings.push(text) });
  assert.deepEqual(warnings, ['json patch unknown field "[0].vlaue"']);
});

test('JSON patch: more than 10,000 operations are refused', () => {
  const patch = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/a', value: null }));
  assert.throws(
    () => applyJsonPatch({}, patch),
    (error) => error instanceof ApiError && error.code === 413 && error.reason === 'RequestEntityTooLarge',
  );
});

test('JSON patch: copies that double each time are stopped', () => {
  const patch = Array.from({ length: 60 }, (_, n) => ({ op: 'copy', from: '/a', path: `/a/k${n}` }));
  assert.throws(
    () => applyJsonPatch({ a: { x: 'y' } }, patch),
    (error) => error instanceof ApiError && error.code === 422,
  );
});

test('JSON patch: the nesting of a document is limited', () => {
  const wrap = [
    { op: 'add', path: '/b', value: {} },
    { op: 'move', from: '/a', path: '/b/a' },
    { op: 'move', from: '/b', path: '/a' },
  ];
  assert.throws(
    () => applyJsonPatch({ a: {} }, Array.from({ length: 2000 }, () => wrap).flat()),
    (error) => error instanceof ApiError && error.code === 422,
  );
});
