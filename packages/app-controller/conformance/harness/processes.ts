import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';

interface Asked<Request> {
  readonly number: number;
  readonly request: Request;
}

interface Answered<Answer> {
  readonly number: number;
  readonly answer: Answer;
}

/** While one request waits for git or for a render, another continues. */
const requestsEach = 4;
/** A process with little memory starts others, such as git, much faster. */
const memoryLimits = ['--max-old-space-size=512', '--max-semi-space-size=8'];

/** Processes that answer requests with `serve`: one on each core. */
export class Processes<Request, Answer> {
  readonly #processes: ChildProcess[];
  readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>();
  #asked = 0;

  constructor(program: URL) {
    const count = Math.min(4, availableParallelism());
    this.#processes = Array.from({ length: count }, () => this.#start(program));
  }

  /** The number of concurrent requests that keeps all processes busy. */
  get capacity(): number {
    return this.#processes.length * requestsEach;
  }

  run(request: Request): Promise<Answer> {
    const number = this.#asked++;
    const waiting = Promise.withResolvers<Answer>();
    this.#waiting.set(number, waiting);
    const asked: Asked<Request> = { number, request };
    this.#processes[number % this.#processes.length]?.send(asked);
    return waiting.promise;
  }

  close(): void {
    for (const process of this.#processes) process.kill();
  }

  #start(program: URL): ChildProcess {
    const child = fork(program, { execArgv: ['--no-warnings', ...memoryLimits], serialization: 'advanced' });
    child.on('message', ({ number, answer }: Answered<Answer>) => {
      this.#waiting.get(number)?.resolve(answer);
      this.#waiting.delete(number);
    });
    child.on('exit', (code, signal) => {
      const error = new Error(`a process that runs cases ended: ${signal ?? `code ${code}`}`);
      for (const { reject } of this.#waiting.values()) reject(error);
    });
    return child;
  }
}

/** Serves the requests of the parent process. */
export function serve<Request, Answer>(work: (request: Request) => Promise<Answer>): void {
  process.on('message', ({ number, request }: Asked<Request>) => {
    void work(request).then((answer) => {
      const answered: Answered<Answer> = { number, answer };
      process.send?.(answered);
    });
  });
}
