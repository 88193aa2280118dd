import type { KubeObject, ObjectKey, ResourceType, Status } from '@fairlead/apimachinery';

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';
export type Propagation = 'Background' | 'Foreground' | 'Orphan';

export interface ReadOptions {
  readonly signal?: AbortSignal;
  readonly resourceVersion?: string;
}

export interface ListOptions extends ReadOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
}

export interface WatchOptions extends ReadOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly allowWatchBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
  readonly resourceVersionMatch?: 'NotOlderThan';
  readonly timeoutSeconds?: number;
}

export interface WriteOptions {
  readonly signal?: AbortSignal;
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
  readonly subresource?: string;
}

export interface PatchOptions extends WriteOptions {
  readonly force?: boolean;
}

export interface DeleteOptions {
  readonly signal?: AbortSignal;
  readonly dryRun?: boolean;
  readonly propagationPolicy?: Propagation;
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

export interface ObjectList<T extends KubeObject = KubeObject> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export type WatchEvent<T extends KubeObject = KubeObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | {
      readonly type: 'BOOKMARK';
      readonly object: { metadata: { resourceVersion: string; annotations?: Record<string, string> } };
    }
  | { readonly type: 'ERROR'; readonly object: Status };

/**
 * The verbs of the Kubernetes API, with errors as `ApiError`. Two implementations: over HTTP (`HttpClient`), and inside the embedded
 * control plane without a wire. Informers and controllers use this interface with both.
 */
export interface ApiClient {
  get<T extends KubeObject = KubeObject>(
    type: ResourceType,
    key: ObjectKey,
    options?: ReadOptions & { subresource?: string },
  ): Promise<T>;
  list<T extends KubeObject = KubeObject>(type: ResourceType, options?: ListOptions): Promise<ObjectList<T>>;
  /** Ends when the server ends it or the signal aborts; a broken stream throws. */
  watch<T extends KubeObject = KubeObject>(type: ResourceType, options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
  create<T extends KubeObject = KubeObject>(type: ResourceType, object: T, options?: WriteOptions): Promise<T>;
  replace<T extends KubeObject = KubeObject>(type: ResourceType, object: T, options?: WriteOptions): Promise<T>;
  patch<T extends KubeObject = KubeObject>(
    type: ResourceType,
    key: ObjectKey,
    patchType: PatchType,
    body: unknown,
    options?: PatchOptions,
  ): Promise<T>;
  /** The response of the server: the deleted object, the object that waits for its finalizers, or a Status. */
  delete(type: ResourceType, key: ObjectKey, options?: DeleteOptions): Promise<KubeObject | Status>;
  deleteCollection(type: ResourceType, options?: ListOptions & DeleteOptions): Promise<void>;
}
