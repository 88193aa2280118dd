import type { ApplicationSource } from '@fairlead/api';
import type { RenderErrorReason } from '../render-error.ts';
import type { RenderContext } from '../source/render-context.ts';
import type { RenderInputs } from '../source/render-inputs.ts';
import type { Rendered } from '../source/render-source.ts';
import type { TreeEntry } from '../tree/tree.ts';

/** `''` for the source's own tree, `$name` for the tree of a ref, `keyOfRemote` for the tree of a remote. */
export type TreeName = string;

/** Files that a render probably reads, sent with its job. All contents are in one array; null means absent. */
export interface PreloadedFiles {
  readonly stats: ReadonlyMap<string, TreeEntry | null>;
  readonly lists: ReadonlyMap<string, readonly TreeEntry[] | null>;
  readonly reads: ReadonlyMap<string, readonly [start: number, end: number] | null>;
  readonly contents: Uint8Array;
}

export interface RenderJob {
  readonly source: ApplicationSource;
  readonly context: Omit<RenderContext, 'refs' | 'fetchRemote'>;
  readonly refs: readonly string[];
  /** Whether remotes may be fetched. */
  readonly remotes: boolean;
  readonly preloaded: PreloadedFiles;
}

/** The requests of a worker to a tree, and the results. `open` fetches a remote. */
export interface TreeResults {
  readonly stat: TreeEntry | undefined;
  readonly list: readonly TreeEntry[] | undefined;
  readonly read: Uint8Array | undefined;
  readonly open: undefined;
}

export type TreeOperation = keyof TreeResults;

export interface TreeRequest {
  readonly tree: TreeName;
  readonly operation: TreeOperation;
  readonly path: string;
}

export interface TreeResponse {
  readonly value?: unknown;
  readonly error?: SerializedError;
}

/** An error as it crosses between processes. It is a RenderError if it has a reason. */
export interface SerializedError {
  readonly reason: RenderErrorReason | undefined;
  readonly message: string;
  readonly stack?: string;
  readonly inputs?: RenderInputs;
}

export type RenderResult =
  | { readonly rendered: Omit<Rendered, 'manifests'>; readonly error?: undefined }
  | { readonly rendered?: undefined; readonly error: SerializedError };

export interface RenderProtocol {
  readonly task: RenderJob;
  readonly request: TreeRequest;
  readonly reply: TreeResponse;
  /** Some manifests as JSON, which is cheaper to send than objects. In pieces, so that no large one blocks the receiver. */
  readonly part: string;
  readonly result: RenderResult;
}
