import { type ChildProcess, fork, type Serializable } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { youngGenerationFlag } from '../process/garbage.ts';
import { cpuTimeMs } from './cpu-time.ts';
import { readableFolders } from './readable-folders.ts';

export interface SandboxProcessOptions {
  /** The module that the process runs. It calls `serveSandbox`. */
  readonly entry: URL;
  /** Limit of its heap. */
  readonly memoryMb: number;
  onMessage(message: unknown): void;
  /** The process has ended, by itself or by `kill`. */
  onEnd(end: SandboxEnd): void;
}

export interface SandboxEnd {
  /** It exceeded its memory limit. */
  readonly outOfMemory: boolean;
  readonly message: string;
}

const maxStderr = 4096;
/** A third of the CPU share of other processes: on a busy machine, it still progresses. */
const lowPriority = 5;

/**
 * A process for tenant input: Node's permission model denies it all files (except its own modules), child processes, threads and addons, it
 * has no environment, and its heap is limited. It can be killed in a loop.
 */
export class SandboxProcess {
  readonly #child: ChildProcess;
  #stderr = '';

  constructor({ entry, memoryMb, onMessage, onEnd }: SandboxProcessOptions) {
    this.#child = fork(entry, {
      serialization: 'advanced',
      // Templates print local times.
      env: process.env['TZ'] === undefined ? {} : { TZ: process.env['TZ'] },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: [
        '--no-warnings',
        '--permission',
        ...readableFolders().map((folder) => `--allow-fs-read=${folder}`),
        `--max-old-space-size=${memoryMb}`,
        youngGenerationFlag,
      ],
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      // The reason is printed first, before a stack trace.
      this.#stderr = (this.#stderr + chunk.toString()).slice(0, maxStderr);
    });
    this.#child.on('message', onMessage);
    this.#child.on('error', ({ message }) => onEnd({ outOfMemory: false, message }));
    this.#child.on('close', (code, signal) => {
      const outOfMemory = /heap out of memory|allocation failed/iu.test(this.#stderr);
      onEnd({ outOfMemory, message: `the sandbox ended with ${signal ?? `code ${code}`}: ${this.#stderr.trim()}` });
    });
    this.allowExit();
  }

  send(message: Serializable): void {
    // A process that has ended is reported by `onEnd`.
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  /** The CPU time that the process has used; undefined if it is not known. */
  async cpuMs(): Promise<number | undefined> {
    const { pid } = this.#child;
    return pid === undefined ? undefined : cpuTimeMs(pid);
  }

  /** Lowers the priority of the process, or restores it. False if that is not permitted: only a privileged process may raise a priority. */
  setLowPriority(low: boolean): boolean {
    const { pid } = this.#child;
    if (pid === undefined || this.#hasEnded) return false;
    try {
      setPriority(pid, low ? lowPriority : 0);
      return true;
    } catch {
      return false;
    }
  }

  /** While it is running, this process does not exit. */
  preventExit(): void {
    this.#child.ref();
    this.#child.channel?.ref();
  }

  allowExit(): void {
    this.#child.unref();
    this.#child.channel?.unref();
    const { stderr } = this.#child;
    if (stderr && 'unref' in stderr && typeof stderr.unref === 'function') stderr.unref();
  }

  async kill(): Promise<void> {
    if (this.#hasEnded) return;
    const ended = once(this.#child, 'exit');
    this.#child.ref();
    this.#child.kill('SIGKILL');
    await ended;
  }

  get #hasEnded(): boolean {
    const { pid, exitCode, signalCode } = this.#child;
    return pid === undefined || exitCode !== null || signalCode !== null;
  }
}
