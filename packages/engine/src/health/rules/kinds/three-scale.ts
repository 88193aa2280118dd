import {
  type Clause,
  condition,
  degraded,
  field,
  healthy,
  present,
  progressing,
  type Rule,
  some,
  suspended,
} from '../rule.ts';
import type { Rules } from '../rule-table.ts';

const waiting = progressing('Waiting for 3scale {kind} status...');
const faults = degraded('{it.message}', condition(['Failed', 'Invalid', 'Orphan'], 'True'));
const notReady = degraded('{it.message}', condition('Ready', 'False'));

const ready = (...first: readonly Clause[]): Rule => [
  ...first,
  faults,
  healthy('3scale {kind} is ready', condition('Ready', 'True')),
  waiting,
];

const synced = (...first: readonly Clause[]): Rule => [
  ...first,
  healthy('3scale {kind} is synced', condition('Synced', 'True')),
  waiting,
];

export const threeScale: Rules = {
  'apps.3scale.net/APIManager': [
    healthy('3scale APIManager is available', condition('Available', 'True')),
    degraded(
      '3scale APIManager is degraded: {it.reason}',
      some('status.conditions', field('type', 'Available'), field('status', 'False'), present('reason')),
    ),
    waiting,
  ],
  'capabilities.3scale.net/ActiveDoc': ready(),
  'capabilities.3scale.net/Application': ready(
    suspended('3scale Application is suspended', field('status.state', 'suspended')),
    notReady,
  ),
  'capabilities.3scale.net/ApplicationAuth': ready(),
  'capabilities.3scale.net/Backend': synced(
    degraded('3scale Backend synchronization failed', condition('Failed', 'True')),
    degraded('3scale Backend configuration is invalid', condition('Invalid', 'True')),
  ),
  'capabilities.3scale.net/CustomPolicyDefinition': ready(),
  'capabilities.3scale.net/DeveloperAccount': ready(suspended('{it.message}', condition('Waiting', 'True'))),
  'capabilities.3scale.net/DeveloperUser': ready(
    suspended('3scale Developer user is waiting for admin approval', field('status.developerUserState', 'suspended')),
  ),
  'capabilities.3scale.net/OpenAPI': ready(),
  'capabilities.3scale.net/Product': synced(faults),
  'capabilities.3scale.net/ProxyConfigPromote': [
    healthy('3scale {kind} is ready', condition('Ready', 'True')),
    progressing("{it.message|'3scale ProxyConfigPromote is in progress'}", condition('In-progress', 'True')),
    faults,
    waiting,
  ],
  'capabilities.3scale.net/Tenant': ready(notReady),
};
