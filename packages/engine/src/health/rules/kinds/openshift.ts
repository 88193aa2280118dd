import { any, condition, degraded, every, field, healthy, not, progressing, some, unknown } from '../rule.ts';
import type { Rules } from '../rule-table.ts';
import { subscription } from './openshift-health.ts';

const rolledOut = condition('Progressing', 'True', { reason: 'NewReplicationControllerAvailable' });
const rollingOut = condition('Progressing', 'True', {
  reason: ['ReplicationControllerUpdated', 'NewReplicationControllerCreated'],
});
const inside = { at: 'conditions' };

export const openshift: Rules = {
  'apps.openshift.io/DeploymentConfig': [
    healthy(
      'replication controller successfully rolled out',
      rolledOut,
      any(condition('Available', 'True'), field('status.replicas', 0)),
    ),
    degraded('Deployment config is degraded', condition(['Available', 'Progressing'], 'False'), not(rollingOut)),
    progressing('replication controller is waiting for pods to run'),
  ],
  'hypershift.openshift.io/HostedCluster': [
    degraded('{it.message}', condition('Degraded', 'True')),
    healthy('{it.message}', condition('Available', 'True')),
    progressing("{condition Available.message|'Waiting for the hosted cluster'}"),
  ],
  'operator.openshift.io/IngressController': [
    degraded('{it.message}', condition('Degraded', 'True')),
    progressing('{it.message}', condition('Progressing', 'True')),
    progressing('{it.message}', condition('DeploymentReplicasAllAvailable', 'False')),
    healthy('IngressController is available', condition('Available', 'True')),
    degraded('{it.message}', condition('Available', 'False')),
    progressing('Status of IngressController is not known yet'),
  ],
  'ocs.openshift.io/StorageCluster': [
    degraded('{it.message}', condition('Degraded', 'True')),
    progressing('{it.message}', condition('Progressing', 'True')),
    healthy('{it.message}', condition('Available', 'True')),
    unknown('StorageCluster is in an unknown state.'),
  ],
  'operators.coreos.com/Subscription': [
    subscription,
    progressing('An install plan for a subscription is pending installation'),
  ],
  'route.openshift.io/Route': [
    degraded('Route is degraded', some('status.ingress', condition('Admitted', 'False', inside))),
    healthy('Route is healthy', every('status.ingress', condition('Admitted', 'True', inside))),
    progressing('Route is still getting admitted'),
  ],
};
