import { deployedRoles } from '../role-table.ts';

/** An alert rule of Prometheus. Each has a section with its causes and what to do in `docs/operate/alerts.md`. */
export interface Alert {
  readonly name: string;
  readonly expr: string;
  readonly for: string;
  readonly severity: 'critical' | 'warning';
  readonly summary: string;
}

const jobs = deployedRoles.map(({ name }) => `fairlead-${name}`).join('|');
const ofApplication = 'sum by (namespace, name, project)';

export const alerts: readonly Alert[] = [
  {
    name: 'FairleadDown',
    expr: `up{job=~"${jobs}"} == 0`,
    for: '5m',
    severity: 'critical',
    summary: 'a role of Fairlead does not respond',
  },
  {
    name: 'FairleadNoController',
    expr: '(max(fairlead_shard_members) or vector(0)) == 0',
    for: '2m',
    severity: 'critical',
    summary: 'no controller works on Applications',
  },
  {
    name: 'FairleadShardsDisagree',
    expr: 'max(fairlead_shard_epoch) != min(fairlead_shard_epoch)',
    for: '5m',
    severity: 'warning',
    summary: 'a controller does not follow the others: its Applications may not be worked on',
  },
  {
    name: 'FairleadEventLoopBlocked',
    expr: `nodejs_eventloop_lag_max_seconds{job=~"${jobs}"} > 5`,
    for: '10m',
    severity: 'warning',
    summary: 'a process of Fairlead is blocked for seconds at a time',
  },
  {
    name: 'FairleadQueueStuck',
    expr: 'sum by (job, instance, name) (workqueue_depth) > 0 and sum by (job, instance, name) (rate(workqueue_work_duration_seconds_count[10m])) == 0',
    for: '15m',
    severity: 'critical',
    summary: 'keys wait in a queue, and none is worked on',
  },
  {
    name: 'FairleadReconcilesFail',
    expr: 'sum by (job, controller) (rate(controller_reconcile_total{result="error"}[10m])) / sum by (job, controller) (rate(controller_reconcile_total[10m])) > 0.2',
    for: '15m',
    severity: 'warning',
    summary: 'more than a fifth of the reconciles of a queue fail',
  },
  {
    name: 'FairleadClusterUnreachable',
    expr: 'min by (server) (argocd_cluster_connection_status) == 0',
    for: '10m',
    severity: 'warning',
    summary: 'a cluster does not respond: its Applications are not delivered',
  },
  {
    name: 'FairleadApplicationOutOfSync',
    expr: `${ofApplication} (argocd_app_info{sync_status="OutOfSync", autosync_enabled="true"}) > 0`,
    for: '30m',
    severity: 'warning',
    summary: 'an Application with automated sync stays OutOfSync',
  },
  {
    name: 'FairleadApplicationDegraded',
    expr: `${ofApplication} (argocd_app_info{health_status="Degraded"}) > 0`,
    for: '15m',
    severity: 'warning',
    summary: 'an Application is Degraded',
  },
  {
    name: 'FairleadSyncsFail',
    expr: `${ofApplication} (increase(argocd_app_sync_total{phase=~"Error|Failed"}[30m])) > 2`,
    for: '0m',
    severity: 'warning',
    summary: 'the syncs of an Application fail repeatedly',
  },
  {
    name: 'FairleadAgentDisconnected',
    expr: 'fairlead_agent_connected == 0',
    for: '10m',
    severity: 'warning',
    summary: 'an agent has no stream to its principal: its cluster does not get changes',
  },
  {
    name: 'FairleadAgentBacklog',
    expr: 'fairlead_link_pending > 1000',
    for: '10m',
    severity: 'warning',
    summary: 'changes for an agent are sent too slowly',
  },
  {
    name: 'FairleadDeletionsHeld',
    expr: 'fairlead_link_deletions_held > 0',
    for: '15m',
    severity: 'warning',
    summary: 'deletions for an agent wait for a confirmation',
  },
];

const documentation = 'docs/operate/alerts.md';

/** The groups of a rule file, or of a PrometheusRule. */
export const alertGroups = (): object[] => [
  {
    name: 'fairlead',
    rules: alerts.map(({ name, expr, for: wait, severity, summary }) => ({
      alert: name,
      expr,
      for: wait,
      labels: { severity },
      annotations: { summary, runbook: `${documentation}#${name.toLowerCase()}` },
    })),
  },
];
