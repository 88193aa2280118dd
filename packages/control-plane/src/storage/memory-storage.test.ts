import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMemoryStorage } from './memory-storage.ts';
import { manualClock, put } from './storage-samples.ts';
import { storageSuite } from './storage-suite.ts';

storageSuite('memory storage', async (options, cleanup) => {
  const storage = openMemoryStorage(options);
  cleanup(() => storage.close());
  return storage;
});

test('a write in memory is published in microtasks: no timer, no I/O', async () => {
  const storage = openMemoryStorage({ clock: manualClock() });
  let published = false;
  void put(storage, 'a').durable.then(() => {
    published = true;
  });
  for (let i = 0; i < 10; i++) await null;
  assert.ok(published);
});
