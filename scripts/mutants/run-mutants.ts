import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkspaceCopy } from '../contributing/workspace-copy.ts';
import { type Mutant, mutate } from './mutant.ts';
import { type CheckOutcome, type CheckResult, runCheck } from './run-check.ts';

export interface MutantResult {
  readonly mutant: Mutant;
  /** The check that failed; undefined if the mutant survived. */
  readonly caughtBy: string | undefined;
  /** How each check that ran ended. */
  readonly results: ReadonlyMap<string, CheckOutcome>;
  readonly seconds: number;
}

export interface RunOptions {
  readonly root: string;
  readonly jobs: number;
  /** For each test file and scenario with a fault in it; more if it is slow without one, see `timeoutAfter`. */
  readonly timeoutMs: number;
}

/** How much longer than `timeoutMs` a check may take without a fault: on a busy machine that says nothing about the check. */
const patience = 10;
/** A check that takes this many times as long with a fault as without one hangs. */
const slowdown = 3;

/** Copies of the workspace, one for each job, so that a fault is in one place at a time and never in the original. */
export class Workbench {
  readonly #options: RunOptions;
  readonly #copies: readonly WorkspaceCopy[];
  /** How long each check took without a fault, in ms. */
  readonly #usual = new Map<string, number>();

  constructor(options: RunOptions) {
    this.#options = options;
    this.#copies = Array.from({ length: options.jobs }, () => new WorkspaceCopy(options.root));
    for (const { folder } of this.#copies) mkdirSync(join(folder, 'tmp'));
  }

  /** The checks that fail without any fault, also a second time: what they catch would mean nothing. Each has a line that says how. */
  async failingChecks(mutants: readonly Mutant[]): Promise<Map<string, string>> {
    const checks = [...new Set(mutants.flatMap(({ caughtBy }) => caughtBy))];
    const first = await this.#failing(checks);
    return first.size === 0 ? first : this.#failing([...first.keys()]);
  }

  async #failing(checks: readonly string[]): Promise<Map<string, string>> {
    const failing = new Map<string, string>();
    const timeoutMs = patience * this.#options.timeoutMs;
    const run = async (check: string, { folder }: WorkspaceCopy) => {
      const began = performance.now();
      const outcome = await runCheck(check, { folder, timeoutMs });
      return { check, outcome, ms: performance.now() - began };
    };
    for await (const { check, outcome, ms } of this.#each(checks, run)) {
      this.#usual.set(check, ms);
      if (outcome.result !== 'passed') failing.set(check, `${check} ${describe(outcome)} without a fault`);
    }
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
    const results = new Map<string, CheckOutcome>();
    let caughtBy: string | undefined;
    writeFileSync(path, mutate(source, mutant));
    try {
      for (const check of mutant.caughtBy) {
        const outcome = await this.#run(check, copy);
        results.set(check, outcome);
        if (isCaught(mutant, outcome.result)) {
          caughtBy = check;
          break;
        }
      }
    } finally {
      writeFileSync(path, source);
    }
    return { mutant, caughtBy, results, seconds: (performance.now() - began) / 1000 };
  }

  #run(check: string, { folder }: WorkspaceCopy): Promise<CheckOutcome> {
    return runCheck(check, { folder, timeoutMs: timeoutAfter(this.#usual.get(check), this.#options.timeoutMs) });
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

/** The time for a check with a fault, given how long it took without one. */
export const timeoutAfter = (usualMs: number | undefined, timeoutMs: number): number =>
  Math.max(timeoutMs, slowdown * (usualMs ?? 0));

export const isCaught = ({ hangs }: Mutant, result: CheckResult): boolean =>
  result === 'failed' || (result === 'timed out' && hangs === true);

export const describe = ({ result, failedTest }: CheckOutcome): string =>
  failedTest === undefined ? result : `${result} at "${failedTest}"`;
