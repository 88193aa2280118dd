import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '@fairlead/kube/limits';
import { RenderError } from '../render-error.ts';
import { joinPath, type Tree } from '../tree/tree.ts';

export interface PluginFile {
  readonly path: string;
  readonly content: Uint8Array;
}

/** The paths of all files of a tree, links followed. Folders of submodules that cannot be read are left out. */
export async function* pathsOf(tree: Tree): AsyncGenerator<string> {
  let count = 0;
  const inside = async function* (folder: string, above: ReadonlySet<string>): AsyncGenerator<string> {
    for (const { name } of (await tree.list(folder)) ?? []) {
      const path = joinPath(folder, name);
      const entry = await tree.stat(path);
      if (++count > limits.renderReads) {
        throw new RenderError(
          'TooLarge',
          `the repository has more than ${limits.renderReads} files: too many for a plugin`,
        );
      }
      // A link to a folder above would never end.
      if (entry?.type === 'directory' && !above.has(entry.id)) yield* inside(path, new Set([...above, entry.id]));
      if (entry?.type === 'file') yield path;
    }
  };
  yield* inside('', new Set());
}

export async function* filesOf(tree: Tree): AsyncGenerator<PluginFile> {
  for await (const path of pathsOf(tree)) yield { path, content: (await tree.read(path)) ?? new Uint8Array() };
}

/** Writes all files of a tree into an empty folder. */
export async function writeFiles(tree: Tree, folder: string): Promise<void> {
  const made = new Set<string>();
  for await (const { path, content } of filesOf(tree)) {
    const parent = join(folder, path, '..');
    if (!made.has(parent)) await mkdir(parent, { recursive: true, mode: 0o700 });
    made.add(parent);
    await writeFile(join(folder, path), content, { mode: 0o600 });
  }
}
