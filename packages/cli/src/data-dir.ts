import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { messageOf, textAt } from '@fairlead/apimachinery';
import { lockDirectory } from '@fairlead/kube/directory-lock';
import { CliError } from './cli-error.ts';

/** The paths of one instance in its data folder. */
export interface DataDir {
  readonly root: string;
  readonly kubeconfig: string;
  readonly controlPlane: string;
  readonly database: string;
  readonly repositories: string;
  readonly cache: string;
  readonly demo: string;
  readonly run: string;
}

export function dataDirAt(path: string): DataDir {
  const root = resolve(path);
  const inside = (name: string): string => join(root, name);
  return {
    root,
    kubeconfig: inside('kubeconfig'),
    controlPlane: inside('control-plane'),
    database: inside('database'),
    repositories: inside('git'),
    cache: inside('cache'),
    demo: inside('demo'),
    run: inside('run'),
  };
}

export const defaultDataDir = '.fairlead';

/** Creates and locks the folder. The operating system releases the lock when the process ends. */
export function lockDataDir(dir: DataDir): { release(): void } {
  try {
    mkdirSync(dir.run, { recursive: true, mode: 0o700 });
    writeFileSync(join(dir.run, 'probe'), '');
  } catch (error) {
    throw new CliError(`data folder ${dir.root} is not writable (${reason(error)}): choose another with --data-dir`);
  }
  try {
    return lockDirectory(dir.run);
  } catch (error) {
    if (!/is in use/u.test(messageOf(error))) throw error;
    throw new CliError(
      `another instance${processText(dir)} runs on ${dir.root}: stop it with fairlead down --data-dir ${dir.root}, or choose another folder`,
    );
  }
}

const reason = (error: unknown): string => textAt(error, 'code') || messageOf(error);

/** The id of the process that locks the folder, as it recorded it. */
export function ownerOf(dir: DataDir): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(dir.run, 'owner'), 'utf8'), 10);
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function processText(dir: DataDir): string {
  const pid = ownerOf(dir);
  return pid === undefined ? '' : ` (process ${pid})`;
}

/** Ports and token of the last start, so that addresses and kubeconfigs stay valid after a restart. */
export interface InstanceState {
  readonly apiPort?: number;
  readonly gitPort?: number;
  readonly statusPort?: number;
  readonly serverPort?: number;
  readonly registryPort?: number;
  readonly token?: string;
  /** The holder of Leases: the next process on this folder is the same holder, because the folder is locked. */
  readonly identity?: string;
}

export function loadInstanceState(dir: DataDir): InstanceState {
  try {
    const parsed: unknown = JSON.parse(readFileSync(join(dir.run, 'remembered.json'), 'utf8'));
    return typeof parsed === 'object' && parsed !== null ? (parsed as InstanceState) : {};
  } catch {
    return {};
  }
}

export function saveInstanceState(dir: DataDir, what: InstanceState): void {
  writeFileSync(join(dir.run, 'remembered.json'), `${JSON.stringify(what)}\n`, { mode: 0o600 });
}
