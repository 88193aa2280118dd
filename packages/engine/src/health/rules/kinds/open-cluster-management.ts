import { type KubeObject, listAt, textAt } from '@fairlead/apimachinery';
import { type Health, health } from '../../health.ts';
import { condition, degraded, field, healthy, not, present, progressing, stale } from '../rule.ts';
import type { Rules } from '../rule-table.ts';

const compliant = field('status.compliant', 'Compliant');
const nonCompliant = field('status.compliant', 'NonCompliant');
/** The status of the root policy lists clusters; that of its copy in the namespace of a cluster lists templates. */
const ofOneCluster = present('status.details');
const unreported = progressing('Waiting for the status to be reported', not(present('status')));
const outdated = 'Waiting for the status to be updated';
const unreportedYet = progressing('Waiting for the status to be reported');

export const openClusterManagement: Rules = {
  'policy.open-cluster-management.io/CertificatePolicy': [
    healthy('All certificates found comply with the policy', compliant),
    degraded('At least once certificate does not comply with the policy', nonCompliant),
    unreportedYet,
  ],
  'policy.open-cluster-management.io/ConfigurationPolicy': [
    unreported,
    progressing(outdated, stale('status.lastEvaluatedGeneration')),
    configurationPolicy,
    unreportedYet,
  ],
  'policy.open-cluster-management.io/OperatorPolicy': [
    unreported,
    progressing(outdated, stale()),
    degraded('{it.message}', condition('Compliant', 'False')),
    healthy('{it.message}', condition('Compliant', 'True')),
    progressing('Waiting for the compliance condition'),
  ],
  'policy.open-cluster-management.io/Policy': [
    healthy('Policy is disabled', field('spec.disabled', true)),
    healthy('All templates are compliant', compliant, ofOneCluster),
    healthy('All clusters are compliant', compliant),
    degraded(
      'NonCompliant templates: {join(", "):status.details[compliant=NonCompliant].templateMeta.name}',
      nonCompliant,
      ofOneCluster,
    ),
    degraded('NonCompliant clusters: {join(", "):status.status[compliant=NonCompliant].clustername}', nonCompliant),
    progressing('Waiting for all clusters to report', present('status.compliant')),
    healthy('No clusters match this policy', present('status.placement')),
    unreportedYet,
  ],
};

/** Each rule of the policy has its own conditions; together they are the message. */
function configurationPolicy(object: KubeObject): Health | undefined {
  const compliance = textAt(object, 'status', 'compliant');
  if (compliance === '') return undefined;
  const messages = listAt(object, 'status', 'compliancyDetails')
    .flatMap((detail) => listAt(detail, 'conditions'))
    .map((found) => `${textAt(found, 'type')} - ${textAt(found, 'message')}`);
  return health(compliance === 'Compliant' ? 'Healthy' : 'Degraded', messages.join('; '));
}
