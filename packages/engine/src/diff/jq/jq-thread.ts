import { Worker } from 'node:worker_threads';
import type { FromJqWorker, JqAnswer, JqJob } from './jq-worker.ts';

export class JqTimeout extends Error {
  constructor(timeMs: number) {
    super(`jq did not end within ${timeMs / 1000} s`);
  }
}

interface Waiting {
  readonly job: JqJob;
  readonly resolve: (answer: JqAnswer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * One thread that runs jq, one job at a time. It is started by the first job; a job that takes too long is ended with its thread, and
 * the next one starts another.
 */
export class JqThread {
  readonly #timeMs: number;
  readonly #queue: Waiting[] = [];
  #worker: Worker | undefined;
  #ready = false;
  #running: (Waiting & { timer: NodeJS.Timeout }) | undefined;
  #lastId = 0;
  #closed = false;

  constructor(timeMs: number) {
    this.#timeMs = timeMs;
  }

  run(program: string, input: string): Promise<JqAnswer> {
    if (this.#closed) return Promise.reject(new Error('jq was closed'));
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      this.#queue.push({ job: { id: this.#lastId, program, input }, resolve, reject });
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#queue.splice(0)) reject(new Error('jq was closed'));
    await this.#stop(new Error('jq was closed'));
  }

  #next(): void {
    this.#worker ??= this.#start();
    if (!this.#ready || this.#running) return;
    const waiting = this.#queue.shift();
    if (!waiting) {
      this.#worker.unref();
      return;
    }
    this.#worker.ref();
    const timer = setTimeout(() => void this.#stop(new JqTimeout(this.#timeMs)), this.#timeMs);
    this.#running = { ...waiting, timer };
    this.#worker.postMessage(waiting.job);
  }

  #start(): Worker {
    this.#ready = false;
    const worker = new Worker(new URL('./jq-worker.ts', import.meta.url), {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    worker.on('message', (message: FromJqWorker) => {
      if (worker !== this.#worker) return;
      if ('ready' in message) this.#ready = true;
      else this.#answered(message);
      this.#next();
    });
    worker.on(
      'error',
      (error) => worker === this.#worker && void this.#stop(error instanceof Error ? error : new Error(String(error))),
    );
    return worker;
  }

  #answered(answer: JqAnswer): void {
    const running = this.#running;
    if (running?.job.id !== answer.id) return;
    this.#running = undefined;
    clearTimeout(running.timer);
    running.resolve(answer);
  }

  async #stop(reason: Error): Promise<void> {
    const [worker, running] = [this.#worker, this.#running];
    this.#worker = undefined;
    this.#running = undefined;
    if (running) {
      clearTimeout(running.timer);
      running.reject(reason);
    } else if (!this.#closed) this.#queue.shift()?.reject(reason);
    await worker?.terminate();
    if (this.#queue.length > 0 && !this.#closed) this.#next();
  }
}
