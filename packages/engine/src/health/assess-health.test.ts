import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { assessHealth } from './assess-health.ts';
import { worstOf } from './health.ts';

const object = (apiVersion: string, kind: string, rest: object = {}, metadata: object = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'web', generation: 2, ...metadata },
  ...rest,
});
const seen = { observedGeneration: 2 };
const condition = (type: string, status: string, reason = '', message = ''): object => ({
  type,
  status,
  reason,
  message,
});
const deployment = (status: object, spec: object = { replicas: 3 }): KubeObject =>
  object('apps/v1', 'Deployment', { spec, status });
const statefulSet = (status: object, spec: object = { replicas: 3 }): KubeObject =>
  object('apps/v1', 'StatefulSet', { spec, status });
const daemonSet = (status: object, spec: object = {}): KubeObject => object('apps/v1', 'DaemonSet', { spec, status });
const pod = (status: object, spec: object = { restartPolicy: 'Always' }, annotations = {}): KubeObject =>
  object('v1', 'Pod', { spec, status }, { annotations });
const autoscaler = (...conditions: object[]): KubeObject =>
  object('autoscaling/v2', 'HorizontalPodAutoscaler', { status: { conditions } });
const backOff = {
  containerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling' } } }],
};

const cases: [title: string, object: KubeObject, expected: string][] = [
  ['deployment done', deployment({ ...seen, replicas: 3, updatedReplicas: 3, availableReplicas: 3 }), 'Healthy: '],
  ['deployment paused', deployment(seen, { paused: true }), 'Suspended: Deployment is paused'],
  [
    'deployment unseen',
    deployment({ observedGeneration: 1 }),
    'Progressing: Waiting for rollout to finish: observed deployment generation less than desired generation',
  ],
  [
    'deployment updating',
    deployment({ ...seen, updatedReplicas: 1 }),
    'Progressing: Waiting for rollout to finish: 1 out of 3 new replicas have been updated...',
  ],
  [
    'deployment with old pods',
    deployment({ ...seen, replicas: 4, updatedReplicas: 3 }),
    'Progressing: Waiting for rollout to finish: 1 old replicas are pending termination...',
  ],
  [
    'deployment not available',
    deployment({ ...seen, replicas: 3, updatedReplicas: 3, availableReplicas: 2 }),
    'Progressing: Waiting for rollout to finish: 2 of 3 updated replicas are available...',
  ],
  [
    'deployment out of time',
    deployment({ ...seen, conditions: [condition('Progressing', 'False', 'ProgressDeadlineExceeded')] }),
    'Degraded: Deployment "web" exceeded its progress deadline',
  ],
  ['deployment without replicas', deployment(seen, { replicas: 0 }), 'Healthy: '],
  ['statefulset unseen', statefulSet({}), 'Progressing: Waiting for statefulset spec update to be observed...'],
  [
    'statefulset not ready',
    statefulSet({ ...seen, readyReplicas: 1 }),
    'Progressing: Waiting for 2 pods to be ready...',
  ],
  [
    'statefulset rolling',
    statefulSet({ ...seen, readyReplicas: 3, updatedReplicas: 1, currentRevision: 'a', updateRevision: 'b' }),
    'Progressing: waiting for statefulset rolling update to complete 1 pods at revision b...',
  ],
  [
    'statefulset done',
    statefulSet({ ...seen, readyReplicas: 3, currentReplicas: 3, currentRevision: 'a', updateRevision: 'a' }),
    'Healthy: statefulset rolling update complete 3 pods at revision a...',
  ],
  [
    'statefulset partition open',
    statefulSet(
      { ...seen, readyReplicas: 3, updatedReplicas: 0 },
      { replicas: 3, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } },
    ),
    'Progressing: Waiting for partitioned roll out to finish: 0 out of 2 new pods have been updated...',
  ],
  [
    'statefulset partition done',
    statefulSet(
      { ...seen, readyReplicas: 3, updatedReplicas: 2 },
      { replicas: 3, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } },
    ),
    'Healthy: partitioned roll out complete: 2 new pods have been updated...',
  ],
  [
    'statefulset on delete',
    statefulSet({ ...seen, readyReplicas: 3 }, { replicas: 3, updateStrategy: { type: 'OnDelete' } }),
    'Healthy: statefulset has 3 ready pods',
  ],
  [
    'replica set short',
    object('apps/v1', 'ReplicaSet', { spec: { replicas: 2 }, status: { ...seen, availableReplicas: 1 } }),
    'Progressing: Waiting for rollout to finish: 1 out of 2 new replicas are available...',
  ],
  [
    'replica set failing',
    object('apps/v1', 'ReplicaSet', {
      status: { ...seen, conditions: [condition('ReplicaFailure', 'True', '', 'quota')] },
    }),
    'Degraded: quota',
  ],
  [
    'daemon set updating',
    daemonSet({ ...seen, desiredNumberScheduled: 2, updatedNumberScheduled: 1 }),
    'Progressing: Waiting for daemon set "web" rollout to finish: 1 out of 2 new pods have been updated...',
  ],
  [
    'daemon set on delete',
    daemonSet(
      { ...seen, desiredNumberScheduled: 2, updatedNumberScheduled: 1 },
      { updateStrategy: { type: 'OnDelete' } },
    ),
    'Healthy: daemon set 1 out of 2 new pods have been updated',
  ],
  ['pod pending', pod({ phase: 'Pending', message: 'scheduling' }), 'Progressing: scheduling'],
  ['pod ready', pod({ phase: 'Running', conditions: [condition('Ready', 'True')] }), 'Healthy: '],
  ['pod not ready', pod({ phase: 'Running' }), 'Progressing: '],
  ['pod restarted', pod({ phase: 'Running', containerStatuses: [{ lastState: { terminated: {} } }] }), 'Degraded: '],
  ['pod without its image', pod({ phase: 'Pending', ...backOff }), 'Degraded: Back-off pulling'],
  [
    'a finite pod without its image waits',
    pod({ phase: 'Pending', ...backOff }, { restartPolicy: 'Never' }),
    'Progressing: ',
  ],
  [
    'a pod that runs to completion with ignore-restart-policy',
    pod(
      { phase: 'Pending', ...backOff },
      { restartPolicy: 'Never' },
      { 'argocd.argoproj.io/ignore-restart-policy': 'true' },
    ),
    'Degraded: Back-off pulling',
  ],
  [
    'a hook ignores that annotation',
    pod(
      { phase: 'Pending', ...backOff },
      { restartPolicy: 'Never' },
      { 'argocd.argoproj.io/ignore-restart-policy': 'true', 'argocd.argoproj.io/hook': 'PreSync' },
    ),
    'Progressing: ',
  ],
  [
    'pod failed',
    pod({ phase: 'Failed', containerStatuses: [{ name: 'main', state: { terminated: { exitCode: 3 } } }] }),
    'Degraded: container "main" failed with exit code 3',
  ],
  ['pod done', pod({ phase: 'Succeeded' }), 'Healthy: '],
  ['job running', object('batch/v1', 'Job', { status: {} }), 'Progressing: '],
  [
    'job failed',
    object('batch/v1', 'Job', { status: { conditions: [condition('Failed', 'True', '', 'BackoffLimitExceeded')] } }),
    'Degraded: BackoffLimitExceeded',
  ],
  [
    'job suspended',
    object('batch/v1', 'Job', { status: { conditions: [condition('Suspended', 'True', '', 'Job suspended')] } }),
    'Suspended: Job suspended',
  ],
  [
    'job resumed',
    object('batch/v1', 'Job', { status: { conditions: [condition('Suspended', 'False', '', 'Job resumed')] } }),
    'Healthy: Job resumed',
  ],
  ['service', object('v1', 'Service', { spec: { type: 'ClusterIP' } }), 'Healthy: '],
  [
    'load balancer waiting',
    object('v1', 'Service', { spec: { type: 'LoadBalancer' }, status: { loadBalancer: {} } }),
    'Progressing: ',
  ],
  [
    'ingress',
    object('networking.k8s.io/v1', 'Ingress', { status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } }),
    'Healthy: ',
  ],
  ['claim', object('v1', 'PersistentVolumeClaim', { status: { phase: 'Lost' } }), 'Degraded: '],
  [
    'autoscaler broken',
    autoscaler(
      condition('AbleToScale', 'True'),
      condition('ScalingActive', 'False', 'FailedGetResourceMetric', 'no metrics'),
    ),
    'Degraded: no metrics',
  ],
  [
    'autoscaler',
    autoscaler(condition('AbleToScale', 'True', 'ReadyForNewScale', 'recommended')),
    'Healthy: recommended',
  ],
  ['autoscaler waiting', autoscaler(), 'Progressing: Waiting to Autoscale'],
  [
    'application',
    object('argoproj.io/v1alpha1', 'Application', { status: { health: { status: 'Degraded', message: 'm' } } }),
    'Degraded: m',
  ],
  ['application not reconciled', object('argoproj.io/v1alpha1', 'Application'), 'Progressing: '],
  [
    'deleting',
    object('v1', 'ConfigMap', {}, { deletionTimestamp: '2024-01-01T00:00:00Z' }),
    'Progressing: Pending deletion',
  ],
  [
    'API service',
    object('apiregistration.k8s.io/v1', 'APIService', {
      status: { conditions: [condition('Available', 'False', 'MissingEndpoints', 'none')] },
    }),
    'Progressing: MissingEndpoints: none',
  ],
];
for (const [title, value, expected] of cases) {
  test(`health: ${title}`, () => {
    const { status, message = '' } = assessHealth(value)!;
    assert.equal(`${status}: ${message}`, expected);
  });
}

test('a status that does not parse is Unknown, with the reason', () => {
  const annotations = { 'autoscaling.alpha.kubernetes.io/conditions': '{' };
  const broken = assessHealth(object('autoscaling/v1', 'HorizontalPodAutoscaler', {}, { annotations }));
  assert.equal(broken?.status, 'Unknown');
  assert.match(broken.message ?? '', /^failed to convert conditions annotation to typed: /);
});

test('a kind without a health check has no health', () => {
  assert.equal(assessHealth(object('v1', 'ConfigMap')), undefined);
});

test('the worst health wins', () => {
  assert.equal(worstOf([]), 'Healthy');
  assert.equal(worstOf(['Healthy', 'Missing', 'Progressing']), 'Missing');
  assert.equal(worstOf(['Degraded', 'Unknown', 'Suspended']), 'Unknown');
});

test('a customization takes precedence over the built-in health check', () => {
  const customHealth = (of: KubeObject) =>
    of.kind === 'Pod' ? ({ status: 'Suspended', message: 'mine' } as const) : undefined;
  assert.deepEqual(assessHealth(pod({ phase: 'Running' }), { customHealth }), { status: 'Suspended', message: 'mine' });
  assert.deepEqual(assessHealth(object('v1', 'Service'), { customHealth }), { status: 'Healthy' });
  assert.equal(assessHealth(object('v1', 'ConfigMap'), { customHealth }), undefined);
  const broken = () => {
    throw new Error('line 3: no such field');
  };
  assert.deepEqual(assessHealth(object('v1', 'Service'), { customHealth: broken }), {
    status: 'Unknown',
    message: 'line 3: no such field',
  });
});

test('a hook that is being deleted is assessed until its sync has ended', () => {
  const deleting = { deletionTimestamp: '2024-01-01T00:00:00Z', finalizers: ['argocd.argoproj.io/hook-finalizer'] };
  const job = object('batch/v1', 'Job', { status: { conditions: [condition('Complete', 'True')] } }, deleting);
  assert.equal(assessHealth(job)?.status, 'Healthy');
});
