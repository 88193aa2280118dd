import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Clock } from '@fairlead/kube';
import { defaultHistoryLimits, type HistoryLimits } from '../../../src/storage/history.ts';
import type { Storage, StorageEvent, Stored } from '../../../src/storage/storage.ts';
import { dataOf, type ManualClock, manualClock, objectOf, put, remove } from '../../../src/storage/storage-samples.ts';

const names = (list: readonly Stored[] | undefined) => list?.map((stored) => `${stored.namespace}/${stored.name}`);
const summaryOf = (events: readonly StorageEvent[]) =>
  events.map((e) => `${e.type} ${e.stored.name} ${dataOf(e.stored)}`);

/** The tests of every backend. `open` returns an empty storage and closes it after the test. */
export function storageSuite(
  name: string,
  open: (options: { clock: Clock; history?: HistoryLimits }, cleanup: (run: () => unknown) => void) => Promise<Storage>,
): void {
  const check = (title: string, run: (storage: Storage, clock: ManualClock) => Promise<void>, limits?: HistoryLimits) =>
    test(title, async (t) => {
      const clock = manualClock();
      const storage = await open({ clock, ...(limits ? { history: limits } : {}) }, (cleanup) => t.after(cleanup));
      await run(storage, clock);
    });

  describe(name, () => {
    check('a write is at head at once and everywhere else once it is durable', async (storage) => {
      const before = storage.revision;
      const { revision, stored, durable } = put(storage, 'a', '1');
      assert.ok(revision > before);
      assert.equal(storage.head('core/configmaps', 'ns', 'a'), stored);
      assert.equal(storage.get('core/configmaps', 'ns', 'a'), undefined);
      assert.equal(storage.revision, before);
      assert.deepEqual([...storage.heads('core/configmaps')], [stored]);
      assert.deepEqual(storage.list('core/configmaps'), []);
      await durable;
      assert.equal(storage.get('core/configmaps', 'ns', 'a'), stored);
      assert.equal(storage.revision, revision);
      assert.deepEqual(storage.list('core/configmaps'), [stored]);
      assert.deepEqual([...storage.resources()], ['core/configmaps']);
    });

    check('what is kept is the text of the object with its revision', async (storage) => {
      const { revision, stored, durable } = put(storage, 'a', 'ü');
      await durable;
      assert.equal(stored.text, JSON.stringify(objectOf('ns', 'a', 'ü', revision)));
      assert.deepEqual(stored.object, objectOf('ns', 'a', 'ü', revision));
      assert.equal(stored.uid, 'uid-a');
      assert.equal(stored.revision, revision);
    });

    check('revisions grow by one with every write of any resource', async (storage) => {
      const first = put(storage, 'a', '', 'ns', 'core/secrets');
      const second = put(storage, 'a', '', 'ns', 'core/configmaps');
      assert.equal(second.revision, first.revision + 1);
      await second.durable;
      assert.equal(storage.get('core/secrets', 'ns', 'a')?.revision, first.revision);
    });

    check('the first revision is above 1, so that 0 and 1 name nothing that was written', async (storage) => {
      assert.ok(storage.revision >= 1);
      assert.ok(put(storage, 'a').revision > 1);
    });

    check('lists are in byte order of namespace/name', async (storage) => {
      for (const [namespace, name] of [
        ['team', 'b'],
        ['team', 'B'],
        ['team-a', 'z'],
        ['team', 'a.b'],
        ['team', 'a-b'],
        ['team', 'a'],
        ['team', '\u{1f600}'],
        ['team', '\uffee'],
        ['', 'cluster'],
        ['zoo', 'a'],
      ] as const) {
        put(storage, name, '', namespace);
      }
      await put(storage, 'end', '', 'zoo').durable;
      const team = ['team/B', 'team/a', 'team/a-b', 'team/a.b', 'team/b', 'team/\uffee', 'team/\u{1f600}'];
      assert.deepEqual(names(storage.list('core/configmaps')), ['/cluster', 'team-a/z', ...team, 'zoo/a', 'zoo/end']);
      assert.deepEqual(names(storage.list('core/configmaps', 'team')), team);
      assert.deepEqual(storage.list('core/configmaps', 'none'), []);
    });

    check('a list that was handed out does not change', async (storage) => {
      await put(storage, 'a', '1').durable;
      const list = storage.list('core/configmaps', 'ns');
      put(storage, 'a', '2');
      put(storage, 'b', '1');
      await remove(storage, 'a').durable;
      assert.deepEqual(list.map(dataOf), ['1']);
      assert.deepEqual(names(storage.list('core/configmaps', 'ns')), ['ns/b']);
    });

    check('head follows writes that are not durable, deletes included', async (storage) => {
      await put(storage, 'a', '1').durable;
      put(storage, 'b', '1');
      put(storage, 'a', '2');
      assert.equal(dataOf(storage.head('core/configmaps', 'ns', 'a')), '2');
      remove(storage, 'a');
      assert.equal(storage.head('core/configmaps', 'ns', 'a'), undefined);
      assert.deepEqual(
        [...storage.heads('core/configmaps', 'ns')].map((s) => s.name),
        ['b'],
      );
      assert.deepEqual([...storage.heads('core/configmaps', 'other')], []);
      assert.equal(dataOf(storage.get('core/configmaps', 'ns', 'a')), '1');
      await put(storage, 'c').durable;
      assert.deepEqual(names(storage.list('core/configmaps')), ['ns/b', 'ns/c']);
    });

    check('head stays at the newest write while an older one of the same key is published', async (storage) => {
      for (const turn of [() => Promise.resolve(), () => new Promise((done) => setImmediate(done))]) {
        const first = put(storage, 'a', '1');
        await turn();
        const second = put(storage, 'a', '2');
        await first.durable;
        assert.equal(dataOf(storage.head('core/configmaps', 'ns', 'a')), '2');
        assert.deepEqual([...storage.heads('core/configmaps')].map(dataOf), ['2']);
        await second.durable;
      }
    });

    check('a loop over heads may write', async (storage) => {
      for (const name of ['a', 'b', 'c']) await put(storage, name).durable;
      put(storage, 'd');
      const seen: string[] = [];
      for (const { name } of storage.heads('core/configmaps')) {
        seen.push(name);
        remove(storage, name);
      }
      assert.deepEqual(seen.sort(), ['a', 'b', 'c', 'd']);
      assert.deepEqual([...storage.heads('core/configmaps')], []);
    });

    check('a watch tells what happened since and then what happens, in order and once', async (storage) => {
      const from = storage.revision;
      await put(storage, 'a', '1').durable;
      await put(storage, 'x', '1', 'ns', 'core/secrets').durable;
      put(storage, 'a', '2');
      const events: StorageEvent[] = [];
      const watch = storage.watch('core/configmaps', from, (event) => events.push(event));
      await put(storage, 'b', '1').durable;
      await remove(storage, 'a').durable;
      assert.deepEqual(summaryOf(events), ['ADDED a 1', 'MODIFIED a 2', 'ADDED b 1', 'DELETED a last']);
      assert.deepEqual(
        events.map((event) => dataOf(event.previous)),
        [undefined, '1', undefined, '2'],
      );
      const revisions = events.map((event) => event.revision);
      assert.deepEqual(
        revisions,
        [...new Set(revisions)].sort((a, b) => a - b),
      );
      watch?.stop();
      await put(storage, 'c').durable;
      assert.equal(events.length, 4);
    });

    check('a watcher is notified before the writer is answered', async (storage) => {
      const order: string[] = [];
      storage.watch('core/configmaps', storage.revision, () => order.push('notified'));
      storage.onPublish(() => order.push('progress'));
      await put(storage, 'a').durable;
      order.push('answered');
      assert.deepEqual(order, ['notified', 'progress', 'answered']);
    });

    check('a watch that starts inside another has no gap and no repetition', async (storage) => {
      const inner: number[] = [];
      let started = false;
      storage.watch('core/configmaps', storage.revision, (event) => {
        if (started) return;
        started = true;
        storage.watch('core/configmaps', event.revision - 1, (e) => inner.push(e.revision));
      });
      const writes = ['a', 'b', 'c'].map((name) => put(storage, name));
      await Promise.all(writes.map((write) => write.durable));
      assert.deepEqual(
        inner,
        writes.map((write) => write.revision),
      );
    });

    check('a watch from a future revision receives only later events', async (storage) => {
      const events: StorageEvent[] = [];
      storage.watch('core/configmaps', storage.revision + 1, (event) => events.push(event));
      await put(storage, 'a').durable;
      await put(storage, 'b').durable;
      assert.deepEqual(
        events.map((event) => event.stored.name),
        ['b'],
      );
    });

    check('a listener may write and may stop itself', async (storage) => {
      const seen: string[] = [];
      const watch = storage.watch('core/configmaps', storage.revision, (event) => {
        seen.push(event.stored.name);
        if (event.stored.name === 'a') put(storage, 'b');
        else watch?.stop();
      });
      await put(storage, 'a').durable;
      await storage.published(storage.head('core/configmaps', 'ns', 'b')!.revision);
      await put(storage, 'c').durable;
      assert.deepEqual(seen, ['a', 'b']);
    });

    check('a list of the past is what the list was', async (storage) => {
      await put(storage, 'b', '1').durable;
      await put(storage, 'a', '1').durable;
      const then = storage.revision;
      await put(storage, 'c', '1').durable;
      await remove(storage, 'a').durable;
      await put(storage, 'b', '2').durable;
      await put(storage, 'b', '3').durable;
      await put(storage, 'a', '9', 'other').durable;
      const past = storage.listAt('core/configmaps', then);
      assert.deepEqual(names(past), ['ns/a', 'ns/b']);
      assert.deepEqual(past?.map(dataOf), ['1', '1']);
      assert.deepEqual(names(storage.listAt('core/configmaps', then, 'other')), []);
      assert.deepEqual(storage.listAt('core/configmaps', storage.revision), storage.list('core/configmaps'));
    });

    check('the past is kept for 75 seconds and 1,000 events, whichever is more', async (storage, clock) => {
      const from = storage.revision;
      for (let i = 0; i < 1_500; i++) put(storage, 'a', String(i));
      await put(storage, 'a').durable;
      clock.advance(74_000);
      await put(storage, 'a').durable;
      assert.equal(storage.listAt('core/configmaps', from)?.length, 0);
      clock.advance(2_000);
      const { revision, durable } = put(storage, 'a');
      await durable;
      assert.equal(storage.listAt('core/configmaps', from), undefined);
      assert.equal(
        storage.watch('core/configmaps', from, () => {}),
        undefined,
      );
      assert.equal(storage.oldest, revision - defaultHistoryLimits.events);
      assert.equal(storage.listAt('core/configmaps', storage.oldest)?.length, 1);
      assert.equal(storage.listAt('core/configmaps', storage.oldest - 1), undefined);
      assert.notEqual(
        storage.watch('core/secrets', from, () => {}),
        undefined,
      );
    });

    check(
      'the past is bounded by size before age',
      async (storage) => {
        const from = storage.revision;
        for (let i = 0; i < 100; i++) await put(storage, 'a', 'x'.repeat(1_000)).durable;
        assert.equal(storage.listAt('core/configmaps', from), undefined);
        assert.ok(storage.revision - storage.oldest < 10);
      },
      { milliseconds: 75_000, events: 1_000, bytes: 10_000 },
    );

    check('a reader can wait for a revision', async (storage) => {
      await storage.published(storage.revision);
      const { revision } = put(storage, 'a');
      const next = storage.published(revision + 1);
      await storage.published(revision);
      assert.equal(storage.revision, revision);
      put(storage, 'b');
      await next;
      assert.equal(storage.revision, revision + 1);
    });

    check('closing makes what is pending durable and refuses what comes later', async (storage) => {
      const { durable } = put(storage, 'a');
      const closed = storage.close();
      assert.throws(() => put(storage, 'b'), /the storage is closed/);
      await durable;
      await closed;
      await storage.close();
      await assert.rejects(storage.published(storage.revision + 1), /closed/);
    });

    check('deleting what is not there is a mistake of the caller', async (storage) => {
      const before = put(storage, 'a').revision;
      assert.throws(() => remove(storage, 'b'), /not there/);
      assert.equal(put(storage, 'c').revision, before + 1);
    });
  });
}
