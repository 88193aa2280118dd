import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkspaceCopy } from '../contributing/workspace-copy.ts';
import { type Mutant, mutate } from './mutant.ts';
import { type CheckResult, runCheck } from './run-check.ts';

export interface MutantResult {
  readonly mutant: Mutant;
  /** The check that failed; undefined if the mutant survived. */
  readonly caughtBy: string | undefined;
  /** How each check that ran ended. */
  readonly results: ReadonlyMap<string, CheckResult>;
  readonly seconds: number;
}

export interface RunOptions {
  readonly root: string;
  readonly jobs: number;
  /** For each test file and scenario. */
  readonly timeoutMs: number;
}

/** Copies of the workspace, one for each job, so that a fault is in one place at a time and never in the original. */
export class Workbench {
  readonly #options: RunOptions;
  readonly #copies: readonly WorkspaceCopy[];

  constructor(options: RunOptions) {
    this.#options = options;
    this.#copies = Array.from({ length: options.jobs }, () => new WorkspaceCopy(options.root));
    for (const { folder } of this.#copies) mkdirSync(join(folder, 'tmp'));
  }

  /** The checks that fail without any fault: what they catch would mean nothing. */
  async failingChecks(mutants: readonly Mutant[]): Promise<string[]> {
    const checks = [...new Set(mutants.flatMap(({ caughtBy }) => caughtBy))];
    const failing: string[] = [];
    for await (const { check, result } of this.#each(checks, async (check, copy) => ({
      check,
      result: await this.#run(check, copy),
    })))
      if (result !== 'passed') failing.push(`${check} ${result} without a fault`);
    return failing;
  }

  results(mutants: readonly Mutant[]): AsyncGenerator<MutantResult> {
    return this.#each(mutants, (mutant, copy) => this.#try(mutant, copy));
  }

  remove(): void {
    for (const copy of this.#copies) copy.remove();
  }

  async #try(mutant: Mutant, copy: WorkspaceCopy): Promise<MutantResult> {
    const path = join(copy.folder, mutant.file);
    const source = readFileSync(path, 'utf8');
    const began = performance.now();
    const results = new Map<string, CheckResult>();
    let caughtBy: string | undefined;
    writeFileSync(path, mutate(source, mutant));
    try {
      for (const check of mutant.caughtBy) {
        const result = await this.#run(check, copy);
        results.set(check, result);
        if (isCaught(mutant, result)) {
          caughtBy = check;
          break;
        }
      }
    } finally {
      writeFileSync(path, source);
    }
    return { mutant, caughtBy, results, seconds: (performance.now() - began) / 1000 };
  }

  #run(check: string, { folder }: WorkspaceCopy): Promise<CheckResult> {
    return runCheck(check, { folder, timeoutMs: this.#options.timeoutMs });
  }

  /** Runs the task for each item, one at a time in each copy, and yields the results as they come. */
  async *#each<T, R>(items: readonly T[], task: (item: T, copy: WorkspaceCopy) => Promise<R>): AsyncGenerator<R> {
    const waiting = [...items];
    const running = new Map<WorkspaceCopy, Promise<{ copy: WorkspaceCopy; result: R }>>();
    const start = (copy: WorkspaceCopy): void => {
      const item = waiting.shift();
      if (item !== undefined)
        running.set(
          copy,
          task(item, copy).then((result) => ({ copy, result })),
        );
    };
    for (const copy of this.#copies) start(copy);
    while (running.size > 0) {
      const { copy, result } = await Promise.race(running.values());
      running.delete(copy);
      start(copy);
      yield result;
    }
  }
}

export const isCaught = ({ hangs }: Mutant, result: CheckResult): boolean =>
  result === 'failed' || (result === 'timed out' && hangs === true);
