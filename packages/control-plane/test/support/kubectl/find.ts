import { execFile } from 'node:child_process';
import { readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** A kubectl on this machine. */
export interface Kubectl {
  readonly path: string;
  /** Its reported version: `v1.33.1`. */
  readonly version: string;
}

/** Every kubectl on the PATH, and its siblings like `kubectl.1.29` in its real directory; newest first. */
export async function findKubectls(searchPath = process.env['PATH'] ?? ''): Promise<Kubectl[]> {
  const found = await Promise.all(candidates(searchPath).map(kubectlAt));
  return found.filter((kubectl) => kubectl !== undefined).sort((a, b) => compareVersions(b.version, a.version));
}

/** The kubectl at a path; undefined if there is none that works. */
export async function kubectlAt(path: string): Promise<Kubectl | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ['version', '--client', '-o', 'json'], { timeout: 30_000 });
    const { clientVersion } = JSON.parse(stdout) as { clientVersion: { gitVersion: string } };
    return { path, version: clientVersion.gitVersion };
  } catch {
    return undefined;
  }
}

function candidates(searchPath: string): string[] {
  const folders = new Set<string>();
  const found = new Map<string, string>();
  for (const folder of searchPath.split(delimiter).filter(Boolean)) {
    const real = realPath(join(folder, 'kubectl'));
    if (!real) continue;
    found.set(real, join(folder, 'kubectl'));
    folders.add(folder).add(dirname(real));
  }
  for (const folder of folders) {
    for (const name of readdirSync(folder)) {
      const real = /^kubectl[.-]?v?1\.\d+(\.\d+)?$/.test(name) ? realPath(join(folder, name)) : undefined;
      if (real && !found.has(real)) found.set(real, join(folder, name));
    }
  }
  return [...found.values()];
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** By numbers; a plain version is newer than the same one with a suffix. */
function compareVersions(a: string, b: string): number {
  const numbers = (version: string): number[] => (/\d+(\.\d+)*/.exec(version)?.[0] ?? '0').split('.').map(Number);
  const [left, right] = [numbers(a), numbers(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const order = (left[at] ?? 0) - (right[at] ?? 0);
    if (order !== 0) return order;
  }
  return Number(b.includes('-')) - Number(a.includes('-'));
}
