import type { Manifest } from '@fairlead/source/oci';

/** Tags of a repository: always the complete list. */
export interface TagList {
  readonly tags: readonly string[];
  /** The ETag, with which the registry can report that nothing has changed; only if the list had one page. */
  readonly etag: string | undefined;
}

/** One registry, with one login. Failures throw an `ImagesError`. */
export interface RegistryClient {
  tags(repository: string, etag?: string): Promise<TagList | 'unchanged'>;
  /** The digest of a tag, with a HEAD request. */
  digest(repository: string, tag: string): Promise<string>;
  manifest(repository: string, reference: string): Promise<Manifest>;
  /** A small blob, checked against its digest. */
  blob(repository: string, digest: string): Promise<Buffer>;
}
