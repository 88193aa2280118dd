/** The memory of 20,000 objects of 2 KB: `node --expose-gc packages/control-plane/bench/storage-memory.ts`. */
import { systemClock } from '@fairlead/kube';
import { openMemoryStorage } from '../src/storage/index.ts';

const storage = openMemoryStorage({ clock: systemClock });
const count = 20_000;
const text = 'x'.repeat(70);
globalThis.gc?.();
const before = process.memoryUsage();
for (let i = 0; i < count; i++) {
  const name = `pod-${i}`;
  const { durable } = storage.commit({
    kind: 'put',
    resource: 'core/pods',
    namespace: `ns-${i % 40}`,
    name,
    object: (revision) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: `ns-${i % 40}`, uid: `uid-${i}`, resourceVersion: String(revision) },
      spec: { items: Array.from({ length: 20 }, (_, at) => ({ name: `item-${at}`, value: `${text}${i}` })) },
    }),
  });
  if (i % 100 === 0) await durable;
}
await new Promise((done) => setImmediate(done));
globalThis.gc?.();
const after = process.memoryUsage();
const bytes = storage.list('core/pods').reduce((sum, stored) => sum + stored.text.length, 0);
console.log(
  `${count} objects, ${Math.round(bytes / count)} bytes each: heap +${Math.round((after.heapUsed - before.heapUsed) / 1e6)} MB, resident ${Math.round(after.rss / 1e6)} MB`,
);
