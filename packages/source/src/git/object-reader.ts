import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { type Clock, limits } from '@fairlead/kube';
import { SourceError } from '../source-error.ts';
import type { Git } from './git-process.ts';
import { isObjectId } from './ref-scan.ts';

export interface GitObject {
  readonly type: 'blob' | 'tree' | 'commit' | 'tag';
  readonly content: Buffer;
}

/** Many repositories are read rarely: a process for each would be idle. */
const idleMs = 15_000;

interface Waiting {
  resolve(object: GitObject | undefined): void;
  reject(error: Error): void;
}

/**
 * Reads objects of one repository through a long-running `git cat-file --batch`: it is started on the first read, responds in order, and is
 * stopped when idle.
 */
export class ObjectReader {
  readonly #git: Git;
  readonly #repository: string;
  readonly #clock: Clock;
  #process: ChildProcessWithoutNullStreams | undefined;
  /** Pending requests, oldest first: the process responds in order. */
  #waiting: Waiting[] = [];
  #chunks: Buffer[] = [];
  #buffered = 0;
  /** The number of bytes required before parsing: a large object arrives in many chunks. */
  #needed = 0;
  /** Remaining bytes of an object that is too large to be stored. */
  #skip = 0;
  #cancelIdle = (): void => {};

  constructor(git: Git, repository: string, clock: Clock) {
    this.#git = git;
    this.#repository = repository;
    this.#clock = clock;
  }

  /** Undefined if the repository does not have the object. */
  read(id: string): Promise<GitObject | undefined> {
    if (!isObjectId(id)) return Promise.reject(new SourceError('ObjectMissing', `${id} is not an object id`));
    this.#cancelIdle();
    const process = (this.#process ??= this.#start());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      process.stdin.write(`${id}\n`);
    });
  }

  close(): void {
    this.#cancelIdle();
    this.#process?.stdin?.end();
    this.#process?.stdout?.resume();
    this.#process = undefined;
    this.#fail(new SourceError('RepositoryUnavailable', 'the reader of the repository was closed'));
  }

  #start(): ChildProcessWithoutNullStreams {
    const child = this.#git.open(['cat-file', '--batch'], this.#repository);
    const broken = (error: Error): void => {
      if (this.#process === child) this.#process = undefined;
      this.#fail(new SourceError('RepositoryUnavailable', `reading objects stopped: ${error.message}`));
    };
    child.stdout.on('data', (chunk: Buffer) => {
      if (this.#process === child) this.#take(chunk);
    });
    child.stderr.resume();
    child.stdin.on('error', broken);
    child.on('error', broken);
    child.on('exit', (code) => {
      if (this.#process === child) broken(new Error(`git cat-file ended with code ${code}`));
    });
    child.unref();
    return child;
  }

  #take(received: Buffer): void {
    const skipped = Math.min(this.#skip, received.length);
    this.#skip -= skipped;
    const chunk = received.subarray(skipped);
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
    if (this.#buffered < this.#needed) return;
    const buffer = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
    const rest = this.#readAnswers(buffer);
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#buffered = rest.length;
  }

  /** The rest is the start of a response. */
  #readAnswers(buffer: Buffer): Buffer {
    let at = 0;
    this.#needed = 0;
    for (let newline = buffer.indexOf(10); newline >= 0; newline = buffer.indexOf(10, at)) {
      const [id = '', type = '', size = ''] = buffer.toString('latin1', at, newline).split(' ');
      const end = newline + 1 + Number(size);
      if (type === 'missing') {
        at = newline + 1;
        this.#answer(undefined);
      } else if (Number(size) > limits.gitObjectBytes) {
        this.#skip = Math.max(0, end + 1 - buffer.length);
        at = Math.min(buffer.length, end + 1);
        this.#refuse(
          new SourceError('TooLarge', `${type} ${id} has ${size} bytes: at most ${limits.gitObjectBytes} are read`),
        );
      } else if (buffer.length <= end) {
        this.#needed = end + 1 - at;
        break;
      } else {
        this.#answer({ type: type as GitObject['type'], content: Buffer.from(buffer.subarray(newline + 1, end)) });
        at = end + 1;
      }
    }
    return buffer.subarray(at);
  }

  #answer(object: GitObject | undefined): void {
    this.#waiting.shift()?.resolve(object);
    this.#rest();
  }

  #refuse(error: Error): void {
    this.#waiting.shift()?.reject(error);
    this.#rest();
  }

  #rest(): void {
    if (this.#waiting.length === 0) this.#cancelIdle = this.#clock.after(idleMs, () => this.close());
  }

  #fail(error: Error): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#chunks = [];
    this.#buffered = 0;
    this.#needed = 0;
    this.#skip = 0;
    for (const one of waiting) one.reject(error);
  }
}
