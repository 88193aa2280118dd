import { normalizePath, type Tree, type TreeEntry } from '../tree.ts';
import type { Shipment, TreeOperation } from './protocol.ts';

export type Ask = (operation: TreeOperation, path: string) => Promise<unknown>;

/** A tree whose files are in another thread: what was sent along is at hand, the rest is asked for. */
export function askingTree(ask: Ask, shipment?: Shipment): Tree {
  return {
    async stat(path) {
      const at = normalizePath(path);
      const known = shipment?.stats.get(at);
      return (known === undefined ? ((await ask('stat', at)) as TreeEntry | undefined) : known) ?? undefined;
    },
    async list(dir) {
      const at = normalizePath(dir);
      const known = shipment?.lists.get(at);
      return (known === undefined ? ((await ask('list', at)) as TreeEntry[] | undefined) : known) ?? undefined;
    },
    async read(path) {
      const at = normalizePath(path);
      const known = shipment?.reads.get(at);
      if (known === undefined) return (await ask('read', at)) as Uint8Array | undefined;
      return known === null ? undefined : new Uint8Array(shipment!.contents, known[0], known[1] - known[0]);
    },
  };
}
