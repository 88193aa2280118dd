import { condition, degraded, field, healthy, matches, progressing } from '../rule.ts';
import type { Rules } from '../rule-table.ts';
import { byCondition } from '../shapes.ts';

export const secrets: Rules = {
  'bitnami.com/SealedSecret': byCondition('Synced', 'Waiting for Sealed Secret to be decrypted'),
  'external-secrets.io/ClusterExternalSecret': [
    healthy('{it.message}', condition('Ready', 'True')),
    degraded('{it.message}', condition(['NotReady', 'PartiallyReady'], 'True')),
    degraded('{it.message}', condition('Ready', 'False')),
    progressing('Waiting for ClusterExternalSecret'),
  ],
  'external-secrets.io/ClusterSecretStore': byCondition('Ready', 'Waiting for ClusterSecretStore'),
  'external-secrets.io/ExternalSecret': byCondition('Ready', 'Waiting for ExternalSecret'),
  'external-secrets.io/PushSecret': byCondition('Ready', 'Waiting for PushSecret'),
  'external-secrets.io/SecretStore': byCondition('Ready', 'Waiting for SecretStore'),
  'kubernetes-client.io/ExternalSecret': [
    healthy('Fetched ExternalSecret.', field('status.status', 'SUCCESS')),
    degraded('{it.error}', matches('status.status', /^ERROR, (?<error>.*)$/s)),
    progressing('Waiting for ExternalSecret.'),
  ],
  'onepassword.com/OnePasswordItem': byCondition('Ready', 'Waiting for controller to report status'),
};
