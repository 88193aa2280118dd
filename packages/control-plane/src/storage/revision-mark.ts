import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { syncDirectory, unfinished, writeDurably } from './data-directory.ts';

const name = 'revision';
const block = 10_000;

/**
 * A promise on disk that nothing above a revision was ever answered. It is moved ahead in blocks before it is reached, so when the
 * end of the log is lost, whatever the cause, revisions still continue above all that clients have seen.
 */
export class RevisionMark {
  private readonly dir: string;
  private mark: number;

  constructor(dir: string, mark: number) {
    this.dir = dir;
    this.mark = mark;
  }

  /** Before any write up to `revision` is answered. */
  reach(revision: number): void {
    if (revision > this.mark) this.set(revision + block);
  }

  /** At a clean end nothing is in flight, and the mark is exact. */
  settle(revision: number): void {
    this.set(revision);
  }

  private set(mark: number): void {
    const path = join(this.dir, name);
    writeDurably(unfinished(path), Buffer.from(`${mark}\n`));
    renameSync(unfinished(path), path);
    syncDirectory(this.dir);
    this.mark = mark;
  }
}

/** Undefined when there is none that can be read. */
export function readRevisionMark(dir: string): number | undefined {
  try {
    const text = readFileSync(join(dir, name), 'utf8');
    return /^\d{1,15}\n$/.test(text) ? Number(text) : undefined;
  } catch {
    return undefined;
  }
}

/** What to continue from where the mark is lost: further than any one process would have moved it. */
export const withoutMark = (revision: number): number => revision + block;
