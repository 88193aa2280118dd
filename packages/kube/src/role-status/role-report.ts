import type { QueueStatus } from './role-status.ts';

type ReadQueue = () => Omit<QueueStatus, 'name'>;
type ReadProblem = () => string | undefined | Promise<string | undefined>;

/** What a role says of itself when it is asked: its parts add their queues, and what can keep them from working. */
export class RoleReport {
  readonly #queues = new Map<string, ReadQueue>();
  readonly #problems: ReadProblem[] = [];

  queue(name: string, read: ReadQueue): void {
    this.#queues.set(name, read);
  }

  /** One sentence, or undefined if there is no problem. */
  problem(read: ReadProblem): void {
    this.#problems.push(read);
  }

  async read(): Promise<{ readonly queues: QueueStatus[]; readonly problem?: string }> {
    const found = await Promise.all(this.#problems.map((read) => read()));
    const problem = found.find((text) => text !== undefined);
    return {
      queues: [...this.#queues].map(([name, read]) => ({ name, ...read() })),
      ...(problem === undefined ? {} : { problem }),
    };
  }
}
