import { defineMetrics } from '@fairlead/kube';

const application = ['namespace', 'name', 'project'] as const;

/** Names, labels and help texts of Argo CD: its dashboards and alerts work unchanged. */
export const metricDefinitions = defineMetrics({
  syncs: {
    name: 'argocd_app_sync_total',
    type: 'counter',
    labels: [...application, 'dest_server', 'phase', 'dry_run'],
    help: 'Number of application syncs.',
  },
  syncSeconds: {
    name: 'argocd_app_sync_duration_seconds_total',
    type: 'counter',
    labels: [...application, 'dest_server'],
    help: 'Application sync performance in seconds total.',
  },
  requests: {
    name: 'argocd_app_k8s_request_total',
    type: 'counter',
    labels: [...application, 'server', 'response_code', 'verb', 'resource_kind', 'resource_namespace', 'dry_run'],
    help: 'Number of kubernetes requests executed during application reconciliation.',
  },
  reconciles: {
    name: 'argocd_app_reconcile',
    type: 'histogram',
    labels: ['namespace', 'dest_server'],
    help: 'Application reconciliation performance in seconds.',
    buckets: [0.25, 0.5, 1, 2, 4, 8, 16],
  },
  orphans: {
    name: 'argocd_app_orphaned_resources_count',
    type: 'gauge',
    labels: application,
    help: 'Number of orphaned resources per application',
  },
  applicationInfo: {
    name: 'argocd_app_info',
    type: 'gauge',
    labels: [
      ...application,
      'autosync_enabled',
      'repo',
      'dest_server',
      'dest_namespace',
      'sync_status',
      'health_status',
      'operation',
    ],
    help: 'Information about application.',
  },
  conditions: {
    name: 'argocd_app_condition',
    type: 'gauge',
    labels: [...application, 'condition'],
    help: 'Report application conditions.',
  },
  shardMembers: {
    name: 'fairlead_shard_members',
    type: 'gauge',
    labels: [],
    help: 'Number of controllers that share the Applications, as this one knows them; 0 if it is not one of them.',
  },
  shardEpoch: {
    name: 'fairlead_shard_epoch',
    type: 'gauge',
    labels: [],
    help: 'Number of the last change of the members that this controller knows.',
  },
  shardApplications: {
    name: 'fairlead_shard_applications',
    type: 'gauge',
    labels: [],
    help: 'Number of Applications that this controller works on.',
  },
  clusterInfo: {
    name: 'argocd_cluster_info',
    type: 'gauge',
    labels: ['server', 'k8s_version', 'name'],
    help: 'Information about cluster.',
  },
  clusterObjects: {
    name: 'argocd_cluster_api_resource_objects',
    type: 'gauge',
    labels: ['server'],
    help: 'Number of k8s resource objects in the cache.',
  },
  clusterKinds: {
    name: 'argocd_cluster_api_resources',
    type: 'gauge',
    labels: ['server'],
    help: 'Number of monitored kubernetes API resources.',
  },
  clusterCacheAge: {
    name: 'argocd_cluster_cache_age_seconds',
    type: 'gauge',
    labels: ['server'],
    help: 'Cluster cache age in seconds.',
  },
  clusterConnection: {
    name: 'argocd_cluster_connection_status',
    type: 'gauge',
    labels: ['server', 'k8s_version'],
    help: 'The k8s cluster current connection status.',
  },
  clusterEvents: {
    name: 'argocd_cluster_events_total',
    type: 'counter',
    labels: ['server', 'group', 'kind'],
    help: 'Number of processes k8s resource events.',
  },
  webhookRequests: {
    name: 'argocd_webhook_requests_total',
    type: 'counter',
    labels: ['repo'],
    help: 'Number of webhook requests received by repo.',
  },
});
