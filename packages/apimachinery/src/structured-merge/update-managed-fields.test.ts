import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { configMap, widget, workload } from '../../test/support/sample-schemas.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { KubeObject, ManagedFieldsEntry } from '../meta/object.ts';
import { membersOf, showPath } from './field-set.ts';
import { decodeFields } from './fields-v1.ts';
import { type FieldsUpdate, updateManagedFields } from './update-managed-fields.ts';

const at = (second: number): string => `2024-01-01T00:00:${String(second).padStart(2, '0')}Z`;

type Fields = Record<string, unknown>;
const object = (fields: Fields, metadata: Fields = {}): KubeObject =>
  ({ apiVersion: 'v1', kind: 'X', ...fields, metadata: { name: 'x', ...metadata } }) as unknown as KubeObject;
const stored = (fields: Fields, managedFields: readonly ManagedFieldsEntry[], metadata: Fields = {}): KubeObject =>
  object(fields, { uid: 'u', managedFields, ...metadata });

const update = (live: KubeObject | undefined, next: KubeObject, more: Partial<FieldsUpdate> = {}) =>
  updateManagedFields({ live, next, schema: configMap, manager: 'm', apiVersion: 'v1', now: at(1), ...more });

const shown = (entries: readonly ManagedFieldsEntry[]): string[] =>
  entries.map(
    ({ manager, operation, fieldsV1 }) =>
      `${manager} ${operation}: ${[...membersOf(decodeFields(fieldsV1))].map(showPath).join(' ')}`,
  );

test('a create owns the fields that it sets, but not the identity of the object', () => {
  const entries = update(undefined, object({ data: { k: 'v' } }, { labels: { a: 'b' }, generation: 1 }));
  assert.deepEqual(entries, [
    {
      manager: 'm',
      operation: 'Update',
      apiVersion: 'v1',
      time: at(1),
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { '.': {}, 'f:k': {} }, 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } },
    },
  ]);
});

test('a create does not own the presence of fields that its type always has', () => {
  const next = object({
    spec: { strategy: {}, containers: [{ name: 'a', resources: {} }], selector: null },
    status: {},
  });
  const [entry] = update(undefined, next, { schema: workload });
  assert.deepEqual(entry?.fieldsV1, {
    'f:spec': { 'f:containers': { 'k:{"name":"a"}': { '.': {}, 'f:name': {}, 'f:resources': {} } } },
  });
});

test('a create of a custom resource owns spec itself', () => {
  const [entry] = update(undefined, object({ spec: { n: 1 } }), { schema: widget });
  assert.deepEqual(entry?.fieldsV1, { 'f:spec': { '.': {}, 'f:n': {} } });
});

test('an update takes ownership of changed fields, and removes managers without fields', () => {
  const first = update(undefined, object({ data: { k: '1', l: '1' } }), { manager: 'one' });
  const live = stored({ data: { k: '1', l: '1' } }, first);
  const second = update(live, stored({ data: { k: '2', l: '1' } }, first), { manager: 'two', now: at(2) });
  assert.deepEqual(shown(second), ['one Update: .data .data.l', 'two Update: .data.k']);
  const third = update(stored({ data: { k: '2', l: '1' } }, second), stored({}, second), {
    manager: 'two',
    now: at(3),
  });
  assert.deepEqual(shown(third), []);
});

test('removing fields does not change the time of any manager', () => {
  const first = update(undefined, object({ data: { k: '1', l: '1' } }));
  const live = stored({ data: { k: '1', l: '1' } }, first);
  const [entry] = update(live, stored({ data: { k: '1' } }, first), { now: at(9) });
  assert.equal(entry?.time, at(1));
  assert.deepEqual(shown([entry!]), ['m Update: .data .data.k']);
});

test('an update that changes nothing returns the same list', () => {
  const first = update(undefined, object({ data: { k: '1' } }));
  const live = stored({ data: { k: '1' } }, first, { resourceVersion: '7' });
  assert.equal(update(live, structuredClone(live), { manager: 'other', now: at(5) }), first);
  assert.equal(update(live, object({ data: { k: '1' } }), { manager: 'other', now: at(5) }), first);
});

test('entries of unaffected managers are unchanged', () => {
  const one = update(undefined, object({ data: { k: '1', l: '1' } }), { manager: 'one' });
  const live = stored({ data: { k: '1', l: '1' } }, one);
  const next = update(live, stored({ data: { k: '1', l: '1', n: '1' } }, one), { manager: 'two' });
  assert.equal(next[0], one[0]);
});

test('an empty list or an empty entry clears managedFields, and later changes are not tracked', () => {
  const first = update(undefined, object({ data: { k: '1' } }));
  const live = stored({ data: { k: '1' } }, first);
  assert.deepEqual(update(live, stored({ data: { k: '1' } }, [])), []);
  assert.deepEqual(update(live, stored({ data: { k: '1' } }, [{}])), []);
  assert.deepEqual(update(object({ data: { k: '1' } }, { uid: 'u' }), object({ data: { k: '2' } })), []);
});

test('valid managedFields written by a client are kept', () => {
  const live = stored({ data: { k: '1' } }, update(undefined, object({ data: { k: '1' } })));
  const entry: ManagedFieldsEntry = {
    manager: 'edited',
    operation: 'Apply',
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { 'f:k': {} } },
  };
  const after = (sent: ManagedFieldsEntry, more: Partial<FieldsUpdate> = {}) =>
    shown(update(live, stored({ data: { k: '1' } }, [sent]), more));
  assert.deepEqual(after(entry), ['edited Apply: .data.k']);
  assert.deepEqual(after(entry, { subresource: 'status' }), ['m Update: .data .data.k']);
  assert.deepEqual(after({ ...entry, operation: 'Other' as never }), ['m Update: .data .data.k']);
  assert.deepEqual(after({ ...entry, fieldsV1: { bad: {} } }), ['m Update: .data .data.k']);
});

test('fields that the endpoint resets get no owner', () => {
  const next = object({ spec: { replicas: 1 }, status: { replicas: 1 } });
  assert.deepEqual(shown(update(undefined, next, { schema: workload, resetFields: [['status']] })), [
    'm Update: .spec.replicas',
  ]);
});

test('a manager has one entry per subresource and version', () => {
  const created = update(undefined, object({ data: { a: '1' } }));
  const live = stored({ data: { a: '1' } }, created);
  const [, second] = update(live, stored({ data: { a: '1', b: '1' } }, created), { subresource: 'status' });
  assert.equal(second?.subresource, 'status');
  const other = update(live, stored({ data: { a: '1', b: '1' } }, created), { apiVersion: 'v2' });
  assert.deepEqual(
    other.map(({ apiVersion }) => apiVersion),
    ['v1', 'v2'],
  );
});

test('managers in a version that is no longer served are removed', () => {
  const old = update(undefined, object({ data: { a: '1' } }), { apiVersion: 'v0' });
  const live = stored({ data: { a: '1' } }, old);
  const convert = () => undefined;
  assert.deepEqual(shown(update(live, stored({ data: { a: '1', b: '1' } }, old), { convert })), ['m Update: .data.b']);
});

test('more than ten updaters: the oldest of a version become ancient-changes', () => {
  let data: Record<string, string> = {};
  let entries: ManagedFieldsEntry[] = [];
  for (let n = 0; n < 13; n++) {
    const next = { ...data, [`k${String(n).padStart(2, '0')}`]: 'v' };
    const live = n === 0 ? undefined : stored({ data }, entries);
    entries = update(live, n === 0 ? object({ data: next }) : stored({ data: next }, entries), {
      manager: `m${n}`,
      now: at(n),
    });
    data = next;
  }
  assert.equal(entries.length, 10);
  assert.deepEqual(shown(entries)[0], 'ancient-changes Update: .data .data.k00 .data.k01 .data.k02 .data.k03');
  assert.equal(entries[0]?.time, at(3));
});

test('a list with indistinguishable items loses its managers, but the write succeeds', () => {
  const next = object({ spec: { list: [{ v: 1 }] } });
  assert.deepEqual(update(undefined, next, { schema: widget }), []);
});

test('an owner of parts of a value that has become atomic owns it as a whole', () => {
  const entry: ManagedFieldsEntry = {
    manager: 'old',
    operation: 'Apply',
    apiVersion: 'v1',
    time: at(0),
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': { 'f:atomicMap': { 'f:a': {} }, 'f:plain': { 'v:"x"': {} } } },
  };
  const fields = { spec: { atomicMap: { a: '1' }, plain: ['x'] } };
  const live = stored(fields, [entry]);
  const next = stored({ spec: { ...fields.spec, n: 1 } }, [entry]);
  assert.deepEqual(shown(update(live, next, { schema: widget })), [
    'old Apply: .spec.atomicMap .spec.plain',
    'm Update: .spec.n',
  ]);
});

const data = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('1', '2'), { noNullPrototype: true });

test('after any updates every field has exactly one owner, and no owner has a field that does not exist', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('x', 'y', 'z'), data), { minLength: 1, maxLength: 8 }), (writes) => {
      let live: KubeObject | undefined;
      for (const [n, [manager, content]] of writes.entries()) {
        const next = object({ data: content }, live ? { uid: 'u', managedFields: live.metadata.managedFields } : {});
        const managedFields = update(live, next, { manager, now: at(n) });
        live = stored({ data: content }, managedFields);
        if (managedFields.length === 0) return;
      }
      const owned = (live?.metadata.managedFields ?? []).flatMap(({ fieldsV1 }) =>
        [...membersOf(decodeFields(fieldsV1))].map(showPath).filter((path) => path.startsWith('.data.')),
      );
      const present = Object.keys((live as unknown as { data: JsonObject }).data).map((key) => `.data.${key}`);
      assert.deepEqual(owned.sort(), present.sort());
    }),
  );
});
