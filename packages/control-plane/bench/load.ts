/** The load of a server, and its timing: with minimal clients. */
import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import type { OnReadOpts } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';

/** A server that speaks the Kubernetes API. */
export interface Target {
  readonly url: URL;
  readonly ca: string;
  readonly token: string;
}

const payload = 'x'.repeat(1700);
const configMap = (name: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { app: 'bench' } },
    data: { payload },
  });

/** A minimal client, so that the server is measured: one connection, one request at a time. */
class Connection {
  readonly #socket: TLSSocket;
  readonly #head: string;
  #received = '';
  #answered: (status: number) => void = () => {};

  constructor(server: Target) {
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
    const length = /content-length: (\d+)/i.exec(this.#received)?.[1];
    const isWhole = length
      ? this.#received.length >= end + 4 + Number(length)
      : this.#received.endsWith('\r\n0\r\n\r\n');
    if (!isWhole) return;
    const status = Number(this.#received.slice(9, 12));
    this.#received = '';
    this.#socket.removeAllListeners('error');
    this.#answered(status);
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** `writers` clients, each one request at a time, until `count` responses. Returns the time of each in milliseconds. */
export async function load(
  server: Target,
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

export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

export interface WatchLoad {
  readonly count: number;
  /** The number of HTTP/2 connections; if absent, each has an HTTP/1.1 connection. */
  readonly connections?: number;
  readonly perSecond: number;
  readonly seconds: number;
  readonly rounds: number;
}

export interface Watching {
  /** `perSecond` changes per second, for this many seconds: the sorted times from just before a write to the event of each watcher. */
  round(): Promise<number[]>;
  stop(): void;
}

/** Before this many events, the code of a server is not optimized yet. */
const warmUp = 500;

/** `count` watchers of one namespace, warmed up. */
export async function startWatching(server: Target, load: WatchLoad): Promise<Watching> {
  const { count, connections, perSecond, seconds } = load;
  const sent = new Map<string, number>();
  const times: number[] = [];
  const seen: OnEvent = (name, now) => {
    const from = sent.get(name);
    if (from !== undefined) times.push(now - from);
  };
  const watchers = connections
    ? await Promise.all(Array.from({ length: connections }, () => watchTogether(server, count / connections, seen)))
    : await Promise.all(Array.from({ length: count }, () => watchAlone(server, seen)));
  const writers = Array.from({ length: 25 }, () => new Connection(server));
  let next = 0;
  const round = async (events: number): Promise<number[]> => {
    for (let i = 0; i < events; i++) {
      const name = `e-${String(next++).padStart(6, '0')}`;
      const body = JSON.stringify({ metadata: { name }, data: { k: 'v' } });
      sent.set(name, performance.now());
      void writers[next % writers.length]!.post('/api/v1/namespaces/default/configmaps', body);
      await new Promise((resolve) => setTimeout(resolve, 1000 / perSecond));
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
    return times.splice(0).sort((a, b) => a - b);
  };
  await round(warmUp);
  return {
    round: () => round(perSecond * seconds),
    stop() {
      for (const watcher of watchers) watcher.destroy();
      for (const writer of writers) writer.close();
    },
  };
}

/** Called for each event that arrives, with the name of its object. */
type OnEvent = (name: string, now: number) => void;

const watchPath = '/api/v1/namespaces/default/configmaps?watch=true&resourceVersion=0';
const mark = Buffer.from('"name":"e-');

function find(chunk: Buffer, seen: OnEvent): void {
  const now = performance.now();
  for (let at = chunk.indexOf(mark); at >= 0; at = chunk.indexOf(mark, at + mark.length)) {
    seen(chunk.toString('latin1', at + 8, at + 16), now);
  }
}

/** This many watches on one connection, as in a program with many informers. */
async function watchTogether(server: Target, count: number, seen: OnEvent): Promise<ClientHttp2Session> {
  const session = connectHttp2(server.url, { ca: server.ca });
  const watches = Array.from({ length: count }, async () => {
    const watch = session.request({ ':path': watchPath, authorization: `Bearer ${server.token}` });
    await once(watch, 'response');
    watch.on('data', (chunk: Buffer) => find(chunk, seen));
  });
  await Promise.all(watches);
  return session;
}

const received = Buffer.alloc(64 * 1024);

/** One watch on a separate connection. All of these read into one buffer, so that the client costs little. */
function watchAlone(server: Target, seen: OnEvent): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const callback = (length: number): boolean => {
      resolve(socket);
      find(received.subarray(0, length), seen);
      return true;
    };
    const { hostname: host, port } = server.url;
    const options: ConnectionOptions & { readonly onread: OnReadOpts } = {
      host,
      port: Number(port),
      ca: server.ca,
      onread: { buffer: received, callback },
    };
    const socket = connect(options, () => {
      socket.write(`GET ${watchPath} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${server.token}\r\n\r\n`);
    });
    socket.once('error', reject);
  });
}
