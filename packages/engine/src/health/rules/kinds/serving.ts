import { any, condition, degraded, field, healthy, missing, progressing, type Rule, suspended } from '../rule.ts';
import type { Rules } from '../rule-table.ts';
import { byCondition } from '../shapes.ts';
import { inferenceService, knativeOperator, knativeService, sparkExecutors } from './serving-health.ts';

const sparkState = 'status.applicationState.state';
const operator = (...needed: readonly string[]): Rule => [
  knativeOperator(...needed),
  progressing('Waiting for {kind}'),
];

const knativeObject: Rule = byCondition('Ready', 'Waiting for {kind} to be ready');

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
    healthy(
      '',
      any(field('status.reconciliationStatus.success', true), field('status.reconciliationStatus.state', 'DEPLOYED')),
    ),
    progressing('Waiting for deploying', field('status.jobManagerDeploymentStatus', 'DEPLOYED_NOT_READY', 'DEPLOYING')),
    degraded('{status.reconciliationStatus.error}', field('status.jobManagerDeploymentStatus', 'ERROR')),
    progressing('Waiting for Flink operator'),
  ],
  'openfaas.com/Function': [
    degraded('{it.message}', condition('Stalled', 'True')),
    suspended('No replicas available', condition('Ready', 'True'), condition('Healthy', 'False')),
    healthy('{it.message}', condition('Ready', 'True')),
    progressing('Waiting for Function'),
  ],
  'operator.knative.dev/KnativeEventing': operator('Ready', 'InstallSucceeded'),
  'operator.knative.dev/KnativeServing': operator(
    'Ready',
    'InstallSucceeded',
    'DependenciesInstalled',
    'DeploymentsAvailable',
  ),
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
    degraded('{status.applicationState.errorMessage}', field(sparkState, 'FAILED', 'SUBMISSION_FAILED', 'FAILING')),
    progressing('SparkApplication was added, enqueuing it for submission', field(sparkState, '')),
    progressing('SparkApplication was submitted successfully', field(sparkState, 'SUBMITTED')),
    progressing('SparkApplication is Pending Rerun', field(sparkState, 'PENDING_RERUN')),
    missing('SparkApplication is in InvalidatingState', field(sparkState, 'INVALIDATING')),
    progressing('The driver has succeeded, and the executors are being cleaned up', field(sparkState, 'SUCCEEDING')),
    progressing(
      'SparkApplication is in UnknownState because either driver pod or one or all executor pods in unknown state  ',
      field(sparkState, 'UNKNOWN'),
    ),
    healthy('SparkApplication was Completed', field(sparkState, 'COMPLETED')),
    progressing('Waiting for Executor pods'),
  ],
};
