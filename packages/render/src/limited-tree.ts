import { RenderError } from './render-error.ts';
import type { Tree } from './tree.ts';

const maxFileBytes = 20 * 1024 * 1024;
const maxRenderBytes = 128 * 1024 * 1024;

/** A tree that one render may read so much of. */
export function limitedTree(tree: Tree): Tree {
  let bytes = 0;
  return {
    stat: (path) => tree.stat(path),
    list: (dir) => tree.list(dir),
    async read(path) {
      const content = await tree.read(path);
      bytes += content?.length ?? 0;
      if ((content?.length ?? 0) > maxFileBytes)
        throw new RenderError('TooLarge', `${path} is larger than the ${mebibytes(maxFileBytes)} that a file may have`);
      if (bytes > maxRenderBytes)
        throw new RenderError('TooLarge', `${path}: more than ${mebibytes(maxRenderBytes)} of files are read in all`);
      return content;
    },
  };
}

const mebibytes = (bytes: number): string => `${bytes / 1024 ** 2} MiB`;
