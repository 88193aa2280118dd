import { compare, degraded, every, field, healthy, not, present, progressing, type Rule } from '../rule.ts';
import type { Rules } from '../rule-table.ts';
import { byWord } from '../shapes.ts';

const phaseOf = (what: string, good: string): Rule => [
  ...byWord('status.phase', `${what} phase is {status.phase}`, {
    Healthy: [good],
    Degraded: ['Failed', 'Failure', 'Lost', 'Error'],
  }),
  progressing(`${what} phase is {status.phase}`, present('status.phase')),
  progressing('Waiting for phase to be reported', present('status')),
  progressing('Waiting for status to be reported'),
];

const snapshot: Rule = [
  degraded('{status.error.message}', present('status.error.message')),
  healthy('Ready to use', field('status.readyToUse', true)),
  progressing('Waiting for status'),
];

const objectStore = 'Ceph object store phase is ';

export const storage: Rules = {
  'cassandra.rook.io/Cluster': [
    healthy(
      '',
      every('status.racks', compare('readyMembers', '>=', 'members')),
      compare('count:status.racks[*]', '>=', 'count:spec.datacenter.racks[*]'),
    ),
    progressing('Waiting for Cassandra Cluster'),
  ],
  'ceph.rook.io/CephCluster': [
    healthy(
      'Ceph health is HEALTH_OK - Ceph cluster state is {status.state} - {status.message}',
      field('status.ceph.health', 'HEALTH_OK'),
      field('status.state', 'Created', 'Connected'),
    ),
    degraded(
      'Ceph health is {status.ceph.health} ({join("; "):status.ceph.details[*].message}) - {status.message}',
      field('status.ceph.health', 'HEALTH_WARN', 'HEALTH_ERR'),
      present('status.ceph.details'),
    ),
    degraded(
      'Ceph health is {status.ceph.health} - {status.message}',
      field('status.ceph.health', 'HEALTH_WARN', 'HEALTH_ERR'),
    ),
    degraded('{status.message}', field('status.state', 'Error')),
    progressing('Waiting for status to be reported', not(present('status'))),
    progressing('{status.message}'),
  ],
  'ceph.rook.io/CephObjectStore': [
    ...byWord('status.phase', `${objectStore}{status.phase} - endpoint: {status.info.endpoint}`, {
      Healthy: ['Ready'],
      Degraded: ['Failure'],
    }).map((clause) => ({ ...clause, when: [...clause.when, present('status.info.endpoint')] })),
    progressing(
      `${objectStore}{status.phase} - endpoint: {status.info.endpoint}`,
      present('status.phase'),
      present('status.info.endpoint'),
    ),
    ...byWord('status.phase', `${objectStore}{status.phase}`, { Healthy: ['Ready'], Degraded: ['Failure'] }),
    progressing(`${objectStore}{status.phase}`, present('status.phase')),
    progressing('Waiting for status to be reported'),
  ],
  'objectbucket.io/ObjectBucketClaim': phaseOf('Object bucket claim', 'Bound'),
  'snapshot.storage.k8s.io/VolumeSnapshot': snapshot,
  'snapshot.storage.k8s.io/VolumeSnapshotContent': snapshot,
};
