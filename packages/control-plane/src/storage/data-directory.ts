import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@fairlead/apimachinery';
import { StorageError } from './journal.ts';

/**
 * The files of the directory. Logs are numbered; snapshot N contains everything that was written before log N, so a start reads the newest
 * snapshot and the logs from its number on.
 */
export interface DataFiles {
  readonly snapshot: number | undefined;
  /** The current ones, in order. */
  readonly logs: readonly number[];
  /** Remains of a process that crashed between two steps. */
  readonly stale: readonly string[];
}

const numbered = (kind: string, number: number): string => `${kind}-${String(number).padStart(8, '0')}`;
export const logName = (number: number): string => numbered('log', number);
export const snapshotName = (number: number): string => numbered('snapshot', number);
export const unfinished = (name: string): string => `${name}.unfinished`;

export function listDataFiles(dir: string): DataFiles {
  const names = readdirSync(dir);
  const numbersOf = (kind: string): number[] =>
    names
      .filter((name) => new RegExp(`^${kind}-\\d{8,}$`).test(name))
      .map((name) => Number(name.slice(kind.length + 1)))
      .sort((a, b) => a - b);
  const snapshots = numbersOf('snapshot');
  const snapshot = snapshots.at(-1);
  const first = snapshot ?? 1;
  const logs = numbersOf('log');
  return {
    snapshot,
    logs: logs.filter((number) => number >= first),
    stale: [
      ...snapshots.slice(0, -1).map(snapshotName),
      ...logs.filter((number) => number < first).map(logName),
      ...names.filter((name) => name.endsWith('.unfinished')),
    ],
  };
}

export function makeDirectory(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const probe = join(dir, unfinished('probe'));
    closeSync(openSync(probe, 'w'));
    rmSync(probe);
  } catch (error) {
    throw new StorageError(`${dir} cannot be written (${messageOf(error)})`, { cause: error });
  }
}

/** A name in a directory is durable only once the directory is synced. */
export function syncDirectory(dir: string): void {
  const handle = openSync(dir, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

export function removeFiles(dir: string, names: readonly string[]): void {
  for (const name of names) rmSync(join(dir, name), { force: true });
}

export function writeDurably(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'w', 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
