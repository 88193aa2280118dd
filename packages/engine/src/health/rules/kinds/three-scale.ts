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
/** The message of the condition, or its meaning if it has none. */
const fault = (type: string, status: string, meaning: string): Clause[] => [
  degraded('{it.message}', some('status.conditions', field('type', type), field('status', status), present('message'))),
  degraded(`3scale {kind} ${meaning}`, condition(type, status)),
];
const faults = [
  ...fault('Failed', 'True', 'synchronization failed'),
  ...fault('Invalid', 'True', 'configuration is invalid'),
  ...fault('Orphan', 'True', 'references non-existing resources'),
];

const ready = (...first: readonly Clause[]): Rule => [
  ...first,
  ...faults,
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
    ...fault('Ready', 'False', 'is not ready'),
  ),
  'capabilities.3scale.net/ApplicationAuth': ready(),
  'capabilities.3scale.net/Backend': synced(
    degraded('3scale Backend synchronization failed', condition('Failed', 'True')),
    degraded('3scale Backend configuration is invalid', condition('Invalid', 'True')),
  ),
  'capabilities.3scale.net/CustomPolicyDefinition': ready(),
  'capabilities.3scale.net/DeveloperAccount': ready(
    suspended("{it.message|'3scale DeveloperAccount is waiting for approval'}", condition('Waiting', 'True')),
  ),
  'capabilities.3scale.net/DeveloperUser': ready(
    suspended('3scale Developer user is waiting for admin approval', field('status.developerUserState', 'suspended')),
  ),
  'capabilities.3scale.net/OpenAPI': ready(),
  'capabilities.3scale.net/Product': synced(...faults),
  'capabilities.3scale.net/ProxyConfigPromote': [
    healthy('3scale {kind} is ready', condition('Ready', 'True')),
    progressing("{it.message|'3scale ProxyConfigPromote is in progress'}", condition('In-progress', 'True')),
    ...faults,
    waiting,
  ],
  'capabilities.3scale.net/Tenant': ready(...fault('Ready', 'False', 'is degraded')),
};
