import {
  compare,
  condition,
  degraded,
  field,
  healthy,
  present,
  progressing,
  type Rule,
  stale,
  staleCondition,
  suspended,
} from '../rule.ts';
import type { Rules } from '../rule-table.ts';
import { byCondition } from '../shapes.ts';

const configConnector = [
  progressing('Update in progress', stale()),
  healthy('{kind} is healthy', field('status.healthy', true)),
  degraded('{kind} is not healthy', field('status.healthy', false)),
  progressing('Update in progress'),
];

const role =
  "for role '{status.roleName|'<none>'}' with ARN '{status.roleARN|'<none>'}' and ID '{status.roleID|'<none>'}'";

const sapService: Rule = [
  progressing('Resource is being deleted', present('metadata.deletionTimestamp')),
  progressing('Waiting for spec update to be observed', staleCondition()),
  degraded('{it.message}', condition('Failed', 'True')),
  healthy('Ready to use', condition('Ready', 'True')),
  progressing('Waiting for status'),
];

export const cloud: Rules = {
  'core.cnrm.cloud.google.com/ConfigConnector': configConnector,
  'core.cnrm.cloud.google.com/ConfigConnectorContext': configConnector,
  '*.cnrm.cloud.google.com/*': [
    progressing('Update in progress', stale()),
    healthy('{it.message}', condition('Ready', 'True')),
    suspended('{it.message}', condition('Ready', 'False', { reason: ['DependencyNotReady', 'Unmanaged'] })),
    progressing('{it.message}', condition('Ready', 'False', { reason: ['Updating', 'Deleting', 'Creating'] })),
    degraded('{it.message}', condition('Ready', 'False')),
    progressing('Update in progress'),
  ],
  '*.services.k8s.aws/*': [
    degraded('{it.message}', condition('ACK.Terminal', 'True')),
    progressing('{it.message}', condition(['Ready', 'ACK.ResourceSynced'], ['False', 'Unknown'])),
    healthy('', condition(['Ready', 'ACK.ResourceSynced'], 'True')),
    progressing('Waiting for resource to be ready'),
  ],
  'iammanager.keikoproj.io/Iamrole': [
    healthy(
      "Role '{status.roleName}' exists with ARN '{status.roleARN}' and ID '{status.roleID}'.",
      field('status.state', 'Ready'),
    ),
    degraded(
      `Failed to reconcile the Iamrole (retry {status.retryCount}) ${role}. Reconciliation error was: {status.errorDescription}`,
      present('status.errorDescription'),
      compare('status.retryCount', '>', 0),
    ),
    degraded(
      `Failed to reconcile the Iamrole ${role}. Reconciliation error was: {status.errorDescription}`,
      present('status.errorDescription'),
    ),
    progressing('Waiting for Iamrole to be reconciled'),
  ],
  'karpenter.k8s.aws/EC2NodeClass': byCondition('Ready', 'Waiting for EC2NodeClass to be ready'),
  'karpenter.sh/NodeClaim': [
    progressing('Waiting for NodeClaim spec to be reconciled', stale()),
    suspended('{it.message}', condition('Disrupting', 'True')),
    healthy('{it.message}', condition('Ready', 'True')),
    degraded('{it.message}', condition('Ready', 'False')),
    progressing('Node initialized, waiting for Ready', condition('Initialized', 'True')),
    progressing('Node registered, waiting for initialization', condition('Registered', 'True')),
    progressing('Node launched, waiting for registration', condition('Launched', 'True')),
    progressing('Waiting for NodeClaim to be launched'),
  ],
  'karpenter.sh/NodePool': byCondition('Ready', 'Waiting for NodePool to be ready'),
  'services.cloud.sap.com/ServiceBinding': sapService,
  'services.cloud.sap.com/ServiceInstance': sapService,
};
