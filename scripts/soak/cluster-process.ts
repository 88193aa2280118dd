/** An embedded cluster as a process: API server, controllers and simulated nodes, with its kubeconfig in a file. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { startEmbeddedCluster } from '@fairlead/control-plane';
import { MetricsRegistry, paceCollections, startStatusServer, stopSignal } from '@fairlead/kube';

export interface ClusterProcessOptions {
  readonly dataDir: string;
  readonly kubeconfig: string;
  readonly port: number;
  readonly metricsPort: number;
  readonly token: string;
}

if (import.meta.main) {
  paceCollections();
  const options = JSON.parse(process.argv[2] ?? '') as ClusterProcessOptions;
  mkdirSync(options.dataDir, { recursive: true });
  const { dataDir, port, token } = options;
  // The default of 1,000 events of each kind is reached only after an hour, and would look like a leak until then.
  const history = { milliseconds: 75_000, events: 50, bytes: 32 * 1024 * 1024 };
  const cluster = await startEmbeddedCluster({ dataDir, port, token, history, nodes: 2, readyAtOnce: true });
  const status = await startStatusServer({
    port: options.metricsPort,
    registry: new MetricsRegistry(),
    live: new Map(),
    ready: new Map(),
  });
  writeFileSync(options.kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
  console.log('ready');
  stopSignal().addEventListener('abort', () => {
    void status
      .close()
      .then(() => cluster.close())
      .then(() => process.exit(0));
  });
}
