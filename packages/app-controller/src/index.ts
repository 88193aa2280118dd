export { AppController } from './app-controller.ts';
export {
  ApplicationSetController,
  type ApplicationSetControllerOptions,
  type ApplicationSetSettings,
  applicationSetRefreshAnnotation,
  applicationSetSettings,
  concernsGenerators,
  confirmDeletionAnnotation,
  createForgeHttp,
  createGitReader,
  createObjectReader,
  defaultApplicationSetSettings,
  type ForgeEvent,
  type ForgeHttp,
  GenerationFailed,
  type GeneratorEnv,
  type GitReader,
  generate as generateApplications,
  type ObjectReader,
  type Preview,
  type PreviewEnv,
  type PreviewedChange,
  previewSet,
  requestSetRefreshes,
} from './applicationset/index.ts';
export { type Cluster, clusterAs, type OpenCluster, openCluster } from './cluster/cluster.ts';
export {
  type ClusterConnection,
  connectionOver,
  connectTo,
  type StreamingConnection,
} from './cluster/cluster-connection.ts';
export { type ClusterConfig, type ReadSecret, readClusterSecret } from './cluster/cluster-secret.ts';
export { ClusterSet } from './cluster/cluster-set.ts';
export { inClusterName, inClusterServer, isDestination, notFound, sameServer } from './cluster/clusters.ts';
export { inClusterEntry } from './cluster/in-cluster.ts';
export type { ComparedResource, Comparison } from './compare/compare.ts';
export { type CompareOnceResult, compareOnce } from './compare/compare-once.ts';
export { withManagedNamespace } from './compare/managed-namespace.ts';
export { orphansOf } from './compare/orphans.ts';
export { type Target, type Targets, targetsOfMany } from './compare/targets.ts';
export type { HydrationCommit, HydrationWriter } from './hydrator/hydration-writer.ts';
export { allowedNetworksOf } from './project/allowed-networks.ts';
export { isWatchedNamespace } from './project/application-namespaces.ts';
export { parseCron } from './project/cron.ts';
export { type GlobalProject, globalsOf, withGlobals } from './project/global-projects.ts';
export { actorOf } from './project/impersonation.ts';
export {
  isDestinationPermitted,
  isResourcePermitted,
  isSourceNamespacePermitted,
  isSourcePermitted,
} from './project/project.ts';
export { activeSyncWindows, assignedSyncWindows, syncWindowDecision } from './project/sync-window.ts';
export { defaultSettings, type SourceReader, type SyncGate } from './reconcile-env.ts';
export { type Observation, observeDesired } from './refresh/observe.ts';
export {
  checkSettings,
  isProblem,
  type SettingFinding,
  type SettingObject,
  settingSourceOf,
} from './settings/check-settings.ts';
export { followInstallation, reportSettingProblems, withInstallation } from './settings/follow-installation.ts';
export { readGlobalProjects } from './settings/global-project-settings.ts';
export type { Installation } from './settings/installation.ts';
export { readInstallation } from './settings/read-installation.ts';
export { reportUnsupportedSettings } from './settings/report-settings.ts';
export { findSettings } from './settings/setting-objects.ts';
export { SettingsReader } from './settings/settings-reader.ts';
export { type DesiredState, loadDesiredState, sourcesOf } from './source/desired-state.ts';
export { FailedRenders } from './source/failed-renders.ts';
export { permitSource } from './source/remote-sources.ts';
export {
  RepositoryAccess,
  repositorySecretSelector,
} from './source/repository-access.ts';
export { createSignatures, type KnownKeys } from './source/signatures.ts';
export { asTargetStateError, TargetStateError } from './source/target-state-error.ts';
export { createAppMetrics } from './status/app-metrics.ts';
export { createClusterMetrics } from './status/cluster-metrics.ts';
export { readResources, storeResources } from './status/resource-store.ts';
export { createShardMetrics } from './status/shard-metrics.ts';
export { dependencyKeys } from './sync/dependencies.ts';
export { planTasks } from './sync/sync-application.ts';
export { locationsFollowed } from './webhook/affected.ts';
export { askForRefresh } from './webhook/ask-for-refresh.ts';
export type { Push } from './webhook/push.ts';
export { concernedBy, refreshAffected } from './webhook/refresh-affected.ts';
export { createWebhookHandler, webhookPath } from './webhook/webhook-handler.ts';
export {
  readWebhookSecrets,
  referredSecretSelector,
  type WebhookSecret,
  webhookSecretName,
} from './webhook/webhook-secrets.ts';
