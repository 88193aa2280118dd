import type { Manifest } from '@fairlead/source/oci';

/** Tags of a repository: always all of them. */
export interface TagList {
  readonly tags: readonly string[];
  /** By which the registry can say that nothing has changed; only where the list came in one page. */
  readonly etag: string | undefined;
}

/** One registry, with one login. What fails throws an `ImagesError`. */
export interface RegistryClient {
  tags(repository: string, etag?: string): Promise<TagList | 'unchanged'>;
  /** What a tag points at, for the price of a HEAD. */
  digest(repository: string, tag: string): Promise<string>;
  manifest(repository: string, reference: string): Promise<Manifest>;
  /** A small blob, checked against its digest. */
  blob(repository: string, digest: string): Promise<Buffer>;
}
