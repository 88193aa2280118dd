import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KubeObject, keyOf } from '@fairlead/apimachinery';
import fc from 'fast-check';
import type { Change } from './changes.ts';
import { ObjectStore } from './object-store.ts';

const object = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    uid: fc.nat(2),
    version: fc.nat(3),
    teams: fc.subarray(['x', 'y', 'z']),
  })
  .map(
    ({ name, uid, version, teams }): KubeObject => ({
      apiVersion: 'v1',
      kind: 'Thing',
      metadata: {
        name,
        uid: `${name}-${uid}`,
        resourceVersion: `${uid}.${version}`,
        labels: Object.fromEntries(teams.map((team) => [team, ''])),
      },
    }),
  );

const event = fc.oneof(
  fc.record({ seen: object }),
  fc.record({ gone: object }),
  fc.record({ all: fc.uniqueArray(object, { selector: keyOf }) }),
);

const teamsOf = (o: KubeObject) => Object.keys(o.metadata.labels ?? {});
const keys = (objects: Iterable<KubeObject>) => [...objects].map(keyOf).sort();

test('for any events, the changes replay to the store, no update mixes two uids, and the indexes match the store', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (received) => {
      const store = new ObjectStore();
      store.addIndex('team', teamsOf);
      const replayed = new Map<string, KubeObject>();
      for (const item of received) {
        const changes: Change[] =
          'seen' in item
            ? store.changesOfSeen(item.seen)
            : 'gone' in item
              ? store.changesOfGone(item.gone)
              : store.changesOfAll(item.all);
        for (const change of changes) {
          store.apply(change);
          const known = replayed.get(keyOf(change.object));
          if (change.type === 'added') assert.equal(known, undefined);
          else assert.equal(known?.metadata.uid, change.object.metadata.uid);
          if (change.type === 'updated') assert.equal(known, change.old);
          if (change.type === 'deleted') replayed.delete(keyOf(change.object));
          else replayed.set(keyOf(change.object), change.object);
        }
        assert.deepEqual([...store.values()].sort(byName), [...replayed.values()].sort(byName));
        if ('all' in item) assert.deepEqual(keys(store.values()), keys(item.all));
        for (const team of ['x', 'y', 'z']) {
          const expected = [...store.values()].filter((o) => teamsOf(o).includes(team));
          assert.deepEqual(keys(store.byIndex('team', team)), keys(expected));
        }
      }
    }),
  );
});

const byName = (a: KubeObject, b: KubeObject) => (keyOf(a) < keyOf(b) ? -1 : 1);
