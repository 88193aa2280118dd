import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import type { Figure } from '../../../scripts/bench.ts';

interface Running {
  readonly child: ChildProcess;
  readonly url: URL;
  readonly ca: string;
  readonly token: string;
  readonly startedMs: number;
  usage(): Promise<{ memory: NodeJS.MemoryUsage; cpu: NodeJS.CpuUsage }>;
  stop(): Promise<void>;
}

/**
 * The figures of the embedded control plane: server in its own process, load from this one, TLS in between. Parts by name:
 * `npm run bench -- control-plane start writes watch memory fleet`; all of them without.
 */
export async function* bench(parts: readonly string[]): AsyncGenerator<Figure> {
  const wanted = (part: string) => parts.length === 0 || parts.includes(part);
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-bench-'));
  try {
    if (wanted('start')) yield* starting(dir);
    if (wanted('writes')) yield* writing('durable writes', join(dir, 'writes'), 2000);
    if (wanted('writes')) yield* writing('writes in memory', undefined, 5000);
    if (wanted('watch')) yield* watching();
    if (wanted('memory')) yield* holding();
    if (wanted('fleet')) yield* simulating();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function start(dataDir?: string): Promise<Running> {
  const began = performance.now();
  const child = fork(new URL('./server.ts', import.meta.url), dataDir ? [dataDir] : [], {
    // As `npm start` runs it.
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

const payload = 'x'.repeat(1700);
const configMap = (name: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { app: 'bench' } },
    data: { payload },
  });

/** A client that does no more than it must, so that the server is what is measured: one connection, one request at a time. */
class Connection {
  readonly #socket: TLSSocket;
  readonly #head: string;
  #received = '';
  #answered: (status: number) => void = () => {};

  constructor(server: Running) {
    this.#socket = connect({ host: server.url.hostname, port: Number(server.url.port), ca: server.ca });
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (text: string) => this.#take(text));
    this.#head = `host: bench\r\nauthorization: Bearer ${server.token}\r\ncontent-type: application/json\r\n`;
  }

  post(path: string, body: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve;
      this.#socket.once('error', reject);
      this.#socket.write(`POST ${path} HTTP/1.1\r\n${this.#head}content-length: ${body.length}\r\n\r\n${body}`);
    });
  }

  #take(text: string): void {
    this.#received += text;
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(this.#received)?.[1] ?? 0);
    if (this.#received.length < end + 4 + length) return;
    const status = Number(this.#received.slice(9, 12));
    this.#received = '';
    this.#socket.removeAllListeners('error');
    this.#answered(status);
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** `writers` clients, each one request at a time, until `count` are answered. Returns the time of each in milliseconds. */
async function load(
  server: Running,
  writers: number,
  count: number,
  prefix: string,
): Promise<{ seconds: number; times: number[] }> {
  const times: number[] = [];
  let next = 0;
  const began = performance.now();
  const write = async (): Promise<void> => {
    const connection = new Connection(server);
    while (next < count) {
      const name = `${prefix}-${next++}`;
      const asked = performance.now();
      const status = await connection.post('/api/v1/namespaces/default/configmaps', configMap(name));
      if (status !== 201) throw new Error(`create of ${name} answered ${status}`);
      times.push(performance.now() - asked);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: writers }, write));
  return { seconds: (performance.now() - began) / 1000, times: times.sort((a, b) => a - b) };
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

async function* writing(title: string, dataDir: string | undefined, target: number): AsyncGenerator<Figure> {
  const server = await start(dataDir);
  await load(server, 16, 10_000, 'warm');
  const before = (await server.usage()).cpu;
  const { seconds, times } = await load(server, 16, 20_000, 'w');
  const after = (await server.usage()).cpu;
  await server.stop();
  const micros = (after.user + after.system - before.user - before.system) / times.length;
  yield {
    name: `${title}, 2 KB, 16 writers`,
    value: times.length / seconds,
    unit: '/s',
    atLeast: target,
    note: `p99 ${percentile(times, 0.99).toFixed(1)} ms, ${micros.toFixed(0)} µs of the server's time a write`,
  };
}

/** 1,000 watchers of one namespace, 50 changes a second: the time from just before the write to each watcher's event. */
async function* watching(): AsyncGenerator<Figure> {
  const [count, perSecond, seconds, warmUp] = [1000, 50, 10, 150];
  const server = await start();
  const sent = new Map<string, number>();
  const times: number[] = [];
  const watchers = await Promise.all(Array.from({ length: count }, () => watch(server, sent, times)));
  const writers = Array.from({ length: 25 }, () => new Connection(server));
  const total = perSecond * seconds;
  // The first events warm both sides up; what they left behind is not counted either.
  for (let index = -warmUp; index < total; index += 1) {
    if (index === 0) await new Promise((resolve) => setTimeout(resolve, 1000));
    const name = index < 0 ? `warm${index}` : `e-${String(index).padStart(6, '0')}`;
    const body = JSON.stringify({ metadata: { name }, data: { k: 'v' } });
    sent.set(name, performance.now());
    void writers[(index + warmUp) % writers.length]!.post('/api/v1/namespaces/default/configmaps', body);
    await new Promise((resolve) => setTimeout(resolve, 1000 / perSecond));
  }
  await new Promise((resolve) => setTimeout(resolve, 1000));
  for (const watcher of watchers) watcher.destroy();
  for (const writer of writers) writer.close();
  await server.stop();
  times.sort((a, b) => a - b);
  yield {
    name: `${count} watchers × ${perSecond} events/s, p99 from write to event`,
    value: percentile(times, 0.99),
    unit: 'ms',
    atMost: 20,
    note: `${times.length} of ${total * count} events seen, p50 ${percentile(times, 0.5).toFixed(1)} ms; load and server share the machine`,
  };
}

/** Opens a watch and notes when each event's name arrives. */
function watch(server: Running, sent: ReadonlyMap<string, number>, times: number[]): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: server.url.hostname, port: Number(server.url.port), ca: server.ca }, () => {
      const path = '/api/v1/namespaces/default/configmaps?watch=true&resourceVersion=0';
      socket.write(`GET ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${server.token}\r\n\r\n`);
    });
    socket.once('error', reject);
    socket.once('data', () => resolve(socket));
    socket.on('data', (chunk: Buffer) => {
      const now = performance.now();
      for (let at = chunk.indexOf('"name":"e-'); at >= 0; at = chunk.indexOf('"name":"e-', at + 10)) {
        const from = sent.get(chunk.toString('latin1', at + 8, at + 16));
        if (from !== undefined) times.push(now - from);
      }
    });
  });
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

/** Deployments of 50,000 pods, by controllers and scheduler onto 1,000 simulated nodes, until all are ready. */
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
