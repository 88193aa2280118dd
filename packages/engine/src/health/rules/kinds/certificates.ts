import { condition, degraded, field, healthy, matches, progressing, some } from '../rule.ts';
import type { Rules } from '../rule-table.ts';
import { byCondition } from '../shapes.ts';

const certificate = [
  progressing('{it.message}', condition('Issuing', 'True')),
  ...byCondition('Ready', 'Waiting for certificate'),
];

export const certificates: Rules = {
  'cert-manager.io/Certificate': certificate,
  'certmanager.k8s.io/Certificate': certificate,
  'cert-manager.io/Issuer': byCondition('Ready', 'Initializing issuer'),
  'certmanager.k8s.io/Issuer': byCondition('Ready', 'Initializing issuer'),
  'cert-manager.io/ClusterIssuer': byCondition('Ready', 'Initializing ClusterIssuer'),
  'networking.gke.io/ManagedCertificate': [
    degraded(
      'At least one certificate has failed to be provisioned',
      some('status.domainStatus', matches('status', /^Failed/)),
    ),
    healthy('All certificates are active', field('status.certificateStatus', 'Active')),
    progressing('At least one certificate is still being provisioned'),
  ],
};
