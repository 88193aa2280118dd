import type { Tree } from '../tree/tree.ts';

/** Something outside the tree that a source refers to by URL. */
export type RemoteRequest =
  /** A Git repository. The URL may have `?ref=`. */
  | { readonly kind: 'repository'; readonly url: string }
  /** A chart with a version in a range. The repository is a URL, or `@name` for a repository that has a name. */
  | { readonly kind: 'chart'; readonly repository: string; readonly name: string; readonly version: string }
  | { readonly kind: 'file'; readonly url: string };

/**
 * Fetches a remote, if the caller permits it: the tree of a repository, the tree of a chart's folder, or a tree with one file named
 * `remoteFile`. A `RenderError` is the source's fault and part of the render's outcome; any other error aborts the render.
 */
export type FetchRemote = (request: RemoteRequest) => Promise<Tree>;

export const remoteFile = 'content';

export const keyOfRemote = (request: RemoteRequest): string => JSON.stringify(request);
export const remoteOfKey = (key: string): RemoteRequest => JSON.parse(key) as RemoteRequest;
