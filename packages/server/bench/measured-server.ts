import { type ChildProcess, fork } from 'node:child_process';
import { type ClientRequest, get } from 'node:http';
import { sleep, systemClock, youngGenerationFlag } from '@fairlead/kube';
import { waitForProcessorMs } from '@fairlead/kube/testing';

/** Before the time of an update, in milliseconds: of an annotation, or of a revision. */
const marks = { annotation: '"bench/sent":"', revision: '"revision":"' };

export const percentile = (values: readonly number[], percent: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
};

/** Waits until a figure does not change for half a second. */
export async function settled(figure: () => number): Promise<void> {
  for (let last = -1; last !== figure(); ) {
    last = figure();
    await sleep(systemClock, 500);
  }
}

export const answer = (child: ChildProcess, ask: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const receive = (message: { ask: string; value: number }): void => {
      if (message.ask !== ask) return;
      child.off('message', receive);
      resolve(message.value);
    };
    child.on('message', receive);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });

export interface MeasuredAnswer {
  readonly ms: number;
  /** Without the time in which other processes had the processors. */
  readonly busyMs: number;
  readonly bytes: number;
}

/** The server process, and a client of it. */
export class MeasuredServer {
  readonly #child: ChildProcess;
  readonly #port: number;
  #token = '';

  constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.#port = port;
    child.setMaxListeners(0);
  }

  static async start(apps: number): Promise<MeasuredServer> {
    const child = fork(new URL('./server-process.ts', import.meta.url), [String(apps)], {
      execArgv: ['--expose-gc', '--no-warnings', youngGenerationFlag],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    return new MeasuredServer(child, await answer(child, 'ready'));
  }

  kill(): void {
    this.#child.kill();
  }

  get address(): { readonly port: number; readonly token: string } {
    return { port: this.#port, token: this.#token };
  }

  ask(ask: 'memory' | 'peak' | 'lag' | 'cpu' | 'update' | 'status', more: object = {}): Promise<number> {
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

  read(path: string): Promise<MeasuredAnswer> {
    const processes = [this.#child.pid ?? 0, process.pid];
    const before = processes.map((pid) => waitForProcessorMs(pid));
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      this.#get(path, (status, chunk, isEnd, bytes) => {
        if (status !== 200) return reject(new Error(`${path}: ${status} ${chunk}`));
        if (!isEnd) return;
        const ms = performance.now() - startedAt;
        // Both may wait at the same time, so their sum could be too much.
        const waited = Math.max(...processes.map((pid, i) => waitForProcessorMs(pid) - (before[i] ?? 0)));
        resolve({ ms, busyMs: Math.max(0, ms - waited), bytes });
      }).on('error', reject);
    });
  }

  stream(path: string): MeasuredStream {
    return openStream(this.address, path, 'annotation');
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

export interface MeasuredStream {
  /** From the time that an event contains until it has arrived. */
  readonly latencies: number[];
  readonly opened: Promise<void>;
  readonly request: ClientRequest;
}

/** Latencies are read from the bytes: decoding them would cost more than the server does. */
export function openStream(
  { port, token }: MeasuredServer['address'],
  path: string,
  kind: keyof typeof marks,
): MeasuredStream {
  const mark = Buffer.from(marks[kind]);
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
  const headers = { authorization: `Bearer ${token}` };
  const request = get({ port, host: '127.0.0.1', path, headers }, (response) => {
    if (response.statusCode !== 200) reject(new Error(`stream: ${response.statusCode}`));
    resolve();
    response.on('data', find);
  });
  request.on('error', reject);
  return { latencies, opened, request };
}
