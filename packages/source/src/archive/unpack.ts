import { pipeline, Readable, type Transform } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { parentPath, type Tree } from '@fairlead/render';
import { readTarStream, type TarEntry, TarError } from '@fairlead/render/tar';
import { SourceError } from '../source-error.ts';
import { followLink } from '../tree/tree-links.ts';
import { type ArchiveLimits, anyRatioBytes, defaultArchiveLimits } from './archive-limits.ts';
import { type ArchiveNode, archiveTree, fileNode } from './archive-tree.ts';

export interface UnpackOptions {
  /** Omit the outermost directory, which contains the chart in its archive. */
  readonly stripTop?: boolean;
  readonly limits?: Partial<ArchiveLimits>;
}

export interface Unpacked {
  readonly tree: Tree;
  /** The approximate memory that it uses. */
  readonly bytes: number;
}

export function unpacked(nodes: ReadonlyMap<string, ArchiveNode>): Unpacked {
  let bytes = 1000 + 300 * nodes.size;
  for (const node of nodes.values()) bytes += 'file' in node ? node.file.length : 0;
  return { tree: archiveTree(nodes), bytes };
}

/**
 * A tar archive, compressed or not, as a tree in memory; nothing is written to disk. The whole archive is refused if it has names or links
 * that leave it, devices, damage, or exceeds the limits.
 */
export async function unpack(archive: AsyncIterable<Uint8Array>, options: UnpackOptions = {}): Promise<Unpacked> {
  const nodes = new Map<string, ArchiveNode>();
  const folders = new Set<string>();
  const limits = { ...defaultArchiveLimits, ...options.limits };
  try {
    for await (const entry of readTarStream(await inflated(archive, limits), limits)) {
      const path = add(entry, nodes, folders, options.stripTop ?? false);
      addFolders(path, folders, limits);
      if (nodes.size + folders.size > limits.files)
        throw tooLarge(`it has more than ${limits.files} files and directories`);
    }
  } catch (error) {
    if (error instanceof TarError)
      throw error.reason === 'TooLarge' ? new SourceError('TooLarge', error.message) : invalid(error.message);
    if (isZlibError(error)) throw invalid('the archive is damaged: it cannot be decompressed');
    throw error;
  }
  for (const path of nodes.keys()) checkPlace(path, nodes);
  if (nodes.size === 0) throw invalid('the archive is empty');
  return unpacked(nodes);
}

const invalid = (message: string): SourceError => new SourceError('InvalidArchive', message);
const tooLarge = (message: string): SourceError => new SourceError('TooLarge', `the archive is too large: ${message}`);

async function inflated(archive: AsyncIterable<Uint8Array>, { ratio }: ArchiveLimits): Promise<AsyncIterable<Buffer>> {
  const iterator = archive[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) throw invalid('the archive is empty');
  let read = first.value.length;
  const whole = async function* (): AsyncGenerator<Buffer> {
    try {
      yield Buffer.from(first.value);
      for (;;) {
        const { value, done } = await iterator.next();
        if (done) return;
        read += value.length;
        yield Buffer.from(value);
      }
    } finally {
      await iterator.return?.();
    }
  };
  const inflate = inflaterFor(first.value);
  if (!inflate) return whole();
  // Errors of both sides are thrown by the reader.
  pipeline(Readable.from(whole()), inflate, () => {});
  return checkRatio(inflate, () => Math.max(anyRatioBytes, ratio * read), ratio);
}

async function* checkRatio(
  inflated: AsyncIterable<Buffer>,
  maxBytes: () => number,
  ratio: number,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of inflated) {
    bytes += chunk.length;
    if (bytes > maxBytes()) throw tooLarge(`unpacked it has more than ${ratio} times its size`);
    yield chunk;
  }
}

/** By the first bytes: gzip, zstd, or not compressed. */
function inflaterFor([a, b, c, d]: Uint8Array): Transform | undefined {
  if (a === 0x1f && b === 0x8b) return createGunzip();
  return a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd ? createZstdDecompress() : undefined;
}

const isZlibError = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^Z_|^ZSTD_|ERR_STREAM_PREMATURE/u.test(error.code);

/** Returns the path. */
function add(entry: TarEntry, nodes: Map<string, ArchiveNode>, folders: Set<string>, stripTop: boolean): string {
  if (entry.type === 'other')
    throw invalid(`${JSON.stringify(entry.name)} in the archive is neither a file, a folder nor a link`);
  const path = placeOf(entry.name, stripTop);
  if (path === '') {
    if (entry.type === 'directory' || stripTop) return path;
    throw invalid(`the archive contains an entry named ${JSON.stringify(entry.name)}`);
  }
  if (entry.type === 'directory') {
    folders.add(path);
    if (nodes.has(path)) throw twice(path);
    return path;
  }
  if (folders.has(path)) throw twice(path);
  nodes.set(path, nodeOf(entry, path, nodes, stripTop));
  return path;
}

/** The parent directories of a path, which the archive may omit. */
function addFolders(path: string, folders: Set<string>, { depth }: ArchiveLimits): void {
  if (path.split('/').length > depth + 1)
    throw tooLarge(`${JSON.stringify(path.slice(0, 200))} is more than ${depth} folders deep`);
  for (let dir = parentPath(path); dir !== '' && !folders.has(dir); dir = parentPath(dir)) folders.add(dir);
}

function nodeOf(
  entry: TarEntry,
  path: string,
  nodes: ReadonlyMap<string, ArchiveNode>,
  stripTop: boolean,
): ArchiveNode {
  if (entry.type === 'file') return fileNode(entry.content);
  if (entry.type === 'hardlink') {
    const target = nodes.get(placeOf(entry.target, stripTop));
    if (!target)
      throw invalid(
        `${JSON.stringify(path)} in the archive is a link to ${JSON.stringify(entry.target)}, which it does not contain`,
      );
    return target;
  }
  try {
    followLink(path, entry.target);
  } catch {
    throw invalid(
      `${JSON.stringify(path)} in the archive is a link to ${JSON.stringify(entry.target)}, which is outside of it`,
    );
  }
  return { link: entry.target };
}

const twice = (path: string): SourceError =>
  invalid(`${JSON.stringify(path)} is both a file and a folder in the archive`);

/** A file inside a file. */
function checkPlace(path: string, nodes: ReadonlyMap<string, ArchiveNode>): void {
  for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
    if (nodes.has(path.slice(0, end))) throw twice(path.slice(0, end));
  }
}

function placeOf(name: string, stripTop: boolean): string {
  const outside = name.startsWith('/') || /^[A-Za-z]:/u.test(name) || name.includes('\\') || name.includes('\0');
  const names = name.split('/').filter((part) => part !== '' && part !== '.');
  if (outside || names.includes('..') || name.length > 4096) {
    throw invalid(`the archive contains ${JSON.stringify(name.slice(0, 200))}, which leads out of it`);
  }
  return names.slice(stripTop ? 1 : 0).join('/');
}
