import { type ChildProcess, fork } from 'node:child_process';
import { type ClientRequest, get } from 'node:http';
import { sleep, systemClock } from '@fairlead/kube';
import type { Figure } from '../../../scripts/bench.ts';
import { pageSize } from './fleet.ts';

/**
 * The API server with many Applications: `npm run bench -- api [APPS]`, 10,000 by default. Argo CD's list has no pages: a page here is the list of one project
 * (100 Applications), as a client gets it with `projects=NAME`. The full list is limited to the fields that Argo CD's page of all Applications asks for. The
 * server, its cluster and who updates run in one child process, the clients in this one.
 */
export async function* bench(args: readonly string[]): AsyncGenerator<Figure> {
  const apps = Number(args.find((arg) => /^\d+$/u.test(arg)) ?? 10_000);
  const child = fork(new URL('./server-process.ts', import.meta.url), [String(apps)], {
    execArgv: ['--expose-gc', '--no-warnings'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  try {
    const server = new MeasuredServer(child, await answer(child, 'ready'));
    await server.signIn('viewer', 'viewer-password');
    yield* pages(server, apps);
    yield* fullList(server, apps);
    yield* streams(server);
    yield* signIns(server);
  } finally {
    child.kill();
  }
}

/** As in the web application of Argo CD. */
const listFields = [
  'metadata.resourceVersion',
  ...[
    'metadata.name',
    'metadata.namespace',
    'metadata.annotations',
    'metadata.labels',
    'metadata.creationTimestamp',
    'metadata.deletionTimestamp',
    'spec',
    'operation.sync',
    'status.sourceHydrator',
    'status.sync.status',
    'status.sync.revision',
    'status.health',
    'status.operationState.phase',
    'status.operationState.finishedAt',
    'status.operationState.operation.sync',
    'status.summary',
    'status.resources',
  ].map((field) => `items.${field}`),
].join(',');

const streamFields = ['type', ...listFields.split(',').map((field) => field.replace('items.', 'application.'))].join(
  ',',
);

async function* pages(server: MeasuredServer, apps: number): AsyncGenerator<Figure> {
  const projects = Math.ceil(apps / pageSize);
  const times: number[] = [];
  for (let i = 0; i < 500; i++) {
    const { ms } = await server.read(`/api/v1/applications?projects=team-${i % projects}`);
    times.push(ms);
  }
  yield {
    name: `list of one project of ${pageSize}, of ${apps} Applications: p50`,
    value: percentile(times, 50),
    unit: 'ms',
  };
  yield { name: 'the same: p99', value: percentile(times, 99), unit: 'ms', atMost: 50 };
}

async function* fullList(server: MeasuredServer, apps: number): AsyncGenerator<Figure> {
  await server.ask('lag');
  const before = await server.ask('memory');
  const first = await server.read(`/api/v1/applications?fields=${listFields}`);
  const peak = await server.ask('peak');
  const lag = await server.ask('lag');
  const again = await server.read(`/api/v1/applications?fields=${listFields}`);
  yield {
    name: `list of ${apps} Applications with the fields of the web application, first time`,
    value: first.ms,
    unit: 'ms',
    atMost: 1_500,
    note: `${(first.bytes / 1e6).toFixed(1)} MB`,
  };
  yield {
    name: 'the same: memory of the server at most above the start',
    value: (peak - before) / 1e6,
    unit: 'MB',
    atMost: 150,
  };
  yield { name: 'the same: longest delay of the event loop', value: lag, unit: 'ms', atMost: 250 };
  yield { name: 'the same again', value: again.ms, unit: 'ms', atMost: 1_500 };
}

async function* streams(server: MeasuredServer): AsyncGenerator<Figure> {
  // As the web application does: a list, and then what changes after it.
  const since = `resourceVersion=${await server.resourceVersion()}`;
  const clients = Array.from({ length: 100 }, (_, i) =>
    server.stream(i % 2 === 0 ? `?${since}&fields=${streamFields}` : `?${since}`),
  );
  // Headers come with the first event that a client receives.
  let isOpen = false;
  const opened = Promise.all(clients.map((client) => client.opened)).then(() => {
    isOpen = true;
  });
  while (!isOpen) await server.ask('update', { perSecond: 10, seconds: 1 });
  await opened;
  await settled(() => clients.reduce((sum, { latencies }) => sum + latencies.length, 0));
  for (const { latencies } of clients) latencies.length = 0;
  const [perSecond, seconds] = [200, 10];
  const before = await server.ask('cpu');
  await server.ask('update', { perSecond, seconds });
  const cpu = (await server.ask('cpu')) - before;
  await settled(() => clients.reduce((sum, { latencies }) => sum + latencies.length, 0));
  const all = clients.flatMap(({ latencies }) => latencies);
  for (const { request } of clients) request.destroy();
  const expected = perSecond * seconds * clients.length;
  yield {
    name: `${perSecond} updates/s to ${clients.length} streams: p50 until a client has it`,
    value: percentile(all, 50),
    unit: 'ms',
  };
  yield { name: 'the same: p99', value: percentile(all, 99), unit: 'ms', atMost: 200 };
  yield { name: 'the same: CPU time of server, cluster and updates', value: cpu / seconds, unit: 'ms each second' };
  yield { name: 'the same: events that arrived', value: all.length, unit: `of ${expected}`, atLeast: expected };
}

async function* signIns(server: MeasuredServer): AsyncGenerator<Figure> {
  await server.ask('lag');
  const times: number[] = [];
  let isDone = false;
  const others = Promise.all(Array.from({ length: 10 }, () => server.signIn('viewer', 'viewer-password'))).then(() => {
    isDone = true;
  });
  while (!isDone) times.push((await server.read('/api/version')).ms);
  await others;
  yield {
    name: 'requests while ten users sign in at once: p99',
    value: percentile(times, 99),
    unit: 'ms',
    atMost: 100,
  };
  yield { name: 'the same: longest delay of the event loop', value: await server.ask('lag'), unit: 'ms', atMost: 100 };
}

/** Before the time of an update, in milliseconds. */
const mark = Buffer.from('"bench/sent":"');

const percentile = (values: readonly number[], percent: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
};

/** Waits until a figure does not change for half a second. */
async function settled(figure: () => number): Promise<void> {
  for (let last = -1; last !== figure(); ) {
    last = figure();
    await sleep(systemClock, 500);
  }
}

const answer = (child: ChildProcess, ask: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const receive = (message: { ask: string; value: number }): void => {
      if (message.ask !== ask) return;
      child.off('message', receive);
      resolve(message.value);
    };
    child.on('message', receive);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });

class MeasuredServer {
  readonly #child: ChildProcess;
  readonly #port: number;
  #token = '';

  constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.#port = port;
    child.setMaxListeners(0);
  }

  ask(ask: 'memory' | 'peak' | 'lag' | 'cpu' | 'update', more: object = {}): Promise<number> {
    const answered = answer(this.#child, ask);
    this.#child.send({ ask, ...more });
    return answered;
  }

  async signIn(username: string, password: string): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${this.#port}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    });
    if (response.status !== 200) throw new Error(`sign-in: ${response.status}`);
    const { token } = (await response.json()) as { token: string };
    this.#token = token;
  }

  async resourceVersion(): Promise<string> {
    const headers = { authorization: `Bearer ${this.#token}` };
    const response = await fetch(`http://127.0.0.1:${this.#port}/api/v1/applications?name=none`, { headers });
    const { metadata } = (await response.json()) as { metadata: { resourceVersion: string } };
    return metadata.resourceVersion;
  }

  read(path: string): Promise<{ readonly ms: number; readonly bytes: number }> {
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      this.#get(path, (status, chunk, isEnd, bytes) => {
        if (status !== 200) reject(new Error(`${path}: ${status} ${chunk}`));
        else if (isEnd) resolve({ ms: performance.now() - startedAt, bytes });
      }).on('error', reject);
    });
  }

  /** Latencies are read from the bytes: decoding them would cost more than the server does. */
  stream(query: string) {
    const latencies: number[] = [];
    let rest: Buffer = Buffer.alloc(0);
    const find = (chunk: Buffer): void => {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      const now = Date.now();
      let end = 0;
      for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, end)) {
        const from = at + mark.length;
        if (from + 13 > bytes.length) break;
        end = from + 13;
        latencies.push(now - Number(bytes.toString('latin1', from, end)));
      }
      rest = Buffer.from(bytes.subarray(Math.max(end, bytes.length - mark.length - 13)));
    };
    const { promise: opened, resolve, reject } = Promise.withResolvers<void>();
    const headers = { authorization: `Bearer ${this.#token}` };
    const path = `/api/v1/stream/applications${query}`;
    const request = get({ port: this.#port, host: '127.0.0.1', path, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`stream: ${response.statusCode}`));
      resolve();
      response.on('data', find);
    });
    request.on('error', reject);
    return { latencies, opened, request };
  }

  #get(path: string, receive: (status: number, chunk: string, isEnd: boolean, bytes: number) => void): ClientRequest {
    const headers = { authorization: `Bearer ${this.#token}` };
    return get({ port: this.#port, host: '127.0.0.1', path, headers }, (response) => {
      let bytes = 0;
      response.setEncoding('latin1');
      response.on('data', (chunk: string) => {
        bytes += chunk.length;
        receive(response.statusCode ?? 0, chunk, false, bytes);
      });
      response.on('end', () => receive(response.statusCode ?? 0, '', true, bytes));
    });
  }
}
