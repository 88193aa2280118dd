/** A cluster of many nodes in a separate process: creates its pods, waits until all run, and prints the time and memory it took. */
import type { KubeObject } from '@fairlead/apimachinery';
import { systemClock } from '@fairlead/kube';
import { startEmbeddedCluster } from '../src/index.ts';

const [nodes = 1000, pods = 50_000] = process.argv.slice(2).map(Number);
const perDeployment = 250;
const cluster = await startEmbeddedCluster({ nodes, nodeEvents: false });
const client = cluster.client('bench');
const deployments = { group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', namespaced: true };

const deployment = (index: number): KubeObject =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: `web-${index}`, namespace: 'default' },
    spec: {
      replicas: perDeployment,
      selector: { matchLabels: { app: `web-${index}` } },
      template: {
        metadata: { labels: { app: `web-${index}` } },
        spec: { containers: [{ name: 'web', image: 'web:1' }] },
      },
    },
  }) as KubeObject;

const began = performance.now();
for (let index = 0; index < pods / perDeployment; index += 1) await client.create(deployments, deployment(index));
let running = 0;
while (running < pods) {
  await new Promise<void>((resolve) => void systemClock.after(1000, resolve));
  running = 0;
  for (const stored of cluster.api.storage.list('apps/deployments')) {
    running += (stored.object as KubeObject & { status?: { readyReplicas?: number } }).status?.readyReplicas ?? 0;
  }
  process.send?.({ running, seconds: (performance.now() - began) / 1000 });
}
(globalThis as { gc?: () => void }).gc?.();
process.send?.({
  done: {
    seconds: (performance.now() - began) / 1000,
    memory: process.memoryUsage(),
    revision: cluster.api.storage.revision,
  },
});
await cluster.close();
process.exit(0);
