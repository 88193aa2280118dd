import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessOf, HttpClient, parseKubeconfig } from '@fairlead/kube';
import type { BenchOptions, Figure } from '../../../scripts/bench.ts';
import { ended, startApiServer, startController } from './child-processes.ts';
import type { Requests } from './counting-client.ts';
import { createMonorepo, objectsEach } from './fleet.ts';
import { clearCluster, seedCluster } from './seed-cluster.ts';

/**
 * What a first sync costs the API server: `npm run bench -- requests [APPS] [--kubeconfig FILE]`, 300 Applications of 10 objects by default, on
 * the embedded control plane or on the cluster of the kubeconfig. Every request of the controller is counted, from its start: those for
 * objects, Applications, events and its lease, discovery, lists and watches.
 */
export async function* bench(args: readonly string[], { kubeconfig }: BenchOptions = {}): AsyncGenerator<Figure> {
  const apps = Number(args.find((arg) => /^\d+$/u.test(arg)) ?? 300);
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-bench-'));
  const children: ChildProcess[] = [];
  const bare = join(dir, 'mono.git');
  const seed = { apps, strangers: 0, repoURL: `file://${bare}`, seeded: false };
  const named = kubeconfig === undefined ? undefined : await clientOf(kubeconfig);
  try {
    createMonorepo(bare, apps);
    if (named) await seedCluster(named, seed);
    const target = kubeconfig ?? (await startApiServer(dir, children, seed));
    const ask = await startController(dir, children, target, { mode: 'complete' });
    const { ms } = await ask<{ ms: number }>('start');
    const requests = await ask<Requests>('requests');
    const objects = apps * objectsEach;
    const total = Object.values(requests).reduce((sum, count) => sum + count, 0);
    yield {
      name: `requests of a first sync of ${apps} applications`,
      value: total / objects,
      unit: 'for each object',
      atMost: 1.5,
      note: `${total} for ${objects} objects in ${(ms / 1000).toFixed(1)} s`,
    };
    for (const [verb, count] of Object.entries(requests).sort(([, a], [, b]) => b - a)) {
      yield { name: `the same: ${verb}`, value: count / objects, unit: 'for each object', note: `${count}` };
    }
  } finally {
    await Promise.all(children.reverse().map(ended));
    if (named) await clearCluster(named, apps).finally(() => named.close());
    rmSync(dir, { recursive: true, force: true });
  }
}

const clientOf = async (path: string): Promise<HttpClient> =>
  new HttpClient((await accessOf(parseKubeconfig(readFileSync(path, 'utf8'), path))).client);
