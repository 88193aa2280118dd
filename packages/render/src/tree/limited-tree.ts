import { RenderError } from '../render-error.ts';
import type { Tree } from './tree.ts';

const maxFileBytes = 20 * 1024 * 1024;
const maxRenderBytes = 128 * 1024 * 1024;

/** A tree that limits how much one render reads. */
export function limitedTree(tree: Tree): Tree {
  let bytes = 0;
  return {
    stat: (path) => tree.stat(path),
    list: (dir) => tree.list(dir),
    async read(path) {
      const content = await tree.read(path);
      bytes += content?.length ?? 0;
      if ((content?.length ?? 0) > maxFileBytes)
        throw new RenderError('TooLarge', `${path} is larger than ${mebibytes(maxFileBytes)}, the limit for one file`);
      if (bytes > maxRenderBytes)
        throw new RenderError(
          'TooLarge',
          `${path}: the render reads more than ${mebibytes(maxRenderBytes)} of files: split the source`,
        );
      return content;
    },
  };
}

const mebibytes = (bytes: number): string => `${bytes / 1024 ** 2} MiB`;
