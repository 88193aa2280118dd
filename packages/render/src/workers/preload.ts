import type { ApplicationSource } from '@fairlead/api';
import type { TreeRecord } from '../tree/recording-tree.ts';
import { joinPath, normalizePath, type Tree, type TreeEntry } from '../tree/tree.ts';
import type { PreloadedFiles } from './protocol.ts';

const maxFiles = 400;
const maxBytes = 4 * 1024 * 1024;
const maxDepth = 4;

/** Paths that the last render of a source used, to preload them for the next one. */
export interface PreloadHint {
  readonly stats: readonly string[];
  readonly lists: readonly string[];
  readonly reads: readonly string[];
}

export const hintOf = ({ stats, lists, reads }: TreeRecord): PreloadHint | undefined =>
  reads.size > maxFiles ? undefined : { stats: [...stats.keys()], lists: [...lists.keys()], reads: [...reads.keys()] };

class Preloader {
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

  /** A render that reads a file also requests its id. */
  async read(path: string): Promise<void> {
    if (this.isFull) return;
    const content = (await this.tree.read(path)) ?? null;
    this.bytes += content?.length ?? 0;
    this.files.set(path, content);
    await this.stat(path);
  }

  finish(): PreloadedFiles {
    const contents = new Uint8Array(this.bytes);
    const reads = new Map<string, [number, number] | null>();
    let at = 0;
    for (const [path, content] of this.files) {
      reads.set(path, content && [at, at + content.length]);
      if (content) contents.set(content, at);
      at += content?.length ?? 0;
    }
    return { stats: this.stats, lists: this.lists, reads, contents };
  }
}

/** The files that a render of the source probably reads: those of its last render, or the files of its folder. */
export async function preloadFiles(
  source: ApplicationSource,
  tree: Tree,
  hint: PreloadHint | undefined,
): Promise<PreloadedFiles> {
  const preloader = new Preloader(tree);
  // A failure here repeats when the render requests the file, and is reported then.
  const attempt = async (step: () => Promise<unknown>): Promise<void> => {
    await step().catch(() => {});
  };
  if (hint) {
    for (const path of hint.stats) await attempt(() => preloader.stat(path));
    for (const dir of hint.lists) await attempt(() => preloader.list(dir));
    for (const path of hint.reads) await attempt(() => preloader.read(path));
  } else await attempt(async () => preloadFolder(preloader, normalizePath(source.chart ? '' : (source.path ?? ''))));
  return preloader.finish();
}

async function preloadFolder(preloader: Preloader, top: string): Promise<void> {
  await preloader.stat(top);
  const folders: [dir: string, depth: number][] = [[top, 0]];
  for (const [dir, depth] of folders) {
    for (const entry of await preloader.list(dir)) {
      if (preloader.isFull) return;
      const path = joinPath(dir, entry.name);
      if (entry.type === 'file') await preloader.read(path);
      else if (entry.type === 'directory' && depth < maxDepth) folders.push([path, depth + 1]);
    }
  }
}
