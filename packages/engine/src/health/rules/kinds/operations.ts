import {
  all,
  any,
  compare,
  condition,
  degraded,
  every,
  field,
  healthy,
  not,
  present,
  progressing,
  type Rule,
  some,
  suspended,
  unknown,
} from '../rule.ts';
import type { Rules } from '../rule-table.ts';
import { byWord, byWordSaying } from '../shapes.ts';

const canary = '{status.phase} --- {condition Promoted.message}';

/** Only a working object can be paused: an error remains an error. */
const keda = (waiting: string, ...faults: readonly string[]): Rule => [
  degraded('{it.message}', condition('Fallback', 'True')),
  degraded('{it.message}', condition('Ready', faults)),
  suspended('{it.message}', condition('Ready', 'True'), condition('Paused', 'True')),
  healthy('{it.message}', condition('Ready', 'True')),
  progressing(waiting),
];

const kyverno: Rule = [
  healthy('{kind} is ready', any(condition('Ready', 'True'), field('status.ready', true))),
  progressing('Waiting for {kind} to be ready'),
];

const binding: Rule = [
  progressing(
    'Current resource status is insufficient',
    any(
      not(present('status.aggregatedStatus')),
      compare('count:status.aggregatedStatus[*]', '<', 'count:spec.clusters[*]'),
    ),
  ),
  degraded(
    'Current resource status is unhealthy',
    not(every('status.aggregatedStatus', field('applied', true), not(field('health', 'Unhealthy')))),
  ),
  healthy(''),
];

const rabbit: Rule = [
  healthy('RabbitMQ {lower:kind} ready', condition('Ready', 'True')),
  degraded('RabbitMQ {lower:kind} failed to be created or updated', condition('Ready', 'False')),
  unknown('RabbitMQ {lower:kind} status is unknown'),
];

export const operations: Rules = {
  'core.gardener.cloud/Shoot': [
    ...byWordSaying('metadata.labels[shoot.gardener.cloud/status]', {
      healthy: ['Healthy', 'Component state: Healthy'],
      progressing: ['Progressing', 'Component state: Update in progress'],
      unhealthy: ['Degraded', 'Component state: Unhealthy'],
      unknown: ['Unknown', 'Component state: Unknown'],
    }),
    progressing('Update in progress'),
  ],
  'flagger.app/Canary': [
    progressing(
      '{status.phase} --- Canary Weight: {status.canaryWeight} % --- {condition Promoted.message}',
      field('status.phase', 'Progressing'),
    ),
    ...byWord('status.phase', canary, { Healthy: ['Initialized', 'Succeeded'], Degraded: ['Failed'] }),
    progressing(canary, present('status.phase')),
    unknown('No status'),
  ],
  'k8s.keycloak.org/Keycloak': [
    progressing('Waiting for Keycloak status conditions to exist', not(present('status.conditions'))),
    degraded('Has Errors: {it.message}', condition('HasErrors', 'True')),
    healthy('', all(condition('Ready', 'True'), not(condition('RollingUpdate', 'True')))),
    progressing(''),
  ],
  'keda.sh/ScaledJob': keda('Waiting for ScaledJob', 'False', 'Unknown'),
  'keda.sh/ScaledObject': keda('Creating HorizontalPodAutoscaler Object', 'False'),
  'kyverno.io/ClusterPolicy': kyverno,
  'kyverno.io/Policy': kyverno,
  'nmstate.io/NodeNetworkConfigurationPolicy': [
    suspended('{it.reason}', condition('Ignored', 'True')),
    progressing('{it.reason}: {it.message}', condition('Progressing', 'True')),
    degraded('{it.reason}: {it.message}', condition('Degraded', 'True')),
    healthy('{it.reason}: {it.message}', condition('Available', 'True')),
    progressing('Waiting for policy to be applied'),
  ],
  'proclaim.dogmatiq.io/DNSSDServiceInstance': [
    degraded('{it.message}', condition('Adopted', 'False')),
    degraded(
      '{it.message}',
      condition('Advertised', ['False', 'Unknown'], { reason: ['AdvertiseError', 'UnadvertiseError'] }),
    ),
    unknown('{it.message}', condition('Discoverable', 'Unknown', { reason: 'DiscoveryError' })),
    healthy('{it.message}', condition('Discoverable', 'True')),
    progressing(
      "{condition Discoverable.message|condition Advertised.message|'Waiting for the instance to be advertised'}",
    ),
  ],
  'pulumi.com/Stack': [
    progressing(
      'Waiting for the operator to observe the latest spec change',
      any(not(present('status')), compare('status.observedGeneration', '!=', 'metadata.generation')),
    ),
    degraded('{it.message}', condition('Stalled', 'True')),
    progressing('{it.message}', condition('Reconciling', 'True')),
    healthy('{it.message}', condition('Ready', 'True')),
    progressing('Waiting for the stack to be reconciled'),
  ],
  'rabbitmq.com/Binding': rabbit,
  'rabbitmq.com/Exchange': rabbit,
  'rabbitmq.com/Federation': rabbit,
  'rabbitmq.com/Permission': rabbit,
  'rabbitmq.com/Policy': rabbit,
  'rabbitmq.com/Queue': rabbit,
  'rabbitmq.com/RabbitmqCluster': [
    degraded('{it.message}', condition('ReconcileSuccess', 'False')),
    progressing(
      'Waiting for RabbitMQ cluster readiness (conditions unknown)',
      condition(['ClusterAvailable', 'AllReplicasReady'], 'Unknown'),
    ),
    progressing('Waiting for RabbitMQ cluster formation', condition('ClusterAvailable', 'False')),
    progressing('Waiting for RabbitMQ instances ready', condition('AllReplicasReady', 'False')),
    healthy('RabbitMQ cluster ready', condition('ClusterAvailable', 'True'), condition('AllReplicasReady', 'True')),
    progressing('Waiting for RabbitMQ Operator'),
  ],
  'rabbitmq.com/Shovel': rabbit,
  'rabbitmq.com/User': rabbit,
  'rabbitmq.com/Vhost': rabbit,
  'spot.io/SpotDeployment': [
    degraded('{it.message}', condition('InvalidSpec', 'True')),
    degraded('{it.message}', condition('Progressing', 'False')),
    ...byWord('status.phase', '{status.message}', {
      Healthy: ['Healthy'],
      Suspended: ['Paused'],
      Degraded: ['Degraded'],
    }),
    progressing('{status.message}'),
  ],
  'tower.ansible.com/AnsibleJob': [
    ...byWord(
      'status.ansibleJobResult.status',
      '{status.ansibleJobResult.status} job - {status.ansibleJobResult.url}',
      {
        Healthy: ['successful'],
        Progressing: ['new', 'pending', 'running', 'waiting'],
        Degraded: ['canceled', 'error', 'failed'],
      },
    ),
    progressing('Waiting for AnsibleJob'),
  ],
  'templates.gatekeeper.sh/ConstraintTemplate': [
    degraded('{it.message}', some('status.byPod', some('errors'))),
    healthy('ConstraintTemplate is created', field('status.created', true)),
    progressing('Waiting for ConstraintTemplate to be created'),
  ],
  'work.karmada.io/ClusterResourceBinding': binding,
  'work.karmada.io/ResourceBinding': binding,
};
