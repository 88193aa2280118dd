import type { ApplicationSource } from '@fairlead/api';
import type { Basis } from '../recording.ts';
import type { RenderContext } from '../render-context.ts';
import type { RenderErrorReason } from '../render-error.ts';
import type { Rendered } from '../render-source.ts';
import type { TreeEntry } from '../tree.ts';

/** A tree by name: the source's own is `''`, that of a ref `$name`, that of something named by address its `keyOfRemote`. */
export type TreeName = string;

/** Files that a render is likely to look at, sent along so that it need not ask for each. All contents are in one buffer. */
export interface Shipment {
  readonly stats: ReadonlyMap<string, TreeEntry | null>;
  readonly lists: ReadonlyMap<string, readonly TreeEntry[] | null>;
  readonly reads: ReadonlyMap<string, readonly [start: number, end: number] | null>;
  readonly contents: ArrayBuffer;
}

export interface RenderJob {
  readonly type: 'render';
  readonly source: ApplicationSource;
  readonly context: Omit<RenderContext, 'refs' | 'fetchRemote'>;
  readonly refs: readonly string[];
  readonly remotes: boolean;
  readonly shipment: Shipment;
}

export type TreeOperation = 'stat' | 'list' | 'read' | 'open';

/** What a worker asks of the thread that has the trees. `open` brings what is named by address. */
export interface TreeQuestion {
  readonly type: 'question';
  readonly id: number;
  readonly tree: TreeName;
  readonly operation: TreeOperation;
  readonly path: string;
}

export interface TreeAnswer {
  readonly type: 'answer';
  readonly id: number;
  readonly value?: unknown;
  readonly refusal?: Refusal;
}

/** An error as it crosses between threads. */
export interface Refusal {
  readonly reason: RenderErrorReason | undefined;
  readonly message: string;
  readonly stack?: string;
  readonly basis?: Basis;
}

export interface RenderDone {
  readonly type: 'done';
  readonly rendered: Omit<Rendered, 'manifests'>;
  /** JSON: cheaper to send than the objects. */
  readonly manifests: string;
}

export interface RenderFailed {
  readonly type: 'failed';
  readonly refusal: Refusal;
}

export type ToWorker = RenderJob | TreeAnswer;

/** A worker has loaded what it needs: from now on time counts. */
export interface WorkerReady {
  readonly type: 'ready';
}

export type FromWorker = WorkerReady | TreeQuestion | RenderDone | RenderFailed;
