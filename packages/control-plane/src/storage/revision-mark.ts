import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { syncDirectory, unfinished, writeDurably } from './data-directory.ts';

const name = 'revision';
const block = 10_000;

/** On disk: no revision above `mark` was ever acknowledged, and the log once reached `logged`. */
export interface Marked {
  readonly mark: number;
  readonly logged: number;
}

/**
 * The mark is moved ahead in blocks before it is reached, so that if the end of the log is lost for any reason, revisions still continue
 * above all that clients have received.
 */
export class RevisionMark {
  private readonly dir: string;
  private mark: number;
  private logged: number;

  constructor(dir: string, mark: number, logged: number) {
    this.dir = dir;
    this.mark = mark;
    this.logged = logged;
  }

  /** Before any write up to `revision` is acknowledged. */
  reach(revision: number): void {
    if (revision > this.mark) this.set(revision + block);
  }

  reached(revision: number): void {
    this.logged = revision;
  }

  /** On a clean shutdown nothing is in flight, and the mark is exact. */
  settle(revision: number): void {
    this.set(revision);
  }

  private set(mark: number): void {
    const path = join(this.dir, name);
    writeDurably(unfinished(path), Buffer.from(`${mark} ${this.logged}\n`));
    renameSync(unfinished(path), path);
    syncDirectory(this.dir);
    this.mark = mark;
  }
}

/** Undefined if it is missing or invalid. */
export function readRevisionMark(dir: string): Marked | undefined {
  try {
    const found = /^(\d{1,15}) (\d{1,15})\n$/.exec(readFileSync(join(dir, name), 'utf8'));
    return found ? { mark: Number(found[1]), logged: Number(found[2]) } : undefined;
  } catch {
    return undefined;
  }
}

/** The next revision if the mark is lost: further than any process would have moved it. */
export const withoutMark = (revision: number): Marked => ({ mark: revision + block, logged: revision });
