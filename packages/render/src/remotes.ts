import type { Tree } from './tree.ts';

/** Something that a source names by address, and that is not in its tree. */
export type RemoteRequest =
  /** A Git repository, with `?ref=` where one was given. */
  | { readonly kind: 'repository'; readonly url: string }
  /** A chart whose version is in a range; the repository may be an address, or `@name` of one that is known by name. */
  | { readonly kind: 'chart'; readonly repository: string; readonly name: string; readonly version: string }
  | { readonly kind: 'file'; readonly url: string };

/**
 * Brings what is asked for, as far as whoever renders permits it: the tree of a repository, that of a chart's folder, or one that holds a
 * single file under the name `remoteFile`. A refusal that is the source's own matter is a `RenderError`; anything else ends the render.
 */
export type FetchRemote = (request: RemoteRequest) => Promise<Tree>;

export const remoteFile = 'content';

export const keyOfRemote = (request: RemoteRequest): string => JSON.stringify(request);
export const remoteOfKey = (key: string): RemoteRequest => JSON.parse(key) as RemoteRequest;
