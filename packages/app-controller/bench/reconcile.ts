import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure } from '../../../scripts/bench.ts';
import { ended, startApiServer, startController } from './child-processes.ts';
import { commit, createMonorepo, fileOf, manifestsOf, objectsEach } from './fleet.ts';

interface Measured {
  readonly ms: number;
  readonly cpuMs: number;
  readonly waitingShare: number;
  readonly reads: number;
  readonly writes: number;
  readonly dryRuns: number;
  readonly renders: number;
  readonly git: number;
}

const goal = { apps: 10_000, live: 200_000 };

/**
 * What reconciling costs. `npm run bench -- reconcile [seeded] [APPS…]`, 1000, 3000 and 10000 Applications of 10 objects when none are given.
 * The API server, the controller and this program are three processes; the repository is a real Git repository. With `seeded`, the objects
 * are in the cluster as a sync would have left them, and the first sync, which takes most of the time, is not measured.
 */
export async function* bench(args: readonly string[]): AsyncGenerator<Figure> {
  const seeded = args.includes('seeded');
  const named = args.filter((arg) => /^\d+$/u.test(arg)).map(Number);
  const sizes = named.length > 0 ? named : [1_000, 3_000, goal.apps];
  const rates: { apps: number; refresh: number; sync: number; bytes: number }[] = [];
  for (const apps of sizes) {
    const dir = mkdtempSync(join(tmpdir(), 'fairlead-bench-'));
    const children: ChildProcess[] = [];
    try {
      rates.push(yield* atSize(apps, seeded, dir, children));
    } finally {
      await Promise.all(children.reverse().map(ended));
      rmSync(dir, { recursive: true, force: true });
    }
  }
  const [first] = rates;
  for (const { apps, refresh, sync, bytes } of rates.slice(1)) {
    const times = (value: number, base: number): string => `${(value / base).toFixed(2)} times that of ${first!.apps}`;
    yield {
      name: `growth to ${apps} applications: time of a refresh of one`,
      value: first!.refresh / refresh,
      unit: `times that of ${first!.apps}`,
      note: `first sync of one ${times(first!.sync, sync)}, memory of one ${times(bytes, first!.bytes)}; 1 is linear`,
    };
  }
}

async function* atSize(
  apps: number,
  seeded: boolean,
  dir: string,
  children: ChildProcess[],
): AsyncGenerator<Figure, { apps: number; refresh: number; sync: number; bytes: number }> {
  const of = `${apps} applications`;
  const bare = join(dir, 'mono.git');
  createMonorepo(bare, apps);
  const strangers = Math.round((goal.live / goal.apps - objectsEach) * apps);
  const kubeconfig = await startApiServer(dir, children, { apps, strangers, repoURL: `file://${bare}`, seeded });
  const ask = await startController(dir, children, kubeconfig);

  const first = await ask<Measured>('start');
  const perSecond = (apps / first.ms) * 1000;
  if (seeded) yield { name: `first reconcile of ${of}`, value: first.ms / 1000, unit: 's', note: counts(first) };
  else {
    yield {
      name: `first sync of ${of}`,
      value: first.ms / 1000,
      unit: 's',
      note: `${perSecond.toFixed(0)} applications/s; ${counts(first)}`,
    };
    yield {
      name: `first sync of ${of}: share of time waiting on the API server`,
      value: first.waitingShare * 100,
      unit: '%',
      note: `the controller itself took ${(first.cpuMs / 1000).toFixed(1)} s of processor time`,
    };
  }

  await ask<Measured>('refresh', '2');
  const rounds: Measured[] = [];
  for (let i = 0; i < 5; i++) rounds.push(await ask<Measured>('refresh', '2'));
  const byRate = rounds.map(({ ms }) => (apps / ms) * 1000).sort((one, other) => one - other);
  const rate = byRate[Math.floor(byRate.length / 2)]!;
  yield {
    name: `refresh of ${of}, nothing changed`,
    value: rate,
    unit: 'applications/s',
    atLeast: 2000,
    note: `the median of ${rounds.length} rounds, ${byRate[0]!.toFixed(0)} in the slowest and ${byRate.at(-1)!.toFixed(0)} in the fastest; ${((sum(rounds, 'cpuMs') / rounds.length / apps) * 1000).toFixed(0)} µs of processor time each`,
  };
  yield { name: 'the same: git processes', value: sum(rounds, 'git'), unit: '', atMost: 0 };
  yield { name: 'the same: renders', value: sum(rounds, 'renders'), unit: '', atMost: 0 };
  yield {
    name: 'the same: API writes',
    value: sum(rounds, 'writes') + sum(rounds, 'dryRuns'),
    unit: '',
    atMost: 0,
    note: `${sum(rounds, 'reads')} reads`,
  };

  const touched = Math.floor(apps / 2);
  commit(bare, 'second', new Map([[fileOf(touched), manifestsOf(touched, 'touched')]]));
  const one = await ask<Measured>('follow', `app-${touched}`);
  yield { name: `a commit that touches 1 of ${of}: renders`, value: one.renders, unit: '', atLeast: 1, atMost: 1 };
  yield {
    name: 'the same, until it is live and all have been reconciled',
    value: one.ms,
    unit: 'ms',
    note: counts(one),
  };

  const memory = await ask<NodeJS.MemoryUsage & { live: number; manifests: number }>('memory');
  yield {
    name: `memory of the controller with ${of} and ${memory.live} live objects`,
    value: memory.rss / 1024 ** 3,
    unit: 'GiB',
    atMost: 1.5,
    note: `heap ${(memory.heapUsed / 1024 ** 2).toFixed(0)} MiB, outside of it ${(memory.external / 1024 ** 2).toFixed(0)} MiB; manifests ${(memory.manifests / 1024 ** 2).toFixed(0)} MiB`,
  };
  return { apps, refresh: rate, sync: perSecond, bytes: memory.heapUsed / apps };
}

const counts = ({ ms, reads, dryRuns, writes, renders, git }: Measured): string =>
  `${reads} reads, ${dryRuns} dry runs, ${writes} writes, ${((reads + dryRuns + writes) / (ms / 1000)).toFixed(0)} requests/s; ${renders} renders, ${git} git processes`;

const sum = (rounds: readonly Measured[], name: keyof Measured): number =>
  rounds.reduce((total, round) => total + round[name], 0);
