import { boolean, int64, list, object, oneOf, required, type Static, string, time } from '../schema.ts';
import { initiatedBy, operation } from './operation.ts';
import { applicationSource } from './source.ts';
import { destination, ignoreDifference, managedNamespaceMetadata, sourceHydrator } from './spec.ts';

const healthStatus = object({
  status: string('Healthy, Suspended, Progressing, Missing, Degraded or Unknown.'),
  message: string(),
  lastTransitionTime: time(),
});

const condition = object({
  type: required(string()),
  message: required(string('Why, in one sentence.')),
  lastTransitionTime: time(),
});

const revisionHistory = object({
  id: required(int64('The id for a rollback.')),
  revision: string(),
  revisions: list(string()),
  deployStartedAt: time(),
  deployedAt: required(time()),
  initiatedBy,
  source: applicationSource,
  sources: list(applicationSource),
});

const resourceResult = object({
  group: required(string()),
  version: required(string()),
  kind: required(string()),
  namespace: required(string()),
  name: required(string()),
  status: string('Synced, SyncFailed, Pruned or PruneSkipped.'),
  message: string(),
  hookType: string(),
  hookPhase: string('Running, Succeeded, Failed, Error or Terminating.'),
  syncPhase: string('PreSync, Sync, PostSync or SyncFail.'),
  images: list(string()),
});

const operationState = object(
  {
    operation: required(operation),
    phase: required(string('Running, Terminating, Failed, Error or Succeeded.')),
    message: string(),
    startedAt: required(time()),
    finishedAt: time(),
    retryCount: int64(),
    syncResult: object({
      revision: required(string()),
      revisions: list(string()),
      source: applicationSource,
      sources: list(applicationSource),
      resources: list(resourceResult),
      managedNamespaceMetadata,
    }),
  },
  'The operation under way, or the last one.',
);

const resourceStatus = object({
  group: string(),
  version: string(),
  kind: string(),
  namespace: string(),
  name: string(),
  status: string('Synced or OutOfSync.'),
  health: healthStatus,
  hook: boolean(),
  requiresPruning: boolean('Live, and no longer in the source.'),
  requiresDeletionConfirmation: boolean(),
  syncWave: int64(),
});

const syncStatus = object(
  {
    status: required(string('Synced, OutOfSync or Unknown.')),
    revision: string(),
    revisions: list(string()),
    comparedTo: object({
      destination: required(destination),
      ignoreDifferences: list(ignoreDifference),
      source: applicationSource,
      sources: list(applicationSource),
    }),
  },
  'Whether the live state equals the target state.',
);

const hydration = object({
  currentOperation: object({
    phase: required(oneOf(['Hydrating', 'Failed', 'Hydrated'])),
    message: required(string()),
    drySHA: string(),
    hydratedSHA: string(),
    startedAt: time(),
    finishedAt: time(),
    sourceHydrator,
  }),
  lastSuccessfulOperation: object({ drySHA: string(), hydratedSHA: string(), sourceHydrator }),
  lastComparedDryRevision: string(),
});

export const applicationStatus = object(
  {
    sync: syncStatus,
    health: healthStatus,
    resources: list(resourceStatus, 'Each object of the Application.'),
    conditions: list(condition, 'Errors and warnings.'),
    operationState,
    history: list(revisionHistory, 'Past syncs.'),
    reconciledAt: time('When source and cluster were last compared.'),
    observedAt: time(),
    sourceType: string('Directory, Helm, Kustomize or Plugin.'),
    sourceTypes: list(string()),
    summary: object({ images: list(string()), externalURLs: list(string()), isAppOfApps: boolean() }),
    resourceHealthSource: string('Where the health of each resource is stored: inline if empty.'),
    controllerNamespace: string(),
    sourceHydrator: hydration,
  },
  'The observed state. Written by the controller.',
);

export interface ApplicationStatus extends Static<typeof applicationStatus> {}
export interface ApplicationCondition extends Static<typeof condition> {}
export interface OperationState extends Static<typeof operationState> {}
export interface ResourceStatus extends Static<typeof resourceStatus> {}
export interface ResourceResult extends Static<typeof resourceResult> {}
export interface RevisionHistory extends Static<typeof revisionHistory> {}
export interface SyncStatus extends Static<typeof syncStatus> {}
