import type { Application, Operation } from '@fairlead/api';
import type { KubeObject } from '@fairlead/apimachinery';
import type { TreeNode } from '@fairlead/app-controller/explain';
import type { ApiClient, KubeEvent } from '@fairlead/kube';
import type { TargetRequest, TargetState } from '../applications/sources/target-state.ts';

/** What commands do with Applications, projects and ApplicationSets. */
export type ObjectClient = Pick<ApiClient, 'get' | 'list' | 'watch' | 'create' | 'replace' | 'delete'>;

/** Older clients write these fields. */
export type AnyEvent = KubeEvent & {
  readonly deprecatedLastTimestamp?: string;
  readonly deprecatedCount?: number;
};

/** The log of one container. */
export interface ContainerLog {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly follow?: boolean;
  readonly previous?: boolean;
  readonly timestamps?: boolean;
  readonly tailLines?: number;
  readonly sinceSeconds?: number;
}

export interface ClusterRow {
  readonly name: string;
  readonly server: string;
  readonly namespaces: string;
  readonly project: string;
}

export interface RepositoryRow {
  /** The URL, or a prefix of URLs. */
  readonly name: string;
  readonly type: string;
  readonly of: 'repository' | 'prefix';
  readonly project: string;
  /** Which credentials are stored, never their value. */
  readonly credentials: string;
}

/** A rollback names an entry of the history. */
export interface OperationRequest extends Operation {
  readonly rollbackTo?: number;
}

/**
 * Where commands read and change Applications. Two implementations with the same results: the Kubernetes API of a kubeconfig, with the
 * rights that it has there, and the API server, with the rights of an account.
 */
export interface Backend {
  /** Applications, projects and ApplicationSets. Settings may be forbidden. */
  readonly client: ObjectClient;
  /** Creates an Application that does not exist. `verify` first checks that repository, revision, path and destination can be used. */
  create(application: Application, options: { readonly verify: boolean }): Promise<Application>;
  /** Replaces an Application, with the same check. Throws a conflict if it has changed since it was read. */
  update(application: Application, options: { readonly verify: boolean }): Promise<Application>;
  /** Starts an operation. Throws a conflict if the Application has changed since it was read. */
  startOperation(application: Application, operation: OperationRequest): Promise<Application>;
  terminateOperation(application: Application): Promise<Application>;
  requestRefresh(application: Application, how: 'normal' | 'hard'): Promise<void>;
  /** Deletes an Application, with its objects if `cascade`. */
  remove(application: Application, how: { readonly cascade: boolean; readonly background: boolean }): Promise<void>;
  /** The objects and their dependents. With `pods`, pods are complete; otherwise only metadata is certain. */
  tree(application: Application, options?: { readonly pods?: boolean }): Promise<TreeNode[]>;
  /** The target state, and how it differs from the live state. */
  targetState(application: Application, request?: TargetRequest): Promise<TargetState>;
  /** Compares a folder on this machine with the live state. */
  compareLocal(application: Application, folder: string): Promise<Pick<TargetState, 'differences' | 'warnings'>>;
  /** Renders a folder on this machine with the options of the Application's source. */
  renderLocal(application: Application, folder: string): Promise<string[]>;
  /** The objects of the Application as they are in their cluster. */
  liveObjects(application: Application): Promise<KubeObject[]>;
  /** Lines of a log. Throws an ApiError if there is none yet. */
  logLines(application: Application, log: ContainerLog, signal: AbortSignal): AsyncIterable<string>;
  /** Events of the Application, its objects and their dependents. */
  events(application: Application): Promise<AnyEvent[]>;
  /** Calls back for these events, those that come later, and changed ones, until the signal aborts. */
  watchEvents(application: Application, print: (event: AnyEvent) => void, signal: AbortSignal): Promise<void>;
  clusters(): Promise<ClusterRow[]>;
  repositories(): Promise<RepositoryRow[]>;
}
