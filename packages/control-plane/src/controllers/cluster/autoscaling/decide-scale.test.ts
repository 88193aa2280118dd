import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MetricSpec } from '../../../kinds/cluster/autoscaling/types.ts';
import { type Autoscaler, decideScale, type Scale, withCondition } from './decide-scale.ts';

const cpu: MetricSpec = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};
const autoscaler = (...metrics: MetricSpec[]): Autoscaler => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'h', namespace: 'default' },
  spec: { minReplicas: 2, maxReplicas: 5, metrics },
});
const scale = (replicas: number, selector = 'app=web'): Scale => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'web' },
  spec: { replicas },
  status: { selector },
});

test('a target outside its bounds is scaled into them', () => {
  assert.deepEqual(decideScale(autoscaler(cpu), scale(9), []), {
    kind: 'rescale',
    replicas: 5,
    reason: 'Current number of replicas above Spec.MaxReplicas',
  });
  assert.deepEqual(decideScale(autoscaler(cpu), scale(1), []), {
    kind: 'rescale',
    replicas: 2,
    reason: 'Current number of replicas below Spec.MinReplicas',
  });
});

const reasons = (autoscaler: Autoscaler, target: Scale, overlapping: readonly string[] = []) => {
  const decision = decideScale(autoscaler, target, overlapping);
  assert.ok(decision.kind === 'keep');
  return {
    reason: decision.words.reason,
    events: decision.events.map(({ reason }) => reason),
    message: decision.words.message,
  };
};

test('a target within its bounds is not scaled, and the reason is reported', () => {
  assert.equal(reasons(autoscaler(cpu), scale(0)).reason, 'ScalingDisabled');
  assert.equal(reasons(autoscaler(cpu), scale(3, '')).reason, 'InvalidSelector');
  assert.equal(
    reasons(autoscaler(cpu), scale(3), ['g', 'h']).message,
    'pods by selector app=web are controlled by multiple HPAs: [{g default} {h default}]',
  );
});

const missing: readonly [MetricSpec, string, string][] = [
  [
    cpu,
    'FailedGetResourceMetric',
    'failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)',
  ],
  [
    { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } },
    'FailedGetResourceMetric',
    'failed to get memory usage: unable to get metrics for resource memory: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)',
  ],
  [
    { type: 'Pods', pods: { metric: { name: 'qps' }, target: { type: 'AverageValue', averageValue: '1' } } },
    'FailedGetPodsMetric',
    'unable to get metric qps: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered',
  ],
  [
    { type: 'External', external: { metric: { name: 'queue' }, target: { type: 'Value', value: '1' } } },
    'FailedGetExternalMetric',
    'unable to get external metric default/queue/nil: unable to fetch metrics from external metrics API: the server could not find the requested resource (get queue.external.metrics.k8s.io)',
  ],
];
for (const [metric, reason, message] of missing) {
  test(`without an API for it, a metric of ${metric.type} ${metric.resource?.name ?? ''} has no value`, () => {
    const said = reasons(autoscaler(metric), scale(3));
    assert.equal(said.reason, reason);
    assert.equal(said.message, `the HPA was unable to compute the replica count: ${message}`);
    assert.deepEqual(said.events, [reason, 'FailedComputeMetricsReplicas']);
  });
}

test('with several metrics the first is in the condition, and all are in events', () => {
  const decision = decideScale(autoscaler(cpu, missing[2]![0]), scale(3), []);
  assert.ok(decision.kind === 'keep');
  assert.deepEqual(
    decision.events.map(({ reason }) => reason),
    ['FailedGetResourceMetric', 'FailedGetPodsMetric', 'FailedComputeMetricsReplicas'],
  );
  assert.match(
    decision.events[2]!.message,
    /^invalid metrics \(2 invalid out of 2\), first error is: failed to get cpu resource metric value: /,
  );
  assert.equal(decision.metrics, 2);
});

test('a condition keeps its time while its status is unchanged', () => {
  const words = { type: 'AbleToScale', status: 'True', reason: 'a', message: '' };
  const first = withCondition([], words, 'then');
  assert.equal(withCondition(first, { ...words, reason: 'b' }, 'now')[0]!.lastTransitionTime, 'then');
  assert.equal(withCondition(first, { ...words, status: 'False' }, 'now')[0]!.lastTransitionTime, 'now');
});
