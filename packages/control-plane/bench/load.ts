/** What a server is asked for, and how long it takes: by clients that do no more than they must. */
import { connect, type TLSSocket } from 'node:tls';

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

/** A client that does no more than it must, so that the server is what is measured: one connection, one request at a time. */
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

/** `count` watchers of one namespace, `perSecond` changes a second: the times from just before a write to each watcher's event. */
export async function watchLoad(
  server: Target,
  { count, perSecond, seconds }: { readonly count: number; readonly perSecond: number; readonly seconds: number },
): Promise<number[]> {
  const warmUp = 150;
  const sent = new Map<string, number>();
  const times: number[] = [];
  const watchers = await Promise.all(Array.from({ length: count }, () => watch(server, sent, times)));
  const writers = Array.from({ length: 25 }, () => new Connection(server));
  // The first events warm both sides up; what they left behind is not counted either.
  for (let index = -warmUp; index < perSecond * seconds; index += 1) {
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
  return times.sort((a, b) => a - b);
}

/** Opens a watch and notes when each event's name arrives. */
function watch(server: Target, sent: ReadonlyMap<string, number>, times: number[]): Promise<TLSSocket> {
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
