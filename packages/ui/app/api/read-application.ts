import { at, listAt, numberAt, objectAt, objectsAt, stringsAt, textAt } from '@fairlead/apimachinery/json-at';
import { get } from './argocd.ts';

export interface ManagedResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly status: string;
  readonly health: string;
  readonly healthMessage: string;
  readonly requiresPruning: boolean;
}

export interface HistoryEntry {
  readonly id: number;
  readonly revision: string;
  readonly revisions: readonly string[];
  readonly deployedAt: string;
  readonly deployStartedAt: string;
  readonly initiatedBy: string;
}

export interface SyncResultItem {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly status: string;
  readonly hookPhase: string;
  readonly hookType: string;
  readonly phase: string;
  readonly message: string;
}

export interface OperationState {
  readonly phase: string;
  readonly message: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly initiatedBy: string;
  readonly revision: string;
  readonly results: readonly SyncResultItem[];
}

/** What the page shows of an Application. */
export interface ApplicationDetail {
  readonly namespace: string;
  readonly name: string;
  readonly project: string;
  readonly tenant: string;
  readonly sync: string;
  readonly health: string;
  readonly revision: string;
  readonly repoURL: string;
  readonly path: string;
  readonly targetRevision: string;
  readonly sourceCount: number;
  readonly sourceType: string;
  readonly cluster: string;
  readonly destinationNamespace: string;
  readonly autoSync: 'enabled' | 'disabled' | 'suspended';
  readonly reconciledAt: string;
  readonly createdAt: string;
  readonly isDeleting: boolean;
  readonly conditions: readonly { readonly type: string; readonly message: string; readonly since: string }[];
  readonly resources: readonly ManagedResource[];
  readonly history: readonly HistoryEntry[];
  readonly operation: OperationState | undefined;
  readonly images: readonly string[];
  readonly urls: readonly string[];
  /** As it is stored. */
  readonly object: unknown;
}

export async function readApplication(
  namespace: string,
  name: string,
  { refresh, signal }: { readonly refresh?: 'normal' | 'hard'; readonly signal?: AbortSignal } = {},
): Promise<ApplicationDetail> {
  return detailOf(await get(`applications/${encodeURIComponent(name)}`, { appNamespace: namespace, refresh }, signal));
}

export function detailOf(object: unknown): ApplicationDetail {
  const sources = objectsAt(object, 'spec', 'sources');
  const source = sources[0] ?? objectAt(object, 'spec', 'source');
  return {
    namespace: textAt(object, 'metadata', 'namespace'),
    name: textAt(object, 'metadata', 'name'),
    project: textAt(object, 'spec', 'project'),
    tenant: '',
    sync: textAt(object, 'status', 'sync', 'status') || 'Unknown',
    health: textAt(object, 'status', 'health', 'status') || 'Unknown',
    revision: textAt(object, 'status', 'sync', 'revision') || textsAt(object, 'status', 'sync', 'revisions')[0] || '',
    repoURL: textAt(source, 'repoURL'),
    path: textAt(source, 'path') || textAt(source, 'chart'),
    targetRevision: textAt(source, 'targetRevision') || 'HEAD',
    sourceCount: Math.max(1, sources.length),
    sourceType: textAt(object, 'status', 'sourceType'),
    cluster: textAt(object, 'spec', 'destination', 'name') || textAt(object, 'spec', 'destination', 'server'),
    destinationNamespace: textAt(object, 'spec', 'destination', 'namespace'),
    autoSync: autoSyncOf(object),
    reconciledAt: textAt(object, 'status', 'reconciledAt'),
    createdAt: textAt(object, 'metadata', 'creationTimestamp'),
    isDeleting: textAt(object, 'metadata', 'deletionTimestamp') !== '',
    conditions: objectsAt(object, 'status', 'conditions').map((condition) => ({
      type: textAt(condition, 'type'),
      message: textAt(condition, 'message'),
      since: textAt(condition, 'lastTransitionTime'),
    })),
    resources: objectsAt(object, 'status', 'resources').map(resourceOf),
    history: objectsAt(object, 'status', 'history').map(historyEntryOf).reverse(),
    operation: operationOf(objectAt(object, 'status', 'operationState')),
    images: textsAt(object, 'status', 'summary', 'images'),
    urls: textsAt(object, 'status', 'summary', 'externalURLs'),
    object,
  };
}

export const textsAt = (value: unknown, ...path: readonly string[]): string[] =>
  listAt(value, ...path).filter((item) => typeof item === 'string');

function autoSyncOf(object: unknown): ApplicationDetail['autoSync'] {
  const automated = objectAt(object, 'spec', 'syncPolicy', 'automated');
  if (!automated) return 'disabled';
  return at(automated, 'enabled') === false ? 'suspended' : 'enabled';
}

const resourceOf = (resource: unknown): ManagedResource => ({
  group: textAt(resource, 'group'),
  version: textAt(resource, 'version'),
  kind: textAt(resource, 'kind'),
  namespace: textAt(resource, 'namespace'),
  name: textAt(resource, 'name'),
  status: textAt(resource, 'status'),
  health: textAt(resource, 'health', 'status'),
  healthMessage: textAt(resource, 'health', 'message'),
  requiresPruning: at(resource, 'requiresPruning') === true,
});

const historyEntryOf = (entry: unknown): HistoryEntry => ({
  id: numberAt(entry, 'id'),
  revision: textAt(entry, 'revision') || textsAt(entry, 'revisions')[0] || '',
  revisions: textsAt(entry, 'revisions'),
  deployedAt: textAt(entry, 'deployedAt'),
  deployStartedAt: textAt(entry, 'deployStartedAt'),
  initiatedBy: initiatorOf(entry),
});

function initiatorOf(value: unknown): string {
  if (at(value, 'initiatedBy', 'automated') === true) return 'automated';
  return textAt(value, 'initiatedBy', 'username');
}

function operationOf(state: unknown): OperationState | undefined {
  if (!objectAt({ state }, 'state')) return undefined;
  return {
    phase: textAt(state, 'phase'),
    message: textAt(state, 'message'),
    startedAt: textAt(state, 'startedAt'),
    finishedAt: textAt(state, 'finishedAt'),
    initiatedBy: initiatorOf(objectAt(state, 'operation')),
    revision: textAt(state, 'syncResult', 'revision'),
    results: objectsAt(state, 'syncResult', 'resources').map((result) => ({
      group: textAt(result, 'group'),
      kind: textAt(result, 'kind'),
      namespace: textAt(result, 'namespace'),
      name: textAt(result, 'name'),
      status: textAt(result, 'status'),
      hookPhase: textAt(result, 'hookPhase'),
      hookType: textAt(result, 'hookType'),
      phase: textAt(result, 'syncPhase'),
      message: textAt(result, 'message'),
    })),
  };
}

export const labelsOf = (object: unknown): Record<string, string> => stringsAt(object, 'metadata', 'labels');
