import {
  any,
  compare,
  condition,
  degraded,
  field,
  healthy,
  matches,
  missing,
  not,
  present,
  progressing,
  type Rule,
  some,
  type Test,
  unknown,
  unobserved,
} from '../rule.ts';
import type { Rules } from '../rule-table.ts';
import { byCondition, byWordSaying } from '../shapes.ts';
import { grafanaConditions } from './observability-health.ts';

const replicas = matches('status.scale.statusReplicas', /^(?<ready>\d+)\/(?<desired>\d+)$/);

const reported = present('status.scale.statusReplicas');

const coralogix = byCondition('RemoteSynced', 'Waiting for status to be updated', { good: 'Resource is ready' });

/** A condition that exists and is not True. */
const unavailable = (...more: readonly Test[]): Test =>
  some('status.conditions', field('type', 'Available'), not(field('status', 'True')), ...more);

const prometheusOperator: Rule = [
  progressing('{it.message|it.reason}', unavailable(field('reason', 'SomePodsNotReady'))),
  degraded('{it.message|it.reason}', unavailable()),
  healthy('All instances are available', condition('Available', 'True')),
  progressing('Waiting for initialization'),
];

export const observability: Rules = {
  'coralogix.com/Alert': coralogix,
  'coralogix.com/RecordingRuleGroupSet': coralogix,
  'core.humio.com/HumioCluster': [
    ...byWordSaying('status.state', {
      Running: ['Healthy', 'Cluster is in a healthy running state'],
      Restarting: ['Progressing', 'Cluster pods are being restarted'],
      Upgrading: ['Progressing', 'Cluster pods are being upgraded'],
      Pending: ['Progressing', 'Cluster is waiting on resources to be provisioned'],
      ConfigError: [
        'Degraded',
        "{status.message|'User-provided cluster specification resulted in a configuration error'}",
      ],
    }),
    unknown('Component state: {status.state}.', present('status.state')),
    progressing('Update in progress'),
  ],
  'core.humio.com/*': [
    healthy('Component state: Exists.', field('status.state', 'Exists')),
    missing('Component state: NotFound.', field('status.state', 'NotFound')),
    degraded('Component state: ConfigError.', field('status.state', 'ConfigError')),
    unknown('Component state: {status.state}.', present('status.state')),
    progressing('Update in progress'),
  ],
  'datadoghq.com/DatadogMetric': [
    degraded(
      "{it.reason}: {it.message|'DatadogMetric reported an error'}",
      condition('Error', 'True'),
      present('it.reason'),
    ),
    degraded("{it.message|'DatadogMetric reported an error'}", condition('Error', 'True')),
    degraded("{it.message|'DatadogMetric is not valid'}", condition('Valid', 'False')),
    healthy('DatadogMetric is healthy'),
  ],
  'grafana-org-operator.kubitus-project.gitlab.io/*': byCondition('Ready', 'Waiting ...'),
  'grafana.integreatly.org/Grafana': [
    degraded('Failed at stage {status.stage}', field('status.stageStatus', 'failed')),
    healthy('', field('status.stage', 'complete'), field('status.stageStatus', 'success')),
    progressing('{status.stage}', present('status.stage')),
    progressing('Waiting for Grafana status info'),
  ],
  'grafana.integreatly.org/GrafanaDashboard': [grafanaConditions],
  'grafana.integreatly.org/GrafanaFolder': [grafanaConditions],
  'grafana.integreatly.org/GrafanaDatasource': [
    degraded("can't find matching grafana instance", field('status.NoMatchingInstances', true)),
    healthy('', present('status.uid'), present('status.hash')),
    progressing(''),
  ],
  'jaegertracing.io/Jaeger': [
    healthy('Jaeger is Running', field('status.phase', 'Running')),
    degraded('Jaeger Failed For Some Reason', field('status.phase', 'Failed')),
    progressing('Waiting for Jaeger'),
  ],
  'monitoring.coreos.com/Alertmanager': prometheusOperator,
  'monitoring.coreos.com/Prometheus': prometheusOperator,
  'monitoring.coreos.com/PrometheusAgent': prometheusOperator,
  'monitoring.coreos.com/ThanosRuler': prometheusOperator,
  'kiali.io/Kiali': [
    degraded('{it.message}', condition('Failure', 'True')),
    healthy('{it.message}', condition('Successful', 'True')),
    progressing('{it.message}', condition('Running', 'True')),
    progressing('Waiting for Kiali'),
  ],
  'opentelemetry.io/OpenTelemetryCollector': [
    progressing('Waiting for OpenTelemetry Collector status', not(present('status'))),
    healthy('Collector is running in sidecar mode', field('spec.mode', 'sidecar'), not(reported)),
    progressing('Scale status not available', not(reported)),
    healthy(
      'DaemonSet has no eligible nodes (0/0)',
      field('spec.mode', 'daemonset'),
      field('status.scale.statusReplicas', '0/0'),
    ),
    degraded('No replicas are ready', replicas, compare('it.ready', '=', 0)),
    healthy('All replicas are ready', replicas, compare('it.ready', '=', 'it.desired')),
    progressing('Replicas are starting up', replicas),
    progressing('Unable to parse replica status: {status.scale.statusReplicas}'),
  ],
  'operator.victoriametrics.com/*': [
    progressing('Waiting for the operator to reconcile', any(not(present('status')), unobserved())),
    ...byWordSaying('status.updateStatus', {
      operational: ['Healthy', 'All components are operational'],
      expanding: ['Progressing', "{status.reason|'Reconciliation in progress'}"],
      failed: ['Degraded', "{status.reason|'Reconciliation failed'}"],
      paused: ['Suspended', "{status.reason|'Reconciliation is paused'}"],
    }),
    progressing('Waiting for the operator to report status'),
  ],
};
