import { Worker } from 'node:worker_threads';

export interface PasswordTask {
  readonly id: number;
  readonly password: string;
  /** Compare with this hash; without one, make a hash. */
  readonly hash?: string;
}

/** Passwords as bcrypt hashes. The thread is started with the first password, and does not keep the process alive. */
export class Passwords {
  #worker: Worker | undefined;
  #lastId = 0;
  readonly #waiting = new Map<number, (result: string | boolean) => void>();

  async hash(password: string): Promise<string> {
    return String(await this.#run({ password }));
  }

  async matches(password: string, hash: string): Promise<boolean> {
    return (await this.#run({ password, hash })) === true;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #run(task: Omit<PasswordTask, 'id'>): Promise<string | boolean> {
    this.#worker ??= this.#start();
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#worker?.postMessage({ id, ...task });
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL('./password-worker.ts', import.meta.url));
    worker.on('message', ({ id, result }: { id: number; result: string | boolean }) => {
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    });
    worker.unref();
    return worker;
  }
}
