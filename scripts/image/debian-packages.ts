import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { debianClosure, debianRoots, isNeeded } from './debian-closure.ts';
import { filesUnder } from './file-tree.ts';
import type { ArchiveEntry } from './tar-writer.ts';

/** One package of Debian in the version that every build uses. */
export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
}

/** The reason why packages cannot be downloaded here; undefined if they can. */
export function whyNoPackages(): string | undefined {
  try {
    execFileSync('apt-get', ['--print-uris', 'download', 'dash'], { stdio: 'pipe' });
    execFileSync('dpkg-deb', ['--version'], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return `apt-get cannot download packages: ${error instanceof Error ? error.message.split('\n')[0] : error}`;
  }
}

/** The newest versions that apt-get knows of everything that the image needs. */
export function resolvePackages(): DebianPackage[] {
  const fieldsOf = new Map<string, ReadonlyMap<string, string>>();
  const fields = (name: string): ReadonlyMap<string, string> => {
    const known = fieldsOf.get(name) ?? parseControl(run('apt-cache', ['show', '--no-all-versions', name]));
    fieldsOf.set(name, known);
    return known;
  };
  const field = (name: string, key: string): string => fields(name).get(key) ?? '';
  const names = debianClosure(debianRoots, (name) => `${field(name, 'Pre-Depends')},${field(name, 'Depends')}`);
  return names.map((name) => ({ name, version: field(name, 'Version'), sha256: field(name, 'SHA256') }));
}

/** Downloads a package in exactly its version and unpacks it. The folder is a cache for the next build. */
export function unpackPackage({ name, version, sha256 }: DebianPackage, cacheDir: string): ArchiveEntry[] {
  mkdirSync(cacheDir, { recursive: true });
  const prefix = `${name}_${version.replaceAll(':', '%3a')}_`;
  const find = (): string | undefined => readdirSync(cacheDir).find((file) => file.startsWith(prefix));
  if (find() === undefined) run('apt-get', ['-q', 'download', `${name}=${version}`], cacheDir);
  const file = find();
  if (file === undefined) throw new Error(`apt-get download ${name}=${version} wrote no file ${prefix}*.deb`);
  const archive = join(cacheDir, file);
  const actual = createHash('sha256').update(readFileSync(archive)).digest('hex');
  if (actual !== sha256) {
    rmSync(archive);
    throw new Error(`${file} has sha256 ${actual}, and scripts/image/debian-packages.json has ${sha256}`);
  }
  const dir = join(cacheDir, 'root', name);
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  run('dpkg-deb', ['-x', archive, dir]);
  const control = run('dpkg-deb', ['-f', archive]);
  return [
    ...filesUnder(dir, '', isNeeded),
    // Where scanners for vulnerabilities look for packages of images without dpkg.
    { type: 'file', path: `var/lib/dpkg/status.d/${name}`, content: Buffer.from(control) },
  ];
}

/** The first line of each field; long descriptions are ignored. */
function parseControl(text: string): ReadonlyMap<string, string> {
  const first = text.split('\n\n')[0] ?? '';
  return new Map([...first.matchAll(/^([A-Z][\w-]*): (.*)$/gmu)].map(([, key = '', value = '']) => [key, value]));
}

function run(program: string, args: readonly string[], cwd?: string): string {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe', cwd, maxBuffer: 1 << 26 });
  } catch (error) {
    const hint =
      program === 'apt-get' ? '. Run apt-get update; if the version is gone, npm run image -- --update-packages' : '';
    throw new Error(`${program} ${args.join(' ')} failed${hint}`, { cause: error });
  }
}
