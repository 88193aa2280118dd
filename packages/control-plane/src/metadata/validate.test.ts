import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObjectMeta } from '@fairlead/apimachinery';
import type { Draft } from '../resource.ts';
import { validateMetadataOnUpdate, validateObjectMeta, validateObjectMetaUpdate } from './validate.ts';

const draft = (metadata: Partial<ObjectMeta>): Draft =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'n', ...metadata } }) as unknown as Draft;
const fields = (metadata: Partial<ObjectMeta>): string[] =>
  validateObjectMeta(draft(metadata), { namespaced: true }).map(({ field }) => field);

const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: '1' };
const cases: [string, Partial<ObjectMeta>, string[]][] = [
  ['a plain name', {}, []],
  ['no name', { name: '' }, ['metadata.name']],
  ['a prefix that no name can start with', { generateName: 'A_' }, ['metadata.generateName']],
  ['no namespace', { namespace: '' }, ['metadata.namespace']],
  ['a negative generation', { generation: -1 }, ['metadata.generation']],
  ['a bad label', { labels: { 'a b': '' } }, ['metadata.labels']],
  ['an annotation key in capitals', { annotations: { 'EXAMPLE.com/Key': 'any text' } }, []],
  ['annotations of more than 256 KiB', { annotations: { k: 'x'.repeat(262_144) } }, ['metadata.annotations']],
  ['an owner without a uid', { ownerReferences: [{ ...owner, uid: '' }] }, ['metadata.ownerReferences.uid']],
  [
    'an owner of no version',
    { ownerReferences: [{ ...owner, apiVersion: 'a/b/c' }] },
    ['metadata.ownerReferences.apiVersion'],
  ],
  ['an event as owner', { ownerReferences: [{ ...owner, kind: 'Event' }] }, ['metadata.ownerReferences']],
  [
    'two controllers',
    {
      ownerReferences: [
        { ...owner, controller: true },
        { ...owner, uid: '2', controller: true },
      ],
    },
    ['metadata.ownerReferences'],
  ],
  ['a finalizer that is no name', { finalizers: ['a b/c'] }, ['metadata.finalizers']],
  ['a finalizer without a domain', { finalizers: ['plain'] }, ['metadata.finalizers[0]']],
  ['the known finalizers', { finalizers: ['kubernetes', 'orphan'] }, []],
  ['finalizers at odds', { finalizers: ['orphan', 'foregroundDeletion'] }, ['metadata.finalizers']],
  [
    'managed fields of an unknown operation',
    { managedFields: [{ manager: 'm'.repeat(129) }] },
    ['metadata.managedFields[0].operation', 'metadata.managedFields[0].manager'],
  ],
];
for (const [what, metadata, expected] of cases) {
  test(`${what} gives ${expected.join(', ') || 'no error'}`, () => assert.deepEqual(fields(metadata), expected));
}

test('a kind may accept any finalizer', () => {
  assert.deepEqual(validateObjectMeta(draft({ finalizers: ['plain'] }), { namespaced: true, anyFinalizer: true }), []);
});

test('a namespace on a cluster-scoped kind is refused', () => {
  const [error] = validateObjectMeta(draft({}), { namespaced: false });
  assert.equal(error?.message, 'Forbidden: not allowed on this type');
});

const stored = { resourceVersion: '1', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' };
const onUpdate = (next: Partial<ObjectMeta>, old: Partial<ObjectMeta> = {}): string[] =>
  validateObjectMetaUpdate(draft({ ...stored, ...next }), draft({ ...stored, ...old })).map(({ field }) => field);

test('name, namespace and uid are immutable', () => {
  assert.deepEqual(onUpdate({}), []);
  assert.deepEqual(onUpdate({ name: 'b', namespace: 'm', uid: 'v', creationTimestamp: '2027-01-01T00:00:00Z' }), [
    'metadata.name',
    'metadata.namespace',
    'metadata.uid',
    'metadata.creationTimestamp',
  ]);
  assert.deepEqual(onUpdate({ deletionTimestamp: '2027-01-01T00:00:00Z' }), ['metadata.deletionTimestamp']);
  assert.deepEqual(onUpdate({ generation: 1 }, { generation: 2 }), ['metadata.generation']);
});

test('finalizers can be removed but not added while an object is being deleted', () => {
  const old = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['a/b', 'c/d'] };
  assert.deepEqual(onUpdate({ ...old, finalizers: ['a/b'] }, old), []);
  const errors = validateObjectMetaUpdate(
    draft({ ...stored, ...old, finalizers: ['a/b', 'x/y'] }),
    draft({ ...stored, ...old }),
  );
  assert.match(errors[0]!.message, /found new finalizers \[\]string\{"x\/y"\}$/);
});

test('a kind that validates metadata itself reports an error once more', () => {
  const next = draft({ ...stored, labels: { a: 'b c' } });
  const times = (metadataOnUpdate?: readonly ('create' | 'update')[]): number =>
    validateMetadataOnUpdate(next, draft(stored), {
      namespaced: true,
      rules: metadataOnUpdate ? { metadataOnUpdate } : {},
    }).length;
  assert.equal(times([]), 2);
  assert.equal(times(), 3);
  assert.equal(times(['update', 'create']), 4);
});
