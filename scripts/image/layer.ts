import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { completeTree } from './file-tree.ts';
import { type ArchiveEntry, writeTar } from './tar-writer.ts';

export interface Blob {
  readonly digest: string;
  readonly bytes: Buffer;
}

export interface Layer extends Blob {
  /** The digest of the archive before compression. */
  readonly diffId: string;
  readonly unpackedBytes: number;
  /** What the layer contains, for the history of the image. */
  readonly comment: string;
}

export const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
export const blobOf = (bytes: Buffer): Blob => ({ digest: digestOf(bytes), bytes });
export const jsonBlob = (value: unknown): Blob => blobOf(Buffer.from(JSON.stringify(value)));

/** Packs files into a layer. Equal entries give the same digest, in any order. */
export function createLayer(comment: string, entries: readonly ArchiveEntry[]): Layer {
  const archive = writeTar(completeTree(entries));
  return { ...blobOf(gzipSync(archive)), diffId: digestOf(archive), unpackedBytes: archive.length, comment };
}
