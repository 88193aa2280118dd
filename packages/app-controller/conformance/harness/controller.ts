import { join } from 'node:path';
import { createJq, createLua, type Jq, type Lua } from '@fairlead/engine';
import { silentLogger, systemRandom } from '@fairlead/kube';
import { createManifestCache, createRenderPool, type Renderer, type RenderPool } from '@fairlead/render';
import { createSources } from '@fairlead/source';
import { AppController } from '../../src/app-controller.ts';
import { connectionOver, connectTo } from '../../src/cluster/cluster-connection.ts';
import { ClusterSet } from '../../src/cluster/cluster-set.ts';
import { defaultSettings, type SourceReader } from '../../src/reconcile-env.ts';
import { followInstallation, withInstallation } from '../../src/settings/follow-installation.ts';
import type { Target } from './target.ts';

/** Sandboxes that all controllers of a run share. */
export interface Workers {
  readonly renders: RenderPool;
  readonly jq: Jq;
  readonly lua: Lua;
  close(): Promise<void>;
}

export function startWorkers(): Workers {
  const renders = createRenderPool({ workers: 2, timeMs: 120_000 });
  const jq = createJq({ timeMs: 10_000 });
  const lua = createLua();
  return {
    renders,
    jq,
    lua,
    async close() {
      await Promise.all([renders.close(), jq.close(), lua.close()]);
    },
  };
}

export interface RunningController {
  /** Applications that are being reconciled or queued. */
  readonly pending: number;
  stop(): Promise<void>;
}

/** The namespace of the Applications of the recording. */
export const controlPlaneNamespace = 'argocd';

/** The application controller, as the role of the same name starts it. It reads from Git unless `repositories` are given. */
export async function startController(
  target: Target,
  workers: Workers,
  cacheDir: string,
  repositories?: SourceReader,
): Promise<RunningController> {
  const { client, destination, clock, track } = target;
  const stop = new AbortController();
  const shared = { clock, random: systemRandom, log: silentLogger };
  const recorded = { ...defaultSettings, namespace: controlPlaneNamespace, waveDelayMs: 1_000 };
  const installation = await followInstallation(client, recorded.namespace, shared, stop.signal);
  const jq: Jq = {
    ...workers.jq,
    paths: (...args) => track(() => workers.jq.paths(...args)),
  };
  const lua: Lua = {
    ...workers.lua,
    run: (...args) => track(() => workers.lua.run(...args)),
  };
  const clusters = new ClusterSet({
    client,
    namespace: recorded.namespace,
    inCluster: connectionOver(destination, silentLogger),
    connect: (config) => connectTo(config, { environment: {}, clock, log: silentLogger }),
    installation,
    jq,
    lua,
    ...shared,
  });
  await clusters.start(stop.signal);
  const sources = createSources({
    cacheDir: join(cacheDir, 'sources'),
    clock,
    environment: process.env,
    pollMs: 180_000,
    allowLocal: true,
  });
  const renderer: Renderer = (...args) => track(() => workers.renders.render(...args));
  const controller = new AppController({
    client,
    clusters,
    sources: repositories ?? trackedSources(sources, track),
    manifests: createManifestCache({ renderer }),
    settings: withInstallation(recorded, installation),
    onSettingsChange: installation.onChange,
    ...shared,
  });
  const stopped = controller.run(stop.signal);
  return {
    get pending() {
      return controller.pending;
    },
    async stop() {
      stop.abort();
      await stopped;
      sources.close();
    },
  };
}

const trackedSources = (sources: ReturnType<typeof createSources>, track: Target['track']): SourceReader => ({
  resolve: (...args) => track(() => sources.resolve(...args)),
  tree: (...args) => track(() => sources.tree(...args)),
  file: (...args) => track(() => sources.file(...args)),
  signable: (...args) => track(() => sources.signable(...args)),
  keyOf: (source) => sources.keyOf(source),
  onChange: (listener) => sources.onChange(listener),
});
