import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { youngGenerationFlag } from './garbage.ts';

/** The largest size of the part of the memory, in MB, while a process makes garbage. */
const largest = (part: string, garbage: string): number =>
  Number(
    execFileSync(process.execPath, [
      youngGenerationFlag,
      '--no-warnings',
      '--input-type=module',
      '--eval',
      `import { getHeapSpaceStatistics } from 'node:v8';
       import { paceCollections } from ${JSON.stringify(new URL('./garbage.ts', import.meta.url).href)};
       paceCollections();
       const newSpace = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').physical_space_size;
       let [largest, kept] = [0, []];
       for (let i = 0; i < 20_000; i++) {
         ${garbage}
         if (i % 50 !== 0) continue;
         largest = Math.max(largest, ${part});
         // Buffers are freed by another thread, which must keep up.
         await new Promise((resolve) => setTimeout(resolve, 1));
       }
       console.log(largest / 2 ** 20);`,
    ]).toString(),
  );

test('buffers that are no longer used are collected before they take much memory', () => {
  const megabytes = largest('process.memoryUsage().arrayBuffers', 'kept = Buffer.allocUnsafeSlow(32 * 1024);');
  assert.ok(megabytes > 1 && megabytes < 30, `${megabytes} MB of buffers`);
});

test('short-lived objects take no more than 16 MB', () => {
  const megabytes = largest(
    'newSpace()',
    'kept = [...kept.slice(-20), Array.from({ length: 1000 }, (_, n) => ({ n }))];',
  );
  assert.ok(megabytes > 2 && megabytes <= 16, `${megabytes} MB`);
});
