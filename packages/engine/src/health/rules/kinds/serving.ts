import { any, condition, degraded, field, healthy, not, present, progressing, type Rule, suspended } from '../rule.ts';
import type { Rules } from '../rule-table.ts';
import { judgedBy } from '../shapes.ts';
import { inferenceService, knative, knativeService, sparkExecutors } from './serving-judges.ts';

const flinkDeployed = any(
  field('status.reconciliationStatus.success', true),
  field('status.reconciliationStatus.state', 'DEPLOYED', 'UPGRADING'),
);
const sparkState = 'status.applicationState.state';
const knativeRule: Rule = [knative, progressing('Waiting for {kind}')];

const knativeObject: Rule = judgedBy('Ready', 'Waiting for {kind} to be ready');

export const serving: Rules = {
  'camel.apache.org/Integration': [
    degraded("{condition Ready.message|'Integration has an error'}", field('status.phase', 'Error')),
    healthy('{it.message}', field('status.phase', 'Running'), condition('Ready', 'True')),
    progressing('Waiting for Integration'),
  ],
  'core.spinkube.dev/SpinApp': [
    degraded('{it.message}', condition('Progressing', 'False', { reason: 'ProgressDeadlineExceeded' })),
    progressing('{it.message}', condition('Progressing', 'True')),
    degraded('{it.message}', condition('Available', 'False')),
    healthy(
      'Application is healthy with {status.readyReplicas}/{spec.replicas} replicas ready',
      condition('Available', 'True'),
    ),
    progressing('Waiting for status to be available'),
  ],
  'flink.apache.org/FlinkDeployment': [
    degraded('{status.reconciliationStatus.error|status.error}', field('status.jobManagerDeploymentStatus', 'ERROR')),
    healthy('', flinkDeployed, field('status.jobManagerDeploymentStatus', 'READY')),
    healthy('', flinkDeployed, field('status.jobStatus.state', 'SUSPENDED')),
    progressing('Waiting for deploying', field('status.jobManagerDeploymentStatus', 'DEPLOYED_NOT_READY', 'DEPLOYING')),
    progressing('Waiting for Flink operator'),
  ],
  'openfaas.com/Function': [
    degraded('{it.message}', condition('Stalled', 'True')),
    suspended('No replicas available', condition('Ready', 'True'), condition('Healthy', 'False')),
    healthy('{it.message}', condition('Ready', 'True')),
    progressing('Waiting for Function'),
  ],
  'operator.knative.dev/KnativeEventing': knativeRule,
  'operator.knative.dev/KnativeServing': knativeRule,
  'serving.knative.dev/Configuration': knativeObject,
  'serving.knative.dev/Route': knativeObject,
  'serving.knative.dev/Service': [knativeService, progressing('Waiting for status update.')],
  'serving.kserve.io/InferenceService': [
    suspended('InferenceService is Stopped', condition('Stopped', 'True')),
    inferenceService,
    progressing('Waiting for InferenceService to report status...'),
  ],
  'sparkoperator.k8s.io/SparkApplication': [
    sparkExecutors,
    degraded(
      "{status.applicationState.errorMessage|'SparkApplication failed'}",
      field(sparkState, 'FAILED', 'SUBMISSION_FAILED', 'FAILING'),
    ),
    progressing('SparkApplication is Pending Rerun', field(sparkState, 'PENDING_RERUN')),
    progressing('SparkApplication was Submitted', field(sparkState, 'SUBMITTED')),
    progressing('SparkApplication is Invalidating', field(sparkState, 'INVALIDATING')),
    healthy('SparkApplication is Succeeding', field(sparkState, 'SUCCEEDING')),
    healthy('SparkApplication was Completed', field(sparkState, 'COMPLETED')),
    progressing('Waiting for SparkApplication', not(present(sparkState))),
    progressing('SparkApplication is {lower:status.applicationState.state}'),
  ],
};
