import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '@fairlead/kube';
import { storageSuite } from '../../test/support/storage/storage-suite.ts';
import { openMemoryStorage } from './memory-storage.ts';
import { manualClock, put } from './storage-samples.ts';

storageSuite('memory storage', async (options, cleanup) => {
  const storage = openMemoryStorage(options);
  cleanup(() => storage.close());
  return storage;
});

test('with a custom clock a write in memory is published in microtasks: no timer, no I/O', async () => {
  const storage = openMemoryStorage({ clock: manualClock() });
  let published = false;
  void put(storage, 'a').durable.then(() => {
    published = true;
  });
  for (let i = 0; i < 10; i++) await null;
  assert.ok(published);
});

test('writes in memory in one turn of the event loop are published together', async () => {
  const storage = openMemoryStorage({ clock: systemClock });
  const batches: number[] = [];
  storage.onPublish((revision) => batches.push(revision));
  await Promise.all([put(storage, 'a'), put(storage, 'b'), put(storage, 'c')].map(({ durable }) => durable));
  assert.deepEqual(batches, [storage.revision]);
});
