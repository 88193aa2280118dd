import type { MetricsRegistry, ShardMember } from '@fairlead/kube';
import { metricDefinitions } from './metric-definitions.ts';

/** The share of this replica. */
export function createShardMetrics(
  registry: MetricsRegistry,
  member: Pick<ShardMember, 'map' | 'isMember'>,
  applications: () => number,
): void {
  const { shardMembers, shardEpoch, shardApplications } = registry.create(metricDefinitions);
  registry.onRead(() => {
    shardMembers.set({}, member.isMember ? (member.map?.members.length ?? 0) : 0);
    shardEpoch.set({}, member.map?.epoch ?? 0);
    shardApplications.set({}, applications());
  });
}
