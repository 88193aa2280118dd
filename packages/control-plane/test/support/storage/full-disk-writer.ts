/** Writes until the disk rejects it (the parent limits the size of files), and reports the result: for a test of failed commits. */
import { openFileStorage } from '../../../src/storage/file-storage.ts';
import { manualClock, put } from '../../../src/storage/storage-samples.ts';

process.on('SIGXFSZ', () => {});
const storage = await openFileStorage({ dir: process.argv[2]!, clock: manualClock(), report: console.log });
let answered = 0;
let error = '';
let later = '';
while (error === '') {
  const writes = [0, 1, 2].map((i) => put(storage, `n${answered + i}`, 'x'.repeat(700)).durable);
  for (const result of await Promise.allSettled(writes)) {
    if (result.status === 'fulfilled') answered++;
    else error = (result.reason as Error).message;
  }
}
try {
  put(storage, 'later');
} catch (e) {
  later = (e as Error).message;
}
const published = storage.list('core/configmaps').length;
await storage.close().catch(() => {});
console.log(JSON.stringify({ answered, error, later, published }));
