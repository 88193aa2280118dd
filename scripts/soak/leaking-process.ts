/** For the tests: a process that keeps everything it allocates, and descriptors, or nothing. Its argument is its metrics port, then `leak` or `keep nothing`. */
import { openSync } from 'node:fs';
import { MetricsRegistry, startStatusServer } from '@fairlead/kube';

const [port, what] = process.argv.slice(2);
const kept: unknown[] = [];
await startStatusServer({ port: Number(port), registry: new MetricsRegistry(), live: new Map(), ready: new Map() });
setInterval(() => {
  const objects = Array.from({ length: 5_000 }, (_, i) => ({ number: i, text: `object ${i}` }));
  if (what === 'leak') kept.push(objects, openSync('/dev/null', 'r'));
}, 40);
console.log('ready');
