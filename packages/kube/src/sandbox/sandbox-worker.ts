import type { FromSandbox, SandboxProtocol, ToSandbox } from './protocol.ts';
import { type SandboxEnd, SandboxProcess } from './sandbox-process.ts';

export interface SandboxLimits {
  /** The CPU time limit of one task. Waiting, for a reply or for a processor, does not count. */
  readonly timeMs: number;
  /** The limit of the heap. */
  readonly memoryMb: number;
  /** A task that uses more CPU time than this gets a lower priority. The default is 1 s. */
  readonly longMs?: number;
}

/** A task was terminated because it exceeded a limit. */
export class SandboxLimitExceeded extends Error {
  readonly limit: 'time' | 'memory';

  constructor(limit: SandboxLimitExceeded['limit'], message: string) {
    super(message);
    this.name = 'SandboxLimitExceeded';
    this.limit = limit;
  }
}

export interface SandboxTask<P extends SandboxProtocol> {
  readonly task: P['task'];
  /** An error ends the task and its sandbox. */
  readonly onRequest?: (request: P['request']) => Promise<P['reply']>;
  readonly onPart?: (part: P['part']) => void;
}

interface Running<P extends SandboxProtocol> extends SandboxTask<P> {
  readonly done: (result: P['result']) => void;
  readonly failed: (error: Error) => void;
  timer: NodeJS.Timeout | undefined;
}

/** A sandbox that runs one task at a time, with a limit on the CPU time of each. It is no longer alive once a task has exceeded a limit. */
export class SandboxWorker<P extends SandboxProtocol> {
  readonly #process: SandboxProcess;
  readonly #limits: SandboxLimits;
  #isAlive = true;
  #isReady = false;
  #isSlow = false;
  /** The CPU time of the process when the running task started. */
  #cpuMs = 0;
  #running: Running<P> | undefined;

  constructor(entry: URL, limits: SandboxLimits) {
    this.#limits = limits;
    this.#process = new SandboxProcess({
      entry,
      memoryMb: limits.memoryMb,
      onMessage: (message) => this.#receive(message as FromSandbox<P>),
      onEnd: (end) => this.#stop(this.#explain(end)),
    });
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Whether it can run another task as fast as a new one. A lowered priority cannot always be restored. */
  get isReusable(): boolean {
    if (this.#isSlow && this.#process.setLowPriority(false)) this.#isSlow = false;
    return this.#isAlive && !this.#isSlow;
  }

  run(task: SandboxTask<P>): Promise<P['result']> {
    return new Promise((done, failed) => {
      this.#running = { ...task, done, failed, timer: undefined };
      this.#process.preventExit();
      this.#send({ type: 'task', task: task.task });
      if (this.#isReady) this.#startClock(this.#running);
    });
  }

  /** Ends the process at once, and fails its task. */
  async kill(reason: Error): Promise<void> {
    this.#stop(reason);
    await this.#process.kill();
  }

  #send(message: ToSandbox<P>): void {
    this.#process.send(message);
  }

  #receive(message: FromSandbox<P>): void {
    switch (message.type) {
      case 'ready':
        this.#isReady = true;
        this.#cpuMs = message.cpuMs;
        if (this.#running) this.#startClock(this.#running);
        break;
      case 'request':
        void this.#reply(message.id, message.request);
        break;
      case 'part':
        this.#running?.onPart?.(message.part);
        break;
      case 'result':
        this.#cpuMs = message.cpuMs;
        this.#finish(({ done }) => done(message.result));
        break;
      case 'failed': {
        this.#cpuMs = message.cpuMs;
        const error = new Error(message.message);
        if (message.stack !== undefined) error.stack = message.stack;
        this.#finish(({ failed }) => failed(error));
      }
    }
  }

  async #reply(id: number, request: P['request']): Promise<void> {
    const running = this.#running;
    if (!running?.onRequest) return;
    try {
      const reply = await running.onRequest(request);
      if (this.#running === running) this.#send({ type: 'reply', id, reply });
    } catch (error) {
      if (this.#running === running) this.#stop(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Terminates a task that exceeds its CPU time. If the system does not report it, elapsed time counts. */
  #startClock(running: Running<P>): void {
    const { timeMs, longMs = 1_000 } = this.#limits;
    const startedAt = performance.now();
    const pauseMs = Math.max(50, Math.min(250, longMs, timeMs / 4));
    const check = async (): Promise<void> => {
      const cpuMs = await this.#process.cpuMs();
      if (this.#running !== running) return;
      const used = cpuMs === undefined ? performance.now() - startedAt : cpuMs - this.#cpuMs;
      if (used >= timeMs)
        this.#stop(new SandboxLimitExceeded('time', `it took longer than the limit of ${timeMs / 1000} s`));
      else {
        if (used >= longMs && !this.#isSlow) this.#isSlow = this.#process.setLowPriority(true);
        running.timer = setTimeout(() => void check(), pauseMs);
      }
    };
    running.timer = setTimeout(() => void check(), pauseMs);
  }

  #finish(settle: (running: Running<P>) => void): void {
    const running = this.#running;
    if (!running) return;
    this.#running = undefined;
    clearTimeout(running.timer);
    this.#process.allowExit();
    settle(running);
  }

  #stop(error: Error): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    void this.#process.kill();
    this.#finish(({ failed }) => failed(error));
  }

  #explain({ outOfMemory, message }: SandboxEnd): Error {
    const { memoryMb } = this.#limits;
    return outOfMemory
      ? new SandboxLimitExceeded('memory', `it needs more memory than the limit of ${memoryMb} MiB`)
      : new Error(message);
  }
}
