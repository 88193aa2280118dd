import { condition, degraded, field, healthy, matches, progressing } from '../rule.ts';
import type { Rules } from '../rule-table.ts';
import { judgedBy } from '../shapes.ts';

export const secrets: Rules = {
  'bitnami.com/SealedSecret': judgedBy('Synced', 'Waiting for Sealed Secret to be decrypted'),
  'external-secrets.io/ClusterExternalSecret': [
    healthy('{it.message}', condition('Ready', 'True')),
    degraded('{it.message}', condition(['NotReady', 'PartiallyReady'], 'True')),
    degraded('{it.message}', condition('Ready', 'False')),
    progressing('Waiting for ClusterExternalSecret'),
  ],
  'external-secrets.io/ClusterSecretStore': judgedBy('Ready', 'Waiting for ClusterSecretStore'),
  'external-secrets.io/ExternalSecret': judgedBy('Ready', 'Waiting for ExternalSecret'),
  'external-secrets.io/PushSecret': judgedBy('Ready', 'Waiting for PushSecret'),
  'external-secrets.io/SecretStore': judgedBy('Ready', 'Waiting for SecretStore'),
  'kubernetes-client.io/ExternalSecret': [
    healthy('Fetched ExternalSecret.', field('status.status', 'SUCCESS')),
    degraded('{it.error}', matches('status.status', /^ERROR, (?<error>.*)$/s)),
    progressing('Waiting for ExternalSecret.'),
  ],
  'onepassword.com/OnePasswordItem': judgedBy('Ready', 'Waiting for controller to report status'),
};
