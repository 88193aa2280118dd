import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { widgetType as type, widget } from './scenarios/widgets.ts';
import { SimStore } from './sim-store.ts';

function store() {
  let uids = 0;
  return new SimStore({ uid: () => `uid-${++uids}`, now: () => 0 });
}

const key = { namespace: 'red', name: 'a' };
const names = (objects: readonly KubeObject[]) => objects.map(({ metadata }) => metadata.name);

test('a write increments the revision, one without changes does not', () => {
  const s = store();
  const made = s.create(type, widget('red', 'a', 1, 'east'));
  assert.deepEqual([made.metadata.resourceVersion, made.metadata.generation], ['2', 1]);
  const same = s.replace(type, widget('red', 'a', 1, 'east'));
  assert.equal(same.metadata.resourceVersion, '2');
  const changed = s.replace(type, widget('red', 'a', 2, 'east'));
  assert.deepEqual(
    [changed.metadata.resourceVersion, changed.metadata.generation, changed.metadata.uid],
    ['3', 2, 'uid-1'],
  );
  const labelled = s.replace(type, widget('red', 'a', 2, 'west'));
  assert.equal(labelled.metadata.generation, 2);
});

test('names are unique, versions and uids are checked', () => {
  const s = store();
  const made = s.create(type, widget('red', 'a', 1, 'east'));
  assert.throws(() => s.create(type, widget('red', 'a', 1, 'east')), { reason: 'AlreadyExists' });
  assert.throws(() => s.get(type, { namespace: 'red', name: 'b' }), { reason: 'NotFound', code: 404 });
  s.replace(type, widget('red', 'a', 2, 'east'));
  assert.throws(() => s.replace(type, made), { reason: 'Conflict' });
  assert.throws(() => s.delete(type, key, { preconditions: { uid: 'other' } }), { reason: 'Conflict' });
  assert.throws(() => s.delete(type, key, { preconditions: { resourceVersion: '2' } }), { reason: 'Conflict' });
  s.delete(type, key, { preconditions: { uid: 'uid-1' } });
  assert.notEqual(s.create(type, widget('red', 'a', 1, 'east')).metadata.uid, 'uid-1');
});

test('finalizers delay a deletion until the last is removed', () => {
  const s = store();
  const made = s.create<KubeObject>(type, {
    ...widget('red', 'a', 1, 'east'),
    metadata: { ...key, finalizers: ['f'] },
  });
  const marked = s.delete(type, key);
  assert.ok(marked.metadata.deletionTimestamp);
  assert.equal(s.list(type).length, 1);
  const { resourceVersion: _, finalizers: __, ...rest } = made.metadata;
  s.replace(type, { ...made, metadata: rest });
  assert.equal(s.list(type).length, 0);
});

test('past revisions can be listed until they are compacted', () => {
  const s = store();
  s.create(type, widget('red', 'b', 1, 'east'));
  s.create(type, widget('red', 'a', 1, 'east'));
  s.delete(type, { namespace: 'red', name: 'b' });
  assert.deepEqual(
    [2, 3, 4].map((revision) => names(s.listAt(type, revision))),
    [['b'], ['a', 'b'], ['a']],
  );
  assert.deepEqual(
    s.since(2, type).map((event) => event.type),
    ['ADDED', 'DELETED'],
  );
  s.compact(3);
  assert.equal(s.compacted, 3);
  assert.deepEqual(
    s.since(3, type).map((event) => event.type),
    ['DELETED'],
  );
});
