import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure } from '../../../scripts/bench.ts';
import { findPeer, type Peer, startPeer } from './kube-apiserver.ts';
import { load, percentile, startWatching, type Target, type WatchLoad } from './load.ts';

interface Running extends Target {
  readonly child: ChildProcess;
  readonly startedMs: number;
  usage(): Promise<{ memory: NodeJS.MemoryUsage; cpu: NodeJS.CpuUsage }>;
  stop(): Promise<void>;
}

/**
 * The figures of the embedded control plane: server in its own process, load from this one, TLS in between. Parts by name: `npm run bench
 * -- control-plane start writes watch memory fleet`; all of them by default. If kube-apiserver and etcd are installed, they are measured
 * with the same load in the same run.
 */
export async function* bench(parts: readonly string[]): AsyncGenerator<Figure> {
  const isSelected = (part: string) => parts.length === 0 || parts.includes(part);
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-bench-'));
  try {
    if (isSelected('start')) yield* starting(dir);
    const peer = isSelected('writes') || isSelected('watch') ? findPeer() : undefined;
    if (isSelected('writes')) yield* writing('durable writes', join(dir, 'writes'), 2000, peer);
    if (isSelected('writes')) yield* writing('writes in memory', undefined, 5000);
    if (isSelected('watch')) yield* watching(peer);
    if (isSelected('memory')) yield* holding();
    if (isSelected('fleet')) yield* simulating();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function start(dataDir?: string, program = './server.ts'): Promise<Running> {
  const began = performance.now();
  const child = fork(new URL(program, import.meta.url), dataDir ? [dataDir] : [], {
    // As in `npm start`.
    execArgv: ['--expose-gc', '--no-warnings', '--max-semi-space-size=8'],
  });
  const [{ ready }] = (await once(child, 'message')) as [{ ready: { url: string; ca: string; token: string } }];
  return {
    child,
    url: new URL(ready.url),
    ca: ready.ca,
    token: ready.token,
    startedMs: performance.now() - began,
    async usage() {
      child.send('memory');
      const [usage] = (await once(child, 'message')) as [{ memory: NodeJS.MemoryUsage; cpu: NodeJS.CpuUsage }];
      return usage;
    },
    async stop() {
      child.send('stop');
      await once(child, 'exit');
    },
  };
}

async function* starting(dir: string): AsyncGenerator<Figure> {
  const first = await start(join(dir, 'start'));
  await first.stop();
  const second = await start(join(dir, 'start'));
  await second.stop();
  yield { name: 'start to ready, new directory', value: first.startedMs, unit: 'ms', atMost: 1500 };
  yield { name: 'start to ready, second start', value: second.startedMs, unit: 'ms', atMost: 1500 };
}

async function* writing(
  title: string,
  dataDir: string | undefined,
  target: number,
  peer?: Peer,
): AsyncGenerator<Figure> {
  const server = await start(dataDir);
  await load(server, 16, 10_000, 'warm');
  const before = (await server.usage()).cpu;
  const { seconds, times } = await load(server, 16, 20_000, 'w');
  const after = (await server.usage()).cpu;
  await server.stop();
  const micros = (after.user + after.system - before.user - before.system) / times.length;
  const perSecond = times.length / seconds;
  yield {
    name: `${title}, 2 KB, 16 writers`,
    value: perSecond,
    unit: '/s',
    atLeast: target,
    note: `p99 ${percentile(times, 0.99).toFixed(1)} ms, ${micros.toFixed(0)} µs of the server's time a write`,
  };
  if (peer)
    yield* comparing(`${title} to kube-apiserver and etcd`, peer, '/s', async (real) => {
      await load(real, 16, 2_000, 'warm');
      const theirs = await load(real, 16, 10_000, 'w');
      const value = theirs.times.length / theirs.seconds;
      return { value, ratio: perSecond / value, note: `p99 ${percentile(theirs.times, 0.99).toFixed(1)} ms` };
    });
}

const watchers = { count: 1000, perSecond: 50, seconds: 5, rounds: 3 };

/**
 * 1,000 watchers of one namespace, 50 changes per second: the time from just before the write to the event of each watcher. First as
 * Kubernetes clients watch: HTTP/2, one connection per program, 20 programs with 50 informers each.
 */
async function* watching(peer?: Peer): AsyncGenerator<Figure> {
  const size: WatchLoad = { ...watchers, connections: 20 };
  const server = await start();
  const { p99, note } = await watched(server, size);
  await server.stop();
  const name = `${size.count} watchers × ${size.perSecond} events/s, p99 from write to event`;
  const where = `${size.connections} connections of HTTP/2; load and server share the machine`;
  yield { name, value: p99, unit: 'ms', atMost: 20, note: `${note}; ${where}` };
  if (peer)
    yield* comparing(`${name}, of kube-apiserver`, peer, 'ms', async (real) => {
      const theirs = await watched(real, size);
      return { value: theirs.p99, ratio: theirs.p99 / p99, note: theirs.note };
    });
  yield* watchingAlone(peer);
}

async function watched(server: Target, size: WatchLoad): Promise<WatchFigures> {
  const load = await startWatching(server, size);
  const rounds: number[][] = [];
  for (let i = 0; i < size.rounds; i++) rounds.push(await load.round());
  load.stop();
  return watchFigures(size, rounds);
}

/**
 * The same with a connection for each watcher. A thousand connections cost far more than the writes to them, so rounds alternate with those
 * of a server that only writes the same bytes, and the target is a multiple of its time: the speed of the machine varies, and is often too
 * low for 20 ms.
 */
async function* watchingAlone(peer?: Peer): AsyncGenerator<Figure> {
  const servers = [await start(), await start(undefined, './bare-server.ts')];
  const loads = [];
  for (const server of servers) loads.push(await startWatching(server, watchers));
  const rounds: number[][][] = loads.map(() => []);
  for (let i = 0; i < watchers.rounds; i++)
    for (const [at, load] of loads.entries()) rounds[at]!.push(await load.round());
  for (const load of loads) load.stop();
  for (const server of servers) await server.stop();
  const [ours, bare] = rounds.map((each) => watchFigures(watchers, each)) as [WatchFigures, WatchFigures];
  const name = 'the same, each over a separate connection';
  yield { name, value: ours.p99, unit: 'ms', note: ours.note };
  yield { name: `${name}, from a TLS server that only writes`, value: bare.p99, unit: 'ms', note: bare.note };
  yield {
    name: 'the embedded control plane, as a multiple of that',
    value: ours.p99 / bare.p99,
    unit: '×',
    atMost: 1.5,
  };
  if (peer)
    yield* comparing(`${name}, of kube-apiserver`, peer, 'ms', async (real) => {
      const theirs = await watched(real, watchers);
      return { value: theirs.p99, ratio: theirs.p99 / ours.p99, note: theirs.note };
    });
}

interface WatchFigures {
  readonly p99: number;
  readonly note: string;
}

/** The median round counts, so that outliers in both directions are ignored. */
function watchFigures(size: WatchLoad, rounds: readonly (readonly number[])[]): WatchFigures {
  const p99s = rounds.map((times) => percentile(times, 0.99)).sort((a, b) => a - b);
  const seen = rounds.reduce((sum, times) => sum + times.length, 0);
  const medians = rounds.map((times) => percentile(times, 0.5).toFixed(1)).join(', ');
  return {
    p99: p99s[Math.floor(p99s.length / 2)] ?? 0,
    note: `rounds ${p99s.map((ms) => ms.toFixed(1)).join(', ')}, p50 ${medians} ms, ${seen} of ${size.count * size.perSecond * size.seconds * size.rounds} events seen`,
  };
}

/** The result of the peer for the same load, and the ratio. */
async function* comparing(
  name: string,
  peer: Peer,
  unit: string,
  measure: (real: Target) => Promise<{ readonly value: number; readonly ratio: number; readonly note: string }>,
): AsyncGenerator<Figure> {
  const real = await startPeer(peer);
  try {
    const { value, ratio, note } = await measure(real);
    yield { name, value, unit, note };
    yield { name: 'the embedded control plane, as a multiple of that', value: ratio, unit: '×' };
  } finally {
    await real.stop();
  }
}

async function* holding(): AsyncGenerator<Figure> {
  const server = await start();
  await load(server, 16, 20_000, 'o');
  const { rss } = (await server.usage()).memory;
  await server.stop();
  yield { name: '20,000 objects of 2 KB, resident', value: rss / 1024 / 1024, unit: 'MB', atMost: 300 };
}

interface FleetDone {
  readonly seconds: number;
  readonly memory: NodeJS.MemoryUsage;
  readonly revision: number;
}

/** Deployments of 50,000 pods, by controllers and scheduler on 1,000 simulated nodes, until all are ready. */
async function* simulating(): AsyncGenerator<Figure> {
  const [nodes, pods] = [1000, 50_000];
  const child = fork(new URL('./fleet.ts', import.meta.url), [String(nodes), String(pods)], {
    execArgv: ['--expose-gc', '--no-warnings', '--max-old-space-size=8192'],
  });
  const done = await new Promise<FleetDone>((resolve, reject) => {
    child.on('message', (message: { done?: FleetDone }) => message.done && resolve(message.done));
    child.on('exit', (code) => reject(new Error(`the fleet ended with code ${code}`)));
  });
  yield { name: `${pods} pods on ${nodes} nodes, until all are ready`, value: done.seconds, unit: 's' };
  yield {
    name: 'pods ready per second',
    value: pods / done.seconds,
    unit: '/s',
    note: `${(done.revision / pods).toFixed(1)} writes a pod`,
  };
  yield { name: 'the whole cluster, resident', value: done.memory.rss / 1024 / 1024, unit: 'MB' };
}
