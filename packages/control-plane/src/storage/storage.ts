import type { KubeObject } from '@fairlead/apimachinery';

/**
 * All objects of the control plane, in memory, with a log behind it.
 *
 * - One writer: `commit` is synchronous up to the point where the write has its revision and is visible to `head`; its result resolves when
 *   the write is in the log (group commit, at most 5 ms) and published.
 * - Readers (`get`, `list`, `watch`) see only published writes, in revision order.
 * - Rules and writers read `head`, so a read-modify-write between two awaits is atomic.
 * - One revision for all resources, never reused, never decreasing, also across `kill -9`.
 * - An object is stored as its JSON text (serialized once for all readers) and parsed on demand; the parsed form is shared and held weakly:
 *   never mutate it.
 */
export interface Storage {
  /** The newest published revision. */
  readonly revision: number;
  /** The newest issued revision; `head` may be ahead of the published state. */
  readonly headRevision: number;
  /** The oldest revision from which `watch` and `listAt` are possible. */
  readonly oldest: number;
  /** Why writes are rejected at the moment, for example because the disk is full; undefined if they are not. */
  readonly refusal: Error | undefined;
  head(resource: string, namespace: string, name: string): Stored | undefined;
  /** All objects of a resource (or of one namespace) at head, in no particular order. */
  heads(resource: string, namespace?: string): Iterable<Stored>;
  get(resource: string, namespace: string, name: string): Stored | undefined;
  /** Published objects in the byte order of `namespace/name`, as in `compareKeys`: `team-a/x` is before `team/x`. */
  list(resource: string, namespace?: string): readonly Stored[];
  /** The same at an earlier revision; undefined if that is compacted (older than `oldest`). */
  listAt(resource: string, revision: number, namespace?: string): readonly Stored[] | undefined;
  /**
   * `object` is called with the revision of the write, and returns the whole object to store (with its resourceVersion). `kind: 'delete'`
   * takes the last state of the object, with the revision of its deletion, for watchers.
   */
  commit(change: Change): { readonly revision: number; readonly stored: Stored; readonly durable: Promise<void> };
  /**
   * Events after `from` (exclusive) in order, history first and then live, without a gap. Returns undefined when `from` is compacted. The
   * listener must not throw and must not block; it is called once per event, after publication.
   */
  watch(resource: string, from: number, listener: (event: StorageEvent) => void): { stop(): void } | undefined;
  /** Resolves once everything up to that revision is published: for a read that must not return unpublished writes. */
  published(revision: number): Promise<void>;
  /** Called after every publication of any resource: progress for bookmarks. */
  onPublish(listener: (revision: number) => void): { stop(): void };
  resources(): Iterable<string>;
  close(): Promise<void>;
}

export interface Stored {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly revision: number;
  readonly text: string;
  /** Parsed on demand, shared, never to be mutated. */
  readonly object: KubeObject;
}

export interface StorageEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  readonly stored: Stored;
  /** The object before this event, for selectors that it may no longer match. */
  readonly previous?: Stored;
}

export interface Change {
  readonly kind: 'put' | 'delete';
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly object: (revision: number) => KubeObject;
}
