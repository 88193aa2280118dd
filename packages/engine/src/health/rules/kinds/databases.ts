import {
  compare,
  condition,
  degraded,
  field,
  healthy,
  not,
  present,
  progressing,
  type Rule,
  some,
  suspended,
  type Test,
  unknown,
} from '../rule.ts';
import type { Rules } from '../rule-table.ts';
import { byCondition, byWord, byWordSaying } from '../shapes.ts';

const mariaDb: Rule = [
  healthy('{it.message}', condition('Ready', 'True')),
  degraded('{it.message}', condition('Ready', 'False', { reason: 'Failed' })),
  progressing('{it.message}', condition('Ready')),
  progressing('No status info available'),
];
const mariaDbObject: Rule = byCondition('Ready', 'No status info available');
const mariaDbRun: Rule = [
  degraded('{it.reason} {it.message}', condition('Complete', [], { reason: ['JobFailed', 'CronJobFailed'] })),
  healthy('{it.reason} {it.message}', condition('Complete', 'True')),
  progressing('{it.reason} {it.message}', condition('Complete', 'False', { reason: ['JobRunning', 'JobNotComplete'] })),
  degraded('{it.reason} {it.message}', condition('Complete', 'False')),
  progressing('No status info available'),
];

const clickHouse = (name: string): Rule => [
  healthy(`${name} installation completed successfully`, field('status.status', 'Completed')),
  progressing(`${name} installation in progress`, field('status.status', 'InProgress')),
  degraded(`${name} status: {status.status}`, present('status.status')),
  progressing(`${name} status not yet available`),
];

const perconaNodes = '{status.ready}/{status.size} node(s) are ready';

/** While running, a migration reports it in the reason and a schema in the message. */
const atlas = (...working: readonly Test[]): Rule => [
  healthy('{it.reason}', condition('Ready', 'True')),
  progressing('{it.reason}', some('status.conditions', field('type', 'Ready'), ...working)),
  degraded('{it.reason}', condition('Ready')),
  progressing('Waiting for Atlas Operator'),
];

export const databases: Rules = {
  'acid.zalan.do/postgresql': [
    ...byWord('status.PostgresClusterStatus', '{status.PostgresClusterStatus}', {
      Healthy: ['Running'],
      Progressing: ['Creating', 'Updating'],
    }),
    degraded('{status.PostgresClusterStatus}', present('status.PostgresClusterStatus')),
    progressing('Waiting for postgres cluster status...'),
  ],
  'clickhouse.altinity.com/ClickHouseInstallation': clickHouse('ClickHouse'),
  'clickhouse-keeper.altinity.com/ClickHouseKeeperInstallation': clickHouse('ClickHouseKeeper'),
  'db.atlasgo.io/AtlasMigration': atlas(field('reason', 'Reconciling')),
  'db.atlasgo.io/AtlasSchema': atlas(field('message', 'Reconciling', 'GettingDevDB')),
  'k8s.mariadb.com/MariaDB': mariaDb,
  'mariadb.mmontes.io/MariaDB': mariaDb,
  'k8s.mariadb.com/Connection': mariaDbObject,
  'k8s.mariadb.com/Database': mariaDbObject,
  'k8s.mariadb.com/Grant': mariaDbObject,
  'k8s.mariadb.com/User': mariaDbObject,
  'k8s.mariadb.com/Backup': mariaDbRun,
  'k8s.mariadb.com/Restore': mariaDbRun,
  'k8s.mariadb.com/SqlJob': mariaDbRun,
  'minio.min.io/Tenant': [
    progressing('No status info available', not(present('status.currentState'))),
    ...byWord('status.currentState', '{status.currentState}', {
      Healthy: ['Initialized'],
      Degraded: [
        'Another MinIO Tenant already exists in the namespace',
        'Different versions across MinIO Pools',
        'Pool Decommissioning Not Allowed',
        'Statefulset not controlled by operator',
        'Tenant credentials are not set properly',
      ],
    }),
    progressing('{status.currentState}'),
  ],
  'postgresql.cnpg.io/Cluster': [
    suspended(
      'Cluster reconciliation is suspended',
      field('metadata.annotations[cnpg.io/reconciliationLoop]', 'disabled'),
    ),
    suspended('{it.message}', condition('cnpg.io/hibernation', 'True')),
    degraded('{it.message}', condition('cnpg.io/hibernation')),
    progressing('{status.phaseReason}', not(present('status.conditions'))),
    // Suspended if manual action is needed; a primary that is being replaced or restarted is Degraded.
    ...byWord('status.phase', '{status.phaseReason}', {
      Healthy: ['Cluster in healthy state'],
      Progressing: [
        'Creating a new replica',
        'Promoting to primary cluster',
        'Setting up primary',
        'Upgrading cluster',
        'Waiting for the instances to become active',
      ],
      Degraded: [
        'Applying configuration',
        'Cluster cannot execute instance online upgrade due to missing architecture binary',
        'Cluster upgrade delayed',
        'Failing over',
        'Online upgrade in progress',
        'Primary instance is being restarted in-place',
        'Primary instance is being restarted without a switchover',
        'Switchover in progress',
        'Upgrading Postgres major version',
        'Waiting for user action',
      ],
      Suspended: [
        'Cluster cannot proceed to reconciliation due to an unknown plugin being required',
        'Cluster has incomplete or invalid image catalog',
        'Cluster is unrecoverable and needs manual intervention',
        'Unable to create required cluster objects',
      ],
    }),
    unknown('{status.phaseReason}'),
  ],
  'solr.apache.org/SolrCloud': [
    progressing('Waiting for solr to exist', not(present('status.solrNodes'))),
    progressing('Not all replicas are ready', some('status.solrNodes', not(field('ready', true)))),
    healthy('Solr is ready'),
  ],
  'zookeeper.pravega.io/ZookeeperCluster': [
    healthy(
      'All ZK Nodes have joined the ensemble',
      compare('status.readyReplicas', '>', 0),
      compare('status.readyReplicas', '=', 'status.replicas'),
    ),
    progressing('Waiting for ZK Nodes to join the ensemble'),
  ],
  'psmdb.percona.com/PerconaServerMongoDB': [
    ...byWord('status.state', perconaNodes, {
      Healthy: ['ready'],
      Progressing: ['initializing', 'stopping'],
      Suspended: ['paused'],
      Degraded: ['error'],
    }),
    unknown("{status.ready|'0'}/{status.size|'0'} node(s) are ready", present('status')),
    unknown('Cluster status is unknown'),
  ],
  'pxc.percona.com/PerconaXtraDBCluster': [
    ...byWordSaying('status.state', {
      ready: ['Healthy', perconaNodes],
      initializing: ['Progressing', perconaNodes],
      paused: ['Unknown', 'Cluster is paused'],
      stopping: ['Degraded', `Cluster is stopping (${perconaNodes})`],
      error: ['Degraded', 'Cluster is on error: {join(", "):status.message[*]}'],
    }),
    unknown(
      'Cluster status is unknown. Ensure your ArgoCD is current and then check for/file a bug report: https://github.com/argoproj/argo-cd/issues',
    ),
  ],
};
