import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpClient, loadKubeconfig } from '@fairlead/kube';
import { startGitServer } from '@fairlead/source/git-server';
import { debianPart } from '@fairlead/source/testing';
import type { BenchOptions, Figure } from '../../../../scripts/bench.ts';
import { createArgoCDSettings, type StartSystem, startArgoCD } from '../../test/support/real-argocd/index.ts';
import { createMonorepo, objectsEach } from '../fleet.ts';
import { seedCluster } from '../seed-cluster.ts';
import { startControlPlane } from './control-plane.ts';
import { startFairlead } from './fairlead.ts';
import { type Bench, work } from './work.ts';

interface Cost {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakBytes: number;
  readonly requests: number;
}

/**
 * The same work by a real Argo CD and by Fairlead, each on a fresh real control plane: `npm run bench -- beside-argocd --argocd FILE --kube-bin DIR [--apps N]`. FILE is
 * the program of Argo CD; DIR has `etcd` and `kube-apiserver`.
 */
export async function* bench(
  _: readonly string[],
  { argocd, kubeBin, apps = 300 }: BenchOptions,
): AsyncGenerator<Figure> {
  const redis = debianPart('redis-server', 'redis-server');
  const missing =
    argocd === undefined || kubeBin === undefined ? '--argocd FILE and --kube-bin DIR are not given' : redis.skip;
  if (missing || argocd === undefined || kubeBin === undefined) {
    console.log(`skipped: ${missing}`);
    return;
  }
  const programs = [argocd, join(kubeBin, 'etcd'), join(kubeBin, 'kube-apiserver')];
  for (const program of programs) if (!existsSync(program)) throw new Error(`${program} does not exist`);
  const peer = await measure('argocd', startArgoCD(argocd, redis.path), kubeBin, apps);
  const own = await measure('fairlead', startFairlead, kubeBin, apps);
  const targets = targetsOf(apps);
  console.log(`${apps} Applications of ${objectsEach} objects; Argo CD / Fairlead`);
  for (const [name, cost] of own) {
    const other = peer.get(name);
    if (other) yield* compared(name, other, cost, targets.get(name));
  }
  const [memory, peerMemory] = [own, peer].map((all) =>
    Math.max(...[...all.values()].map(({ peakBytes }) => peakBytes)),
  );
  if (memory !== undefined && peerMemory !== undefined)
    yield {
      name: 'peak memory beside Argo CD',
      value: memory / peerMemory,
      unit: '×',
      atMost: 0.5,
      note: `${mebibytes(peerMemory)} / ${mebibytes(memory)} MiB`,
    };
  const first = own.get('first sync');
  if (first)
    yield {
      name: 'requests of the first sync',
      value: first.requests / (apps * objectsEach),
      unit: 'for each object',
      atMost: 1.5,
      note: `Argo CD ${((peer.get('first sync')?.requests ?? 0) / (apps * objectsEach)).toFixed(1)}`,
    };
}

const mebibytes = (bytes: number): string => (bytes / 1024 ** 2).toFixed(0);

/** How many times less processor time than Argo CD: measured at 300 Applications, the size that start-up costs matter least from. */
const targetsOf = (apps: number): ReadonlyMap<string, number> =>
  new Map(
    apps < 300
      ? []
      : [
          ['first sync', 20],
          ['refresh, nothing changed', 8],
        ],
  );

function* compared(name: string, peer: Cost, own: Cost, atLeast: number | undefined): Generator<Figure> {
  yield {
    name: `${name}: processor time, times less`,
    value: peer.cpuSeconds / Math.max(0.01, own.cpuSeconds),
    unit: '×',
    ...(atLeast === undefined ? {} : { atLeast }),
    note: `${peer.cpuSeconds.toFixed(1)} / ${own.cpuSeconds.toFixed(1)} s of processor time; took ${peer.seconds.toFixed(1)} / ${own.seconds.toFixed(1)} s; ${peer.requests} / ${own.requests} requests`,
  };
}

async function measure(
  name: string,
  startSystem: StartSystem,
  kubeBin: string,
  apps: number,
): Promise<Map<string, Cost>> {
  const dir = mkdtempSync(join(tmpdir(), `fairlead-bench-${name}-`));
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const bare = join(dir, 'git', 'mono.git');
    mkdirSync(join(dir, 'git'));
    createMonorepo(bare, apps);
    const git = await startGitServer({ root: join(dir, 'git'), environment: process.env });
    stops.push(() => git.close());
    const plane = await startControlPlane(kubeBin, join(dir, 'control-plane'));
    stops.push(() => plane.stop());
    const client = new HttpClient((await loadKubeconfig({ path: plane.kubeconfig('bench') })).client);
    stops.push(() => client.close());
    await seedCluster(client, { apps, strangers: 0, repoURL: `${git.url}/mono.git`, seeded: false });
    await createArgoCDSettings(client);
    const system = await startSystem(dir, plane.kubeconfig('peer'));
    stops.push(() => system.stop());
    const costs = new Map<string, Cost>();
    const bench: Bench = { client, bare, apps, check: () => system.check() };
    // The start belongs to the first sync.
    let before = { cpuSeconds: 0, requests: 0 };
    for (const [step, run] of work) {
      const began = performance.now();
      await run(bench);
      const { cpuSeconds, peakBytes } = system.usage();
      const requests = plane.requests();
      costs.set(step, {
        seconds: (performance.now() - began) / 1000,
        cpuSeconds: cpuSeconds - before.cpuSeconds,
        peakBytes,
        requests: requests - before.requests,
      });
      before = { cpuSeconds, requests };
      console.error(`${name}: ${step} done after ${((performance.now() - began) / 1000).toFixed(1)} s`);
    }
    return costs;
  } finally {
    for (const stop of stops.toReversed()) await stop();
    rmSync(dir, { recursive: true, force: true });
  }
}
