export { AppController, type AppControllerOptions } from './app-controller.ts';
export { type AppMetrics, createAppMetrics } from './app-metrics.ts';
export * from './cluster.ts';
export * from './cluster-connection.ts';
export { createClusterMetrics } from './cluster-metrics.ts';
export { type ClusterConfig, readClusterSecret } from './cluster-secret.ts';
export * from './cluster-set.ts';
export * from './clusters.ts';
export * from './installation/follow-installation.ts';
export * from './installation/installation.ts';
export { readInstallation } from './installation/read-installation.ts';
export { type RefreshLevel, refreshAnnotation } from './refresh.ts';
export { readResources } from './resource-store.ts';
export { createWebhookHandler, webhookPath } from './webhook/webhook-handler.ts';
export {
  readWebhookSecrets,
  referredSecretSelector,
  type WebhookSecret,
  webhookSecretName,
} from './webhook/webhook-secrets.ts';
export { defaultSettings, type Settings, type SyncGate } from './world.ts';
