import { execFileSync } from 'node:child_process';
import { join, relative } from 'node:path';
import { entryOf, filesUnder } from './file-tree.ts';
import type { ProductionPackages } from './npm-packages.ts';
import type { ArchiveEntry } from './tar-writer.ts';

/**
 * The workspace in the image. The layout stays: Node strips types from the packages of the workspace, which `node_modules` links to, and refuses
 * to under `node_modules` itself.
 */
export function workspaceFiles(root: string, { workspace }: ProductionPackages, at: string): ArchiveEntry[] {
  const paths = workspace.map(({ path }) => path);
  const tracked = execFileSync('git', ['ls-files', '-z', '--', 'package.json', 'LICENSE', ...paths], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const files = tracked.split('\0').filter((path) => path !== '' && isProduct(path));
  const links = workspace.map(({ name, path }): ArchiveEntry => {
    const link = `${at}/node_modules/${name}`;
    return { type: 'symlink', path: link, target: relative(join(link, '..'), `${at}/${path}`) };
  });
  return [...files.flatMap((path) => entryOf(join(root, path), join(at, path)) ?? []), ...links];
}

const isProduct = (path: string): boolean =>
  /^(?:package\.json|LICENSE|packages\/[^/]+\/(?:package\.json|bin\/.*|src\/.*))$/u.test(path) &&
  !/\.test\.ts$/u.test(path);

/** The packages of others, as npm has installed them. */
export function dependencyFiles(root: string, { external }: ProductionPackages, at: string): ArchiveEntry[] {
  return external.flatMap(({ path }) =>
    filesUnder(join(root, path), join(at, path), (file) => !isForDevelopment(file)),
  );
}

/** Types, source maps and packages inside packages: the latter are in the lock file where they are needed. */
const isForDevelopment = (file: string): boolean =>
  /(?:^|\/)node_modules\//u.test(file) || /\.(?:map|md|d\.[cm]?ts)$/u.test(file);
