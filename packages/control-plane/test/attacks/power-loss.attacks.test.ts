import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataOf, manualClock, put } from '../../src/storage/storage-samples.ts';
import { LossyDisk } from '../support/storage/lossy-disk.ts';

const disk = new LossyDisk();
disk.install();
// After the disk: it wraps what the storage imports.
const { openFileStorage } = await import('../../src/storage/file-storage.ts');

const rounds = 60;

/** A small deterministic random generator. */
function numbers(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
}

/** Writes, simulates a power loss at a time drawn from the seed, and returns acknowledged writes that are lost. */
async function lostAfter(seed: number): Promise<string[]> {
  const base = mkdtempSync(join(tmpdir(), 'fairlead-power-'));
  const [dir, left] = [join(base, 'data'), join(base, 'left')];
  const below = numbers(seed);
  const options = { clock: manualClock(), report: () => {}, snapshotAfterBytes: 3_000 };
  try {
    disk.watch(dir);
    const storage = await openFileStorage({ ...options, dir });
    const acknowledged = new Map<string, number>();
    const cutAfter = below(80) + 1;
    let answers = 0;
    for (let value = 1; answers < cutAfter; value++) {
      const name = `n${below(12)}`;
      const { durable } = put(storage, name, String(value));
      const answered = durable.then(() => {
        answers += 1;
        if (answers <= cutAfter) acknowledged.set(name, Math.max(value, acknowledged.get(name) ?? 0));
        if (answers === cutAfter) disk.losePower(dir, left);
      });
      if (below(3) > 0) await answered;
      else await new Promise((resolve) => setImmediate(resolve));
    }
    await storage.close();
    const after = await openFileStorage({ ...options, dir: left });
    const lost = [...acknowledged].filter(
      ([name, value]) => Number(dataOf(after.get('core/configmaps', 'ns', name)) ?? 0) < value,
    );
    await after.close();
    return lost.map(([name, value]) => `${name}=${value}`);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

test('every acknowledged write is on disk after a power loss at any time', async () => {
  for (let seed = 1; seed <= rounds; seed++) assert.deepEqual(await lostAfter(seed), [], `seed ${seed}`);
});

for (const ignores of ['files', 'folders'] as const) {
  test(`writes are lost if ${ignores} are not synced`, async () => {
    disk.ignores = ignores;
    try {
      let found = 0;
      for (let seed = 1; seed <= rounds && found === 0; seed++)
        found += await lostAfter(seed).then(
          (lost) => lost.length,
          // A directory without its log cannot be opened: everything is lost.
          () => 1,
        );
      assert.ok(found > 0);
    } finally {
      disk.ignores = 'nothing';
    }
  });
}
