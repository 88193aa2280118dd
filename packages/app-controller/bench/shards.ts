import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure } from '../../../scripts/bench.ts';
import { type Ask, ended, startApiServer, startController } from './child-processes.ts';
import { createMonorepo } from './fleet.ts';

interface Work {
  readonly writes: number;
  readonly renders: number;
}

interface Share {
  readonly applications: number;
  readonly synced: number;
}

/**
 * Controllers that share Applications: `npm run bench -- shards [APPS]`, 10,000 by default, by 1, 2 and 4 controllers in separate processes. The objects are in
 * the cluster as a sync would have left them. Of the last four, one is killed.
 */
export async function* bench(args: readonly string[]): AsyncGenerator<Figure> {
  const apps = Number(args.find((arg) => /^\d+$/u.test(arg)) ?? 10_000);
  let alone: Work | undefined;
  for (const shards of [1, 2, 4]) {
    const dir = mkdtempSync(join(tmpdir(), 'fairlead-bench-'));
    const children: ChildProcess[] = [];
    try {
      const total = yield* withShards(shards, apps, dir, children, alone);
      alone ??= total;
    } finally {
      await Promise.all(children.reverse().map(ended));
      rmSync(dir, { recursive: true, force: true });
    }
  }
}

async function* withShards(
  shards: number,
  apps: number,
  dir: string,
  children: ChildProcess[],
  alone: Work | undefined,
): AsyncGenerator<Figure, Work> {
  const bare = join(dir, 'mono.git');
  createMonorepo(bare, apps);
  const kubeconfig = await startApiServer(dir, children, {
    apps,
    strangers: 0,
    repoURL: `file://${bare}`,
    seeded: true,
  });
  const asks: Ask[] = [];
  for (let i = 0; i < shards; i++) {
    const own = join(dir, `shard-${i}`);
    mkdirSync(own);
    asks.push(await startController(own, children, kubeconfig, { mode: 'shard' }));
  }
  await Promise.all(asks.map((ask) => ask('join', String(shards))));
  const work = await Promise.all(asks.map((ask) => ask<Work & { ms: number }>('start')));
  const total = { writes: sum(work, 'writes'), renders: sum(work, 'renders') };
  const of = `${apps} applications by ${shards} ${shards === 1 ? 'controller' : 'controllers'}`;
  yield {
    name: `first reconcile of ${of}`,
    value: Math.max(...work.map(({ ms }) => ms)) / 1000,
    unit: 's',
    note: `${total.renders} renders, ${total.writes} writes`,
  };
  if (alone) {
    const shares = await Promise.all(asks.map((ask) => ask<Share>('share')));
    const even = apps / shards;
    const most = Math.max(...shares.map(({ applications }) => Math.abs(applications - even) / even));
    yield {
      name: 'the same: largest difference from an even share',
      value: most * 100,
      unit: '%',
      atMost: 15,
      note: shares.map(({ applications }) => applications).join(', '),
    };
    yield {
      name: 'the same: renders beside one controller',
      value: total.renders / alone.renders,
      unit: '×',
      atMost: 1,
    };
    yield {
      name: 'the same: API writes beside one controller',
      value: total.writes / alone.writes,
      unit: '×',
      atMost: 1,
    };
  }
  if (shards > 2) {
    const [, ...left] = asks;
    // The first child is the API server.
    children.splice(1, 1)[0]?.kill('SIGKILL');
    const began = performance.now();
    const taken = async (): Promise<number> =>
      sum(await Promise.all(left.map((ask) => ask<Share>('share'))), 'applications');
    while ((await taken()) < apps) {
      if (performance.now() - began > 60_000)
        throw new Error(`only ${await taken()} of ${apps} Applications were taken over`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    yield {
      name: 'one of them is killed: until others work on its Applications',
      value: (performance.now() - began) / 1000,
      unit: 's',
      atMost: 15,
    };
  }
  return total;
}

const sum = <K extends string>(items: readonly Readonly<Record<K, number>>[], name: K): number =>
  items.reduce((total, item) => total + item[name], 0);
