import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Request {
  readonly id: number;
  readonly text: string;
  readonly parameters: readonly unknown[];
  readonly listen?: string;
}

export interface Answer {
  readonly ready?: true;
  readonly id?: number;
  readonly rows?: readonly object[];
  readonly affectedRows?: number;
  readonly error?: Readonly<Record<string, string | undefined>>;
  readonly notification?: { readonly channel: string; readonly payload: string };
}

interface Waiting {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** The parent's side of `pglite-process.ts`. After the process has exited, queries fail until it is opened again. */
export class RemotePglite {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string, Set<(payload: string) => void>>();
  readonly #exited: Promise<void>;
  #ids = 0;
  #closed = false;

  private constructor(child: ChildProcess, exited: Promise<void>) {
    this.#child = child;
    this.#exited = exited;
    child.on('message', (answer: Answer) => this.#receive(answer));
    void exited.then(() => this.#fail());
  }

  static open(dataDir: string): Promise<RemotePglite> {
    const program = fileURLToPath(new URL('./pglite-process.ts', import.meta.url));
    const child = fork(program, [dataDir], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: ['--no-warnings', '--liftoff-only', '--max-semi-space-size=2'],
    });
    let errors = '';
    child.stderr?.on('data', (chunk: Buffer) => (errors = `${errors}${chunk}`.slice(-4_000)));
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('message', () => resolve(new RemotePglite(child, exited)));
      void exited.then(() => reject(new Error(`the embedded database did not start: ${errors.trim()}`)));
    });
  }

  get closed(): boolean {
    return this.#closed;
  }

  async query(text: string, parameters: readonly unknown[] = []): Promise<{ rows: object[]; affectedRows?: number }> {
    const { rows = [], affectedRows } = await this.#ask({ text, parameters });
    return { rows: [...rows], ...(affectedRows === undefined ? {} : { affectedRows }) };
  }

  async listen(channel: string, callback: (payload: string) => void): Promise<() => Promise<void>> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners);
    listeners.add(callback);
    if (listeners.size === 1) await this.#ask({ text: '', parameters: [], listen: channel });
    return async () => void listeners.delete(callback);
  }

  /** Resolves once the process has exited and the files are complete. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#child.connected) this.#child.disconnect();
    await this.#exited;
  }

  #ask(request: Omit<Request, 'id'>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (!this.#child.connected) return reject(gone());
      this.#ids += 1;
      const id = this.#ids;
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ id, ...request }, (error) => {
        if (error && this.#waiting.delete(id)) reject(error);
      });
    });
  }

  #receive({ id, notification, error, ...answer }: Answer): void {
    if (notification)
      for (const listener of this.#listeners.get(notification.channel) ?? []) listener(notification.payload);
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (!waiting || id === undefined) return;
    this.#waiting.delete(id);
    if (error) waiting.reject(Object.assign(new Error(error['message']), error));
    else waiting.resolve(answer);
  }

  #fail(): void {
    for (const { reject } of this.#waiting.values()) reject(gone());
    this.#waiting.clear();
  }
}

const gone = (): Error =>
  Object.assign(new Error('the connection to the embedded database is closed'), { code: 'ECONNRESET' });
