import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@fairlead/apimachinery';
import type { Draft } from '../resource.ts';
import { autoscalerConversion } from './autoscaler-conversion.ts';
import { eventConversion } from './event-conversion.ts';

const draft = (value: object): Draft => value as Draft;

const coreEvent = draft({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'e', namespace: 'n' },
  involvedObject: { kind: 'Pod', name: 'p' },
  reason: 'Started',
  message: 'it did',
  source: { component: 'kubelet' },
  firstTimestamp: null,
  lastTimestamp: null,
  count: 2,
  type: 'Normal',
  reportingComponent: 'kubelet',
  reportingInstance: '',
});

test('an event has other field names in events.k8s.io and converts back unchanged', () => {
  const other = eventConversion.fromStorage(coreEvent);
  assert.equal(other.apiVersion, 'events.k8s.io/v1');
  assert.deepEqual(other['regarding'], { kind: 'Pod', name: 'p' });
  assert.deepEqual([other['note'], other['deprecatedCount'], other['reportingController']], ['it did', 2, 'kubelet']);
  assert.equal('message' in other, false);
  assert.deepEqual(eventConversion.toStorage(other), coreEvent);
});

const autoscaler = draft({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'h', annotations: { mine: 'kept' } },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
    minReplicas: 1,
    maxReplicas: 5,
    metrics: [
      { type: 'Pods', pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '10' } } },
      {
        type: 'Object',
        object: {
          describedObject: { kind: 'Service', name: 's' },
          metric: { name: 'hits', selector: { matchLabels: { a: 'b' } } },
          target: { type: 'Value', value: '2k' },
        },
      },
      { type: 'External', external: { metric: { name: 'q' }, target: { type: 'AverageValue', averageValue: '30' } } },
      {
        type: 'ContainerResource',
        containerResource: { name: 'memory', container: 'c', target: { type: 'Utilization', averageUtilization: 60 } },
      },
      { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } },
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
    ],
    behavior: {
      scaleUp: { stabilizationWindowSeconds: 0, policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }] },
      scaleDown: { selectPolicy: 'Max', tolerance: '50m' },
    },
  },
  status: {
    currentReplicas: 2,
    desiredReplicas: 3,
    currentMetrics: [
      { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 50, averageValue: '100m' } } },
    ],
    conditions: [{ type: 'AbleToScale', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z' }],
  },
});

test('a HorizontalPodAutoscaler converts to autoscaling/v1 and back without loss', () => {
  const old = autoscalerConversion.fromStorage(autoscaler);
  assert.equal(old.apiVersion, 'autoscaling/v1');
  assert.deepEqual(old['spec'], {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
    minReplicas: 1,
    maxReplicas: 5,
    targetCPUUtilizationPercentage: 70,
  });
  assert.deepEqual(old['status'], { currentReplicas: 2, desiredReplicas: 3, currentCPUUtilizationPercentage: 50 });
  assert.deepEqual(autoscalerConversion.toStorage(old), autoscaler);
});

test('the annotations of autoscaling/v1 equal those that other clients write', () => {
  const annotations = autoscalerConversion.fromStorage(autoscaler).metadata.annotations!;
  const metrics = JSON.parse(annotations['autoscaling.alpha.kubernetes.io/metrics']!) as JsonObject[];
  assert.deepEqual(metrics[0], { type: 'Pods', pods: { metricName: 'rps', targetAverageValue: '10' } });
  assert.equal(
    annotations['autoscaling.alpha.kubernetes.io/behavior'],
    '{"ScaleUp":{"StabilizationWindowSeconds":0,"SelectPolicy":null,"Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":15}],"Tolerance":null},"ScaleDown":{"StabilizationWindowSeconds":null,"SelectPolicy":"Max","Policies":null,"Tolerance":"50m"}}',
  );
  assert.equal(annotations['mine'], 'kept');
});

test('a HorizontalPodAutoscaler without metrics targets 80 % CPU, and an invalid annotation is ignored', () => {
  const made = autoscalerConversion.toStorage(
    draft({
      apiVersion: 'autoscaling/v1',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h', annotations: { 'autoscaling.alpha.kubernetes.io/metrics': '{' } },
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 3 },
    }),
  );
  assert.deepEqual((made['spec'] as JsonObject)['metrics'], [
    { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
  ]);
  assert.equal(made.metadata.annotations, undefined);
});
