/** A graph or a number of a dashboard. Braces in a legend are labels. */
export interface Panel {
  readonly title: string;
  readonly type: 'stat' | 'timeseries' | 'table';
  readonly unit?: 'short' | 's' | 'bytes' | 'percentunit' | 'ops';
  readonly queries: readonly { readonly expr: string; readonly legend?: string }[];
}

export interface Dashboard {
  /** The name of its file. */
  readonly name: string;
  readonly title: string;
  readonly panels: readonly Panel[];
}

const one = (expr: string, legend?: string): Panel['queries'] => [{ expr, ...(legend ? { legend } : {}) }];
const p99 = (histogram: string, by: string): string =>
  `histogram_quantile(0.99, sum by (le, ${by}) (rate(${histogram}_bucket[5m])))`;

const fleet: Dashboard = {
  name: 'fleet',
  title: 'Fairlead / Fleet',
  panels: [
    { title: 'Applications', type: 'stat', queries: one('count(argocd_app_info)') },
    { title: 'OutOfSync', type: 'stat', queries: one('count(argocd_app_info{sync_status="OutOfSync"}) or vector(0)') },
    { title: 'Degraded', type: 'stat', queries: one('count(argocd_app_info{health_status="Degraded"}) or vector(0)') },
    { title: 'Clusters', type: 'stat', queries: one('count(count by (server) (argocd_cluster_info))') },
    {
      title: 'Sync status',
      type: 'timeseries',
      queries: one('count by (sync_status) (argocd_app_info)', '{{sync_status}}'),
    },
    {
      title: 'Health',
      type: 'timeseries',
      queries: one('count by (health_status) (argocd_app_info)', '{{health_status}}'),
    },
    {
      title: 'Syncs by result',
      type: 'timeseries',
      unit: 'ops',
      queries: one('sum by (phase) (rate(argocd_app_sync_total[5m]))', '{{phase}}'),
    },
    {
      title: 'Applications by project',
      type: 'timeseries',
      queries: one('count by (project) (argocd_app_info)', '{{project}}'),
    },
    {
      title: 'Clusters that do not respond',
      type: 'table',
      queries: one('min by (server) (argocd_cluster_connection_status) == 0', '{{server}}'),
    },
    {
      title: 'Objects in the cache',
      type: 'timeseries',
      queries: one('max by (server) (argocd_cluster_api_resource_objects)', '{{server}}'),
    },
  ],
};

const controller: Dashboard = {
  name: 'controller',
  title: 'Fairlead / Controller',
  panels: [
    { title: 'Controllers', type: 'stat', queries: one('max(fairlead_shard_members)') },
    { title: 'Epoch of the shards', type: 'stat', queries: one('max(fairlead_shard_epoch)') },
    {
      title: 'Applications by controller',
      type: 'timeseries',
      queries: one('fairlead_shard_applications', '{{instance}}'),
    },
    {
      title: 'Keys that wait',
      type: 'timeseries',
      queries: one('sum by (job, name) (workqueue_depth)', '{{job}} {{name}}'),
    },
    {
      title: 'Wait in the queue (p99)',
      type: 'timeseries',
      unit: 's',
      queries: one(p99('workqueue_queue_duration_seconds', 'job, name'), '{{job}} {{name}}'),
    },
    {
      title: 'Reconciles by result',
      type: 'timeseries',
      unit: 'ops',
      queries: one('sum by (controller, result) (rate(controller_reconcile_total[5m]))', '{{controller}} {{result}}'),
    },
    {
      title: 'Duration of a comparison (p99)',
      type: 'timeseries',
      unit: 's',
      queries: one(p99('argocd_app_reconcile', 'dest_server'), '{{dest_server}}'),
    },
    {
      title: 'Requests to clusters',
      type: 'timeseries',
      unit: 'ops',
      queries: one('sum by (verb) (rate(argocd_app_k8s_request_total[5m]))', '{{verb}}'),
    },
    {
      title: 'Longest delay of the event loop',
      type: 'timeseries',
      unit: 's',
      queries: one('nodejs_eventloop_lag_max_seconds', '{{job}} {{instance}}'),
    },
    {
      title: 'Memory',
      type: 'timeseries',
      unit: 'bytes',
      queries: one('process_resident_memory_bytes', '{{job}} {{instance}}'),
    },
    {
      title: 'Processors',
      type: 'timeseries',
      queries: one('rate(process_cpu_seconds_total[5m])', '{{job}} {{instance}}'),
    },
  ],
};

const agents: Dashboard = {
  name: 'agents',
  title: 'Fairlead / Agents',
  panels: [
    { title: 'Connected agents', type: 'stat', queries: one('sum(fairlead_principal_agents_connected)') },
    { title: 'Deletions held', type: 'stat', queries: one('sum(fairlead_link_deletions_held) or vector(0)') },
    { title: 'Changes not yet sent', type: 'timeseries', queries: one('fairlead_link_pending', '{{agent}}') },
    { title: 'Applications by agent', type: 'timeseries', queries: one('fairlead_link_applications', '{{agent}}') },
    {
      title: 'Objects that one side refuses',
      type: 'timeseries',
      queries: one('fairlead_link_quarantined', '{{agent}}'),
    },
    {
      title: 'Full resyncs after a full outbox',
      type: 'timeseries',
      queries: one('fairlead_link_overflows', '{{agent}}'),
    },
    { title: 'Agents without a stream', type: 'table', queries: one('fairlead_agent_connected == 0', '{{instance}}') },
    {
      title: 'Changes not yet sent to the principal',
      type: 'timeseries',
      queries: one('fairlead_agent_pending', '{{instance}}'),
    },
    {
      title: 'Attempts to connect',
      type: 'timeseries',
      queries: one('increase(fairlead_agent_dials[1h])', '{{instance}}'),
    },
  ],
};

export const dashboards: readonly Dashboard[] = [fleet, controller, agents];

const columns = 24;
const sizeOf = ({ type }: Panel): { readonly w: number; readonly h: number } =>
  type === 'stat' ? { w: 6, h: 4 } : { w: 12, h: 8 };

/** The dashboard as Grafana imports it. */
export function grafanaDashboard({ name, title, panels }: Dashboard): object {
  let [x, y, height] = [0, 0, 0];
  const datasource = { type: 'prometheus', uid: '$' + '{datasource}' };
  const placed = panels.map((panel, index) => {
    const { w, h } = sizeOf(panel);
    if (x + w > columns || (height !== 0 && height !== h)) [x, y, height] = [0, y + height, 0];
    const gridPos = { x, y, w, h };
    [x, height] = [x + w, h];
    return {
      id: index + 1,
      title: panel.title,
      type: panel.type,
      datasource,
      gridPos,
      fieldConfig: { defaults: { unit: panel.unit ?? 'short' }, overrides: [] },
      targets: panel.queries.map(({ expr, legend }, at) => ({
        refId: String.fromCharCode(65 + at),
        datasource,
        expr,
        ...(legend ? { legendFormat: legend } : {}),
        ...(panel.type === 'timeseries' ? {} : { instant: true }),
      })),
    };
  });
  return {
    uid: `fairlead-${name}`,
    title,
    tags: ['fairlead'],
    schemaVersion: 39,
    timezone: 'browser',
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source' }] },
    panels: placed,
  };
}
