import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program that a test needs: its path, or why it is missing, for `skip`. */
export interface Part {
  readonly path: string;
  readonly skip: string | false;
}

const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/bin', '/usr/local/bin'];

function find(program: string): string | undefined {
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

/** Finds the program, and installs its Debian package if permitted. */
export function debianPart(program: string, debianPackage: string): Part {
  const path = find(program);
  if (path) return { path, skip: false };
  const skip = `no ${program} on this machine (Debian: ${debianPackage})`;
  if (process.getuid?.() !== 0 || !find('apt-get')) return { path: '', skip };
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', debianPackage], {
    stdio: 'ignore',
    timeout: 120_000,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  });
  const installed = find(program);
  return installed ? { path: installed, skip: false } : { path: '', skip: `${skip}, and it could not be installed` };
}
