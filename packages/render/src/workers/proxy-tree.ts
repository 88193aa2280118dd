import { normalizePath, type Tree } from '../tree/tree.ts';
import type { PreloadedFiles, TreeOperation, TreeResults } from './protocol.ts';

export type RequestTree = <Operation extends TreeOperation>(
  operation: Operation,
  path: string,
) => Promise<TreeResults[Operation]>;

/** A tree whose files are in another process. Preloaded files are used directly, others are requested. */
export function proxyTree(request: RequestTree, preloaded?: PreloadedFiles): Tree {
  return {
    async stat(path) {
      const at = normalizePath(path);
      const known = preloaded?.stats.get(at);
      return (known === undefined ? await request('stat', at) : known) ?? undefined;
    },
    async list(dir) {
      const at = normalizePath(dir);
      const known = preloaded?.lists.get(at);
      return (known === undefined ? await request('list', at) : known) ?? undefined;
    },
    async read(path) {
      const at = normalizePath(path);
      const known = preloaded?.reads.get(at);
      if (!preloaded || known === undefined) return request('read', at);
      if (known === null) return undefined;
      const [start, end] = known;
      return preloaded.contents.subarray(start, end);
    },
  };
}
