/** Realistic objects, and the health that Argo CD returns: those without a recorded case. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { healthOfKind } from '../../assess-health.ts';

interface Parts {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}
const ready = (status: string, more: object = {}) => ({ type: 'Ready', status, ...more });
const rollout = (status: object, strategy: object = { canary: {} }): Parts => ({
  spec: { replicas: 1, strategy },
  status: { currentPodHash: 'new', replicas: 1, updatedReplicas: 1, availableReplicas: 1, conditions: [], ...status },
});

const cases: readonly (readonly [kind: string, title: string, parts: Parts, says: string])[] = [
  ['source.toolkit.fluxcd.io/GitRepository', 'new', {}, 'Progressing: Status unknown'],
  ['external-secrets.io/SecretStore', 'new', {}, 'Progressing: Waiting for SecretStore'],
  ['s3.aws.crossplane.io/Bucket', 'new', { status: {} }, 'Progressing: Waiting for Bucket to be created'],
  ['flagger.app/Canary', 'new', {}, 'Unknown: No status'],
  ['pulumi.com/Stack', 'new', {}, 'Progressing: Waiting for the operator to observe the latest spec change'],
  [
    'projectcontour.io/HTTPProxy',
    'new, with inclusions',
    { spec: { includes: [{}] } },
    'Progressing: Waiting for status',
  ],
  ['opentelemetry.io/OpenTelemetryCollector', 'new', {}, 'Progressing: Waiting for OpenTelemetry Collector status'],
  [
    'core.gardener.cloud/Shoot',
    'with a condition label',
    { metadata: { labels: { 'shoot.gardener.cloud/status': 'unhealthy' } }, status: { conditions: [ready('True')] } },
    'Degraded: Component state: Unhealthy',
  ],
  [
    'cluster.x-k8s.io/Machine',
    'running, and not ready',
    { status: { phase: 'Running', conditions: [ready('False', { message: 'x' })] } },
    'Healthy: Machine is running',
  ],
  ['cluster.x-k8s.io/MachinePool', 'unknown', { status: { phase: 'Unknown' } }, 'Degraded: MachinePool is Unknown'],
  [
    'cluster.x-k8s.io/Cluster',
    'with a message and no error',
    { status: { phase: 'Provisioned', conditions: [ready('False', { severity: 'Info', message: 'x' })] } },
    'Healthy: Cluster is running',
  ],
  [
    'keda.sh/ScaledObject',
    'paused, and at fault',
    { status: { conditions: [ready('False', { message: 'broken' }), { type: 'Paused', status: 'True' }] } },
    'Degraded: broken',
  ],
  [
    'kubevirt.io/VirtualMachineInstance',
    'not ready while it runs',
    { status: { phase: 'Running', conditions: [ready('False', { message: 'gone' })] } },
    'Degraded: gone',
  ],
  [
    'argoproj.io/Rollout',
    'before 1.0, at its steps',
    rollout({ stableRS: 'old' }),
    'Progressing: Waiting for rollout to finish steps',
  ],
  ['argoproj.io/Rollout', 'before 1.0, done', rollout({ stableRS: 'new' }), 'Healthy: '],
  [
    'argoproj.io/Rollout',
    'before 1.0, before the cutover',
    rollout({ blueGreen: { activeSelector: 'old' } }, { blueGreen: {} }),
    'Progressing: active service cutover pending',
  ],
  [
    'argoproj.io/Rollout',
    'before 1.0, during its analysis',
    rollout({ blueGreen: { activeSelector: 'new' }, stableRS: 'old' }, { blueGreen: {} }),
    'Progressing: waiting for analysis to complete',
  ],
  [
    'argoproj.io/Rollout',
    'of a workload that was changed',
    {
      metadata: { annotations: { 'rollout.argoproj.io/workload-generation': '2' } },
      spec: { workloadRef: { name: 'x' } },
      status: { workloadObservedGeneration: '1', phase: 'Healthy' },
    },
    'Progressing: Waiting for rollout spec update to be observed',
  ],
  [
    'db.atlasgo.io/AtlasSchema',
    'at work',
    { status: { conditions: [ready('False', { message: 'Reconciling', reason: 'ApplyingSchema' })] } },
    'Progressing: ApplyingSchema',
  ],
  [
    'flink.apache.org/FlinkDeployment',
    'deployed',
    { status: { jobManagerDeploymentStatus: 'MISSING', reconciliationStatus: { state: 'DEPLOYED' } } },
    'Healthy: ',
  ],
  [
    'postgresql.cnpg.io/Cluster',
    'whose primary is about to change',
    { status: { phase: 'Switchover in progress', phaseReason: 'to b', conditions: [ready('True')] } },
    'Degraded: to b',
  ],
  [
    'postgresql.cnpg.io/Cluster',
    'in an unknown phase',
    { status: { phase: 'Dreaming', phaseReason: 'x', conditions: [ready('True')] } },
    'Unknown: x',
  ],
  [
    'operator.knative.dev/KnativeServing',
    'with all but one',
    { status: { conditions: [ready('True'), { type: 'InstallSucceeded', status: 'True' }] } },
    'Degraded: 1: Ready | True\n2: InstallSucceeded | True\n',
  ],
  [
    'serving.kserve.io/InferenceService',
    'that was stopped',
    { status: { conditions: [ready('False'), { type: 'Stopped', status: 'True' }] } },
    'Suspended: InferenceService is Stopped',
  ],
  [
    'serving.kserve.io/InferenceService',
    'not ready yet',
    { status: { conditions: [ready('False')] } },
    'Progressing:  | 1: Ready | False',
  ],
  [
    'capabilities.3scale.net/Product',
    'that failed without a reason',
    { status: { conditions: [{ type: 'Failed', status: 'True' }] } },
    'Degraded: 3scale Product synchronization failed',
  ],
];
for (const [kind, title, { metadata, ...parts }, says] of cases)
  test(`${kind}: ${title}`, () => {
    const [group, name] = kind.split('/');
    const object = { apiVersion: `${group}/v1`, kind: name, metadata: { name: 'x', ...metadata }, spec: {}, ...parts };
    const found = healthOfKind(object as unknown as KubeObject);
    assert.equal(`${found?.status}: ${found?.message ?? ''}`, says);
  });
