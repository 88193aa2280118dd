import type { ApplicationSource } from '@fairlead/api';
import type { TreeRecord } from '../recording-tree.ts';
import { joinPath, normalizePath, type Tree, type TreeEntry } from '../tree.ts';
import type { Shipment } from './protocol.ts';

/** More than this is not sent unasked. */
const maxFiles = 400;
const maxBytes = 4 * 1024 * 1024;
const maxDepth = 4;

/** Paths that a render looked at, to be sent along with the next one of the same source. */
export interface Hint {
  readonly stats: readonly string[];
  readonly lists: readonly string[];
  readonly reads: readonly string[];
}

export const hintOf = ({ stats, lists, reads }: TreeRecord): Hint | undefined =>
  reads.size > maxFiles ? undefined : { stats: [...stats.keys()], lists: [...lists.keys()], reads: [...reads.keys()] };

class Packer {
  readonly stats = new Map<string, TreeEntry | null>();
  readonly lists = new Map<string, readonly TreeEntry[] | null>();
  private readonly files = new Map<string, Uint8Array | null>();
  private readonly tree: Tree;
  private bytes = 0;

  constructor(tree: Tree) {
    this.tree = tree;
  }

  get isFull(): boolean {
    return this.files.size >= maxFiles || this.bytes >= maxBytes;
  }

  async stat(path: string): Promise<void> {
    if (!this.stats.has(path)) this.stats.set(path, (await this.tree.stat(path)) ?? null);
  }

  async list(dir: string): Promise<readonly TreeEntry[]> {
    const entries = (await this.tree.list(dir)) ?? null;
    this.lists.set(dir, entries);
    await this.stat(dir);
    return entries ?? [];
  }

  /** A render that reads a file also asks for its id. */
  async read(path: string): Promise<void> {
    if (this.isFull) return;
    const content = (await this.tree.read(path)) ?? null;
    this.bytes += content?.length ?? 0;
    this.files.set(path, content);
    await this.stat(path);
  }

  packed(): Shipment {
    const contents = new Uint8Array(this.bytes);
    const reads = new Map<string, [number, number] | null>();
    let at = 0;
    for (const [path, content] of this.files) {
      reads.set(path, content && [at, at + content.length]);
      if (content) contents.set(content, at);
      at += content?.length ?? 0;
    }
    return { stats: this.stats, lists: this.lists, reads, contents: contents.buffer };
  }
}

/** What a render of the source will look at, as far as can be told: what it looked at last time, else what is in its folder. */
export async function packShipment(source: ApplicationSource, tree: Tree, hint: Hint | undefined): Promise<Shipment> {
  const packer = new Packer(tree);
  // What fails here fails again when the render asks for it, and is told then.
  const attempt = async (step: () => Promise<unknown>): Promise<void> => {
    await step().catch(() => {});
  };
  if (hint) {
    for (const path of hint.stats) await attempt(() => packer.stat(path));
    for (const dir of hint.lists) await attempt(() => packer.list(dir));
    for (const path of hint.reads) await attempt(() => packer.read(path));
  } else await attempt(() => packFolder(packer, normalizePath(source.chart ? '' : (source.path ?? ''))));
  return packer.packed();
}

async function packFolder(packer: Packer, top: string): Promise<void> {
  await packer.stat(top);
  const folders: [dir: string, depth: number][] = [[top, 0]];
  for (const [dir, depth] of folders) {
    for (const entry of await packer.list(dir)) {
      if (packer.isFull) return;
      const path = joinPath(dir, entry.name);
      if (entry.type === 'file') await packer.read(path);
      else if (entry.type === 'directory' && depth < maxDepth) folders.push([path, depth + 1]);
    }
  }
}
