/** Writes until it is killed, and prints acknowledged writes to standard output: for the test of `kill -9`. */
import { writeSync } from 'node:fs';
import { openFileStorage } from '../../../src/storage/file-storage.ts';
import { manualClock, put, remove } from '../../../src/storage/storage-samples.ts';

const [dir, round] = process.argv.slice(2);
const storage = await openFileStorage({
  dir: dir!,
  clock: manualClock(),
  report: () => {},
  snapshotAfterBytes: 30_000,
});

/** Each writer has separate keys, so the order of its responses is the order of its writes, and at most its last one has no response. */
async function write(writer: number): Promise<never> {
  for (let turn = 0; ; turn++) {
    const name = `w${writer}-${turn % 7}`;
    const exists = storage.head('core/configmaps', 'ns', name) !== undefined;
    const value = exists && turn % 5 === 0 ? '-' : `${round}.${writer}.${turn}`;
    writeSync(1, `? ${name} ${value}\n`);
    const { revision, durable } =
      value === '-' ? remove(storage, name) : put(storage, name, `${value} ${'x'.repeat(400)}`);
    await durable;
    writeSync(1, `${revision} ${name} ${value}\n`);
  }
}

await Promise.all([0, 1, 2, 3].map(write));
