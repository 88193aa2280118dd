/** Durable writes per second of the storage alone: `node packages/control-plane/bench/storage-writes.ts [writers] [seconds]`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@fairlead/kube';
import { openFileStorage, openMemoryStorage, type Storage } from '../src/storage/index.ts';

const writers = Number(process.argv[2] ?? 16);
const seconds = Number(process.argv[3] ?? 3);
const names = 20_000;

function objectOf(name: string, revision: number, turn: number) {
  const env = Array.from({ length: 24 }, (_, i) => ({
    name: `SETTING_${i}`,
    value: `value-${i}-${turn}`.padEnd(48, 'x'),
  }));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'bench', uid: `uid-${name}`, resourceVersion: String(revision) },
    spec: { containers: [{ name: 'main', image: 'registry.example/app:1', env }] },
  };
}

async function measure(title: string, storage: Storage): Promise<void> {
  const delays: number[] = [];
  const start = performance.now();
  let turn = 0;
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (performance.now() - start < seconds * 1_000) {
        const at = turn++;
        const name = `pod-${at % names}`;
        const startedAt = performance.now();
        await storage.commit({
          kind: 'put',
          resource: 'core/pods',
          namespace: 'bench',
          name,
          object: (revision) => objectOf(name, revision, at),
        }).durable;
        delays.push(performance.now() - startedAt);
      }
    }),
  );
  const took = (performance.now() - start) / 1_000;
  delays.sort((a, b) => a - b);
  const bytes = storage.list('core/pods')[0]!.text.length;
  const at = (share: number) => delays[Math.floor(delays.length * share)]!.toFixed(2);
  console.log(
    `${title}: ${Math.round(delays.length / took)} writes/s of ${bytes} bytes, ${writers} writers, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(0.99999)} ms`,
  );
}

const memory = openMemoryStorage({ clock: systemClock });
await measure('memory', memory);
await memory.close();

const dir = mkdtempSync(join(tmpdir(), 'fairlead-bench-'));
const options = { dir, clock: systemClock, report: console.log };
const file = await openFileStorage(options);
await measure('file', file);
await file.close();
const startedAt = performance.now();
const reopened = await openFileStorage(options);
console.log(`reopen: ${reopened.list('core/pods').length} objects in ${Math.round(performance.now() - startedAt)} ms`);
globalThis.gc?.();
console.log(
  `memory in use: ${Math.round(process.memoryUsage.rss() / 1e6)} MB resident, ${Math.round(process.memoryUsage().heapUsed / 1e6)} MB heap`,
);
await reopened.close();
rmSync(dir, { recursive: true });
