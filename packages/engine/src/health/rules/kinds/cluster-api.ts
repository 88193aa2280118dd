import { compare, condition, degraded, field, healthy, not, present, progressing, some, suspended } from '../rule.ts';
import type { Rules } from '../rule-table.ts';
import { byCondition, byWordSaying } from '../shapes.ts';
import { awsControlPlane, machinePool } from './cluster-api-health.ts';

export const clusterApi: Rules = {
  'addons.cluster.x-k8s.io/ClusterResourceSet': byCondition('ResourcesApplied', 'Initializing cluster resource set', {
    good: 'cluster resource set is applied',
  }),
  'cluster.x-k8s.io/Cluster': [
    suspended('Cluster is paused', field('spec.paused', true)),
    degraded(
      '{it.message}',
      some('status.conditions', field('type', 'Ready'), field('status', 'False'), not(field('severity', 'Info'))),
    ),
    degraded('{status.failureMessage}', field('status.phase', 'Failed')),
    healthy('Cluster is running', field('status.phase', 'Provisioned')),
    progressing('Waiting for clusters'),
  ],
  'cluster.x-k8s.io/Machine': [
    healthy('Machine is running', field('status.phase', 'Running')),
    degraded('{it.message}', field('status.phase', 'Failed'), condition('Ready', 'False')),
    degraded("{status.failureMessage|'Condition is unknown'}", field('status.phase', 'Failed')),
    progressing('{it.message}', condition('Ready', 'False')),
    progressing('Condition is unknown'),
  ],
  'cluster.x-k8s.io/MachineDeployment': [
    suspended('MachineDeployment is paused', field('spec.paused', true)),
    ...byWordSaying('status.phase', {
      ScalingUp: ['Progressing', 'Cluster is spawning machines'],
      ScalingDown: ['Progressing', 'Cluster is stopping machines'],
      Running: ['Healthy', 'Machines are running under this deployment'],
      Failed: ['Degraded', 'MachineDeployment is failed'],
    }),
    progressing('Waiting for machines'),
  ],
  'cluster.x-k8s.io/MachineHealthCheck': [
    degraded('', compare('status.currentHealthy', '<', 'status.expectedMachines')),
    healthy('', present('status')),
    progressing(''),
  ],
  'cluster.x-k8s.io/MachinePool': [machinePool],
  'controlplane.cluster.x-k8s.io/AWSManagedControlPlane': [awsControlPlane],
};
