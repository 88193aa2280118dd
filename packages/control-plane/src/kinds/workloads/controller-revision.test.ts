import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, update } from '../../../test/support/workload-harness.ts';

const revision = (fields: object) => ({
  apiVersion: 'apps/v1',
  kind: 'ControllerRevision',
  metadata: { name: 'db-1' },
  revision: 1,
  ...fields,
});

for (const [title, fields, expected] of [
  ['an object', { data: { spec: {} } }, []],
  ['nothing', {}, ['data: Required value: data is mandatory']],
  ['a list', { data: [1] }, ['data: Required value: data must be a valid JSON object']],
  [
    'a negative number',
    { data: {}, revision: -1 },
    ['revision: Invalid value: -1: must be greater than or equal to 0'],
  ],
] as const) {
  test(`a revision of ${title}`, () => assert.deepEqual(create(revision(fields)).problems, expected));
}

test('the data of a revision is immutable, its number is not', () => {
  const { object } = create(revision({ data: { a: 1 } }));
  assert.deepEqual(update(object, (draft) => Object.assign(draft, { revision: 2 })).problems, []);
  assert.deepEqual(update(object, (draft) => Object.assign(draft, { data: { a: 2 } })).problems, [
    'data: Invalid value: {"a":2}: field is immutable',
  ]);
  assert.deepEqual(update(object, (draft) => Object.assign(draft, { data: { a: 1, b: [] } })).problems, [
    'data: Invalid value: {"a":1,"b":[]}: field is immutable',
  ]);
});
