/** A control plane in a separate process, for benchmarks: prints its address, and its memory usage on request. */
import { paceCollections } from '@fairlead/kube';
import { startControlPlane } from '../src/index.ts';

paceCollections();
const [dataDir = '', port = '0'] = process.argv.slice(2);
const plane = await startControlPlane({ token: 'bench', port: Number(port), ...(dataDir ? { dataDir } : {}) });
process.send?.({ ready: { url: plane.url, ca: plane.ca, token: plane.token } });
process.on('message', (message) => {
  if (message === 'memory') {
    (globalThis as { gc?: () => void }).gc?.();
    process.send?.({ memory: process.memoryUsage(), cpu: process.cpuUsage() });
  }
  if (message === 'stop') void plane.close().then(() => process.exit(0));
});
