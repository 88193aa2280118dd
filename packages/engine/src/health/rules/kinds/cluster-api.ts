import { compare, condition, degraded, field, healthy, present, progressing, some, suspended } from '../rule.ts';
import type { Rules } from '../rule-table.ts';
import { byWordSaying, judgedBy } from '../shapes.ts';
import { awsControlPlane, machinePool } from './cluster-api-judges.ts';

export const clusterApi: Rules = {
  'addons.cluster.x-k8s.io/ClusterResourceSet': judgedBy('ResourcesApplied', 'Initializing cluster resource set', {
    good: 'cluster resource set is applied',
  }),
  'cluster.x-k8s.io/Cluster': [
    suspended('Cluster is paused', field('spec.paused', true)),
    degraded(
      '{it.message}',
      some('status.conditions', field('type', 'Ready'), field('status', 'False'), present('message')),
    ),
    degraded('Cluster is failed', field('status.phase', 'Failed')),
    healthy('Cluster is running', field('status.phase', 'Provisioned')),
    progressing('Waiting for clusters'),
  ],
  'cluster.x-k8s.io/Machine': [
    degraded("{condition Ready.message|status.failureMessage|'Machine is failed'}", field('status.phase', 'Failed')),
    healthy('Machine is running', field('status.phase', 'Running'), condition(['Ready', 'Available'], 'True')),
    progressing("{condition Ready.message|'Waiting for machines'}"),
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
  'cluster.x-k8s.io/MachinePool': [machinePool, progressing('Waiting for machine pool')],
  'controlplane.cluster.x-k8s.io/AWSManagedControlPlane': [awsControlPlane],
};
