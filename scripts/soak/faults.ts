import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type Application, applicationKind } from '@fairlead/api';
import { isNotFound } from '@fairlead/apimachinery';
import { type Random, sleep, systemClock } from '@fairlead/kube';
import { unless } from './churn.ts';
import type { MeasuredProcess } from './measured-process.ts';
import type { Stage } from './stage.ts';

/** Faults of what Fairlead depends on, and of the processes themselves. Each ends by itself. */
export class Faults {
  readonly #stage: Stage;
  readonly #random: Random;
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #counts = new Map<string, number>();
  #sources: readonly string[] = [];
  #number = 0;

  constructor(stage: Stage, random: Random) {
    this.#stage = stage;
    this.#random = random;
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** Starts the servers of bad sources: one accepts connections and never answers, one answers with errors, and one is not there. */
  async start(): Promise<void> {
    const hanging = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket)).on('error', () => socket.destroy());
    });
    const failing = createHttpServer((request, response) => {
      request.resume();
      response.writeHead(500).end('the disk is full\n');
    });
    const ports: number[] = [];
    for (const server of [hanging, failing]) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      ports.push((server.address() as AddressInfo).port);
      this.#servers.push(server);
    }
    this.#sources = [...ports, 1].map((port) => `http://127.0.0.1:${port}/absent.git`);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  /** One fault, for up to `ms`. */
  async cause(ms: number, signal: AbortSignal): Promise<void> {
    const { network, postgres } = this.#stage;
    const all: [string, () => Promise<void>][] = [
      ['bad source', () => this.#badSource(ms, signal)],
      ['bad source', () => this.#badSource(ms, signal)],
    ];
    if (network) {
      all.push(
        ['broken connections of the agent', async () => network.breakAll()],
        [
          'no network for the agent',
          () =>
            this.#during(
              ms,
              signal,
              () => network.cut(),
              () => network.join(),
            ),
        ],
        [
          'slow network for the agent',
          () =>
            this.#during(
              ms,
              signal,
              () => void (network.delayMs = 100),
              () => network.join(),
            ),
        ],
        [
          'a network that drops messages of the agent',
          () =>
            this.#during(
              ms,
              signal,
              () => network.halfOpen('up'),
              () => {
                network.breakAll();
                network.join();
              },
            ),
        ],
      );
    }
    const crash = 'crash of the database';
    if (postgres) all.push([crash, () => postgres.stop('immediate').then(() => postgres.start())]);
    const fault = all[Math.floor(this.#random() * all.length)];
    if (!fault) return;
    try {
      await fault[1]();
      this.#count(fault[0]);
    } catch (error) {
      // Without a database, tenants would wait until the end of the run.
      if (fault[0] === crash) throw error;
      // The API server restarts at the same time.
      this.#count(`${fault[0]} failed`);
    }
  }

  /** Ends a process as an administrator or a crash does, and starts it again. */
  async restart(name: string, signals: readonly NodeJS.Signals[]): Promise<void> {
    const found = this.#stage.process(name);
    if (!found) return;
    const signal = signals[Math.floor(this.#random() * signals.length)] ?? 'SIGTERM';
    await found.stop(signal);
    await this.#start(found);
    this.#count(`restart of ${name} (${signal})`);
  }

  /** Starts the processes again that have ended by themselves, as a kubelet does. Returns a line for each. */
  async restartExited(): Promise<string[]> {
    const exited = this.#stage.processes.filter(({ hasExited }) => hasExited);
    return Promise.all(
      exited.map(async (process) => {
        const line = process.output.trim().split('\n').at(-1) ?? '';
        await this.#start(process);
        this.#count(`exit of ${process.spec.name}`);
        return `${process.spec.name} ended and was started again: ${line}`;
      }),
    );
  }

  /** A process that cannot reach its API server ends, and is started again later. */
  async #start(process: MeasuredProcess): Promise<void> {
    await process.start().catch((error: unknown) => {
      if (!process.hasExited) throw error;
    });
  }

  async #badSource(ms: number, signal: AbortSignal): Promise<void> {
    const repoURL = this.#sources[Math.floor(this.#random() * this.#sources.length)] ?? '';
    const names = Array.from({ length: 5 }, () => `bad-${this.#number++}`);
    try {
      for (const name of names) await this.#stage.hub.create(applicationKind.type, badApplication(name, repoURL));
      await pause(ms, signal);
    } finally {
      for (const name of names) await this.#removeApplication(name);
    }
  }

  /** Until the API server answers: an Application that stays would look like a leak. */
  async #removeApplication(name: string): Promise<void> {
    for (;;) {
      try {
        return await this.#stage.hub
          .delete(applicationKind.type, { namespace: 'argocd', name })
          .then(() => {}, unless(isNotFound));
      } catch {
        await sleep(systemClock, 1_000);
      }
    }
  }

  async #during(ms: number, signal: AbortSignal, begin: () => void, end: () => void): Promise<void> {
    begin();
    await pause(ms, signal);
    end();
  }

  #count(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }
}

/** Ends early when the run does. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> => sleep(systemClock, ms, signal).catch(() => {});

const badApplication = (name: string, repoURL: string): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { namespace: 'argocd', name },
  spec: {
    project: 'default',
    source: { repoURL, path: '.' },
    destination: { name: 'in-cluster', namespace: name },
    syncPolicy: { automated: {} },
  },
});
