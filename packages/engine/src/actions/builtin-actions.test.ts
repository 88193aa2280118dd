import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, type Json, type JsonObject, type Unstructured, unstructured } from '@fairlead/apimachinery';
import type { Lua } from '../health/lua/lua.ts';
import { builtinActions } from './builtin-actions.ts';
import { discoverActions, runAction } from './resource-actions.ts';

const now = Date.UTC(2024, 10, 18, 4, 12, 30);
const time = '2024-11-18T04:12:30Z';

const noLua: Lua = {
  run: () => Promise.reject(new Error('built-in actions need no script')),
  active: 0,
  close: () => Promise.resolve(),
};
const options = { lua: noLua, custom: new Map() };

function object(kind: string, parts: JsonObject = {}): Unstructured {
  const [group = '', name = ''] = kind.split('/');
  const metadata = { name: 'web', namespace: 'shop', uid: 'u1', ...(parts['metadata'] as JsonObject) };
  return unstructured({ spec: {}, ...parts, apiVersion: `${group}/v1`, kind: name, metadata });
}

/** The actions that are offered; disabled ones in brackets. */
const offered = async (kind: string, parts?: JsonObject): Promise<string> =>
  (await discoverActions(object(kind, parts), options))
    .map(({ name, disabled }) => (disabled ? `(${name})` : name))
    .join(' ');

const annotations = (values: Record<string, string>): JsonObject => ({ metadata: { annotations: values } });
const labels = (values: Record<string, string>): JsonObject => ({ metadata: { labels: values } });

const discoveries: readonly (readonly [kind: string, parts: JsonObject, actions: string])[] = [
  ['apps/Deployment', {}, 'pause restart (resume) scale'],
  ['apps/Deployment', { spec: { paused: true } }, '(pause) restart resume scale'],
  ['apps/StatefulSet', {}, 'restart scale'],
  ['apps/DaemonSet', {}, 'restart'],
  ['batch/CronJob', {}, 'create-job suspend'],
  ['batch/CronJob', { spec: { suspend: true } }, 'create-job resume'],
  ['batch/Job', {}, 'suspend'],
  ['batch/Job', { status: { active: 1 } }, 'suspend terminate'],
  ['batch/Job', { spec: { suspend: true }, status: {} }, 'resume terminate'],
  ['batch/Job', { status: { conditions: [{ type: 'Complete', status: 'True' }] } }, ''],
  ['argoproj.io/AnalysisRun', {}, 'terminate'],
  ['argoproj.io/AnalysisRun', { status: { phase: 'Failed' } }, '(terminate)'],
  ['argoproj.io/WorkflowTemplate', {}, 'create-workflow'],
  ['argoproj.io/CronWorkflow', {}, 'create-workflow'],
  ['argoproj.io/Rollout', {}, '(abort) (pause) (promote-full) restart (resume) (retry) (skip-current-step)'],
  [
    'argoproj.io/Rollout',
    {
      metadata: { generation: 3 },
      spec: { strategy: { canary: { steps: [{}, {}] } } },
      status: {
        currentPodHash: 'b',
        stableRS: 'a',
        observedGeneration: '3',
        currentStepIndex: 1,
        pauseConditions: [{}],
      },
    },
    'abort pause promote-full restart resume (retry) skip-current-step',
  ],
  [
    'argoproj.io/Rollout',
    { spec: { strategy: { blueGreen: {} } }, status: { currentPodHash: 'b', stableRS: 'a', abort: true } },
    '(abort) (pause) (promote-full) restart (resume) retry (skip-current-step)',
  ],
  ['promoter.argoproj.io/PullRequest', { spec: { state: 'open' } }, 'merge'],
  ['promoter.argoproj.io/PullRequest', { spec: { state: 'closed' } }, '(merge)'],
  ['kustomize.toolkit.fluxcd.io/Kustomization', {}, 'reconcile (resume) suspend'],
  ['source.toolkit.fluxcd.io/GitRepository', { spec: { suspend: true } }, '(reconcile) resume (suspend)'],
  ['notification.toolkit.fluxcd.io/Alert', {}, '(resume) suspend'],
  ['external-secrets.io/ExternalSecret', { spec: { refreshInterval: '1h' } }, 'refresh'],
  ['external-secrets.io/ExternalSecret', { spec: { refreshInterval: '0s' } }, '(refresh)'],
  ['external-secrets.io/ExternalSecret', { spec: { refreshInterval: 0, refreshPolicy: 'OnChange' } }, 'refresh'],
  ['external-secrets.io/PushSecret', { spec: { refreshInterval: '0' } }, '(push)'],
  ['k8s.mariadb.com/MariaDB', {}, 'suspend'],
  ['k8s.mariadb.com/MariaDB', { spec: { suspend: true } }, 'resume'],
  ['postgresql.cnpg.io/Cluster', {}, '(promote) reload restart suspend'],
  [
    'postgresql.cnpg.io/Cluster',
    {
      ...annotations({ 'cnpg.io/reconciliationLoop': 'disabled' }),
      status: { instancesStatus: { healthy: ['a', 'b'] } },
    },
    'promote reload restart resume',
  ],
  ['psmdb.percona.com/PerconaServerMongoDB', {}, 'pause (unpause)'],
  ['psmdb.percona.com/PerconaServerMongoDB', { spec: { pause: true } }, '(pause) unpause'],
  ['keda.sh/ScaledJob', {}, 'pause (resume)'],
  ['keda.sh/ScaledObject', {}, 'pause paused-replicas (resume)'],
  [
    'keda.sh/ScaledObject',
    annotations({ 'autoscaling.keda.sh/paused-replicas': '2' }),
    '(pause) paused-replicas resume',
  ],
  ['core.strimzi.io/StrimziPodSet', {}, 'rolling-update'],
  ['core.strimzi.io/StrimziPodSet', annotations({ 'strimzi.io/manual-rolling-update': 'true' }), '(rolling-update)'],
  ['numaflow.numaproj.io/InterStepBufferService', {}, '(force-promote)'],
  [
    'numaflow.numaproj.io/InterStepBufferService',
    labels({ 'numaplane.numaproj.io/upgrade-state': 'trial' }),
    'force-promote',
  ],
  ['numaflow.numaproj.io/MonoVertex', {}, '(force-promote) pause (unpause-fast) (unpause-gradual)'],
  [
    'numaflow.numaproj.io/MonoVertex',
    { metadata: { ownerReferences: [{ kind: 'MonoVertexRollout' }] } },
    '(force-promote) (pause) (unpause-fast) (unpause-gradual)',
  ],
  [
    'numaflow.numaproj.io/Pipeline',
    {
      ...labels({ 'numaplane.numaproj.io/upgrade-state': 'recyclable-expired' }),
      spec: { lifecycle: { desiredPhase: 'Paused' } },
    },
    'delete (force-promote) (pause) (unpause-fast) unpause-gradual',
  ],
  [
    'numaplane.numaproj.io/PipelineRollout',
    {
      status: { upgradeInProgress: 'PipelinePauseAndDrain' },
      spec: {
        pipeline: {
          spec: { lifecycle: { desiredPhase: 'Paused' } },
          metadata: { annotations: { 'numaflow.numaproj.io/allowed-resume-strategies': 'slow, fast' } },
        },
      },
    },
    'allow-data-loss (disallow-data-loss) (pause) unpause-fast unpause-gradual',
  ],
  ['numaplane.numaproj.io/MonoVertexRollout', {}, 'pause (unpause-fast) (unpause-gradual)'],
];

for (const [kind, parts, actions] of discoveries) {
  test(`${kind} ${JSON.stringify(parts).slice(0, 60)} offers ${actions || 'nothing'}`, async () => {
    assert.equal(await offered(kind, parts), actions);
  });
}

test('an Application offers to switch automated sync, and says in which direction', async () => {
  const name = async (automated: Json | undefined): Promise<string | undefined> => {
    const spec = { syncPolicy: automated === undefined ? {} : { automated } };
    return (await discoverActions(object('argoproj.io/Application', { spec }), options))[0]?.displayName;
  };
  assert.equal(await name({}), 'Disable Auto-Sync');
  assert.equal(await name({ enabled: false }), 'Enable Auto-Sync');
  assert.equal(await name(undefined), 'Enable Auto-Sync');
});

interface Run {
  readonly kind: string;
  readonly action: string;
  readonly parts?: JsonObject;
  readonly parameters?: Record<string, string>;
  /** The value at a path of the changed object. */
  readonly path: readonly string[];
  readonly value: Json | undefined;
}

const restartedAt = ['spec', 'template', 'metadata', 'annotations', 'kubectl.kubernetes.io/restartedAt'];
const annotation = (name: string): readonly string[] => ['metadata', 'annotations', name];
const canary = { strategy: { canary: { steps: [{}, {}, {}] } } };

const runs: readonly Run[] = [
  { kind: 'apps/Deployment', action: 'restart', path: restartedAt, value: time },
  { kind: 'apps/DaemonSet', action: 'restart', path: restartedAt, value: time },
  { kind: 'apps/Deployment', action: 'pause', path: ['spec', 'paused'], value: true },
  {
    kind: 'apps/Deployment',
    action: 'resume',
    parts: { spec: { paused: true } },
    path: ['spec', 'paused'],
    value: undefined,
  },
  {
    kind: 'apps/StatefulSet',
    action: 'scale',
    parameters: { replicas: '3' },
    path: ['spec', 'replicas'],
    value: 3,
  },
  { kind: 'batch/CronJob', action: 'suspend', path: ['spec', 'suspend'], value: true },
  { kind: 'batch/Job', action: 'resume', path: ['spec', 'suspend'], value: undefined },
  {
    kind: 'batch/Job',
    action: 'terminate',
    parts: { status: { conditions: [{ type: 'Suspended', status: 'False' }] } },
    path: ['status', 'conditions'],
    value: [
      { type: 'Suspended', status: 'False' },
      {
        lastTransitionTime: time,
        message: 'Job was terminated explicitly through Argo CD',
        reason: 'ManuallyTerminated',
        status: 'True',
        type: 'FailureTarget',
      },
    ],
  },
  {
    kind: 'argoproj.io/Application',
    action: 'toggle-auto-sync',
    parts: { spec: { syncPolicy: { automated: { prune: true } } } },
    path: ['spec', 'syncPolicy', 'automated'],
    value: { prune: true, enabled: false },
  },
  {
    kind: 'argoproj.io/Application',
    action: 'toggle-auto-sync',
    path: ['spec', 'syncPolicy', 'automated'],
    value: { enabled: true },
  },
  { kind: 'argoproj.io/Rollout', action: 'restart', path: ['spec', 'restartAt'], value: time },
  { kind: 'argoproj.io/Rollout', action: 'abort', path: ['status', 'abort'], value: true },
  {
    kind: 'argoproj.io/Rollout',
    action: 'retry',
    parts: { status: { abort: true } },
    path: ['status'],
    value: {},
  },
  {
    kind: 'argoproj.io/Rollout',
    action: 'promote-full',
    parts: { metadata: { generation: 2 }, status: { observedGeneration: '2' } },
    path: ['status', 'promoteFull'],
    value: true,
  },
  {
    kind: 'argoproj.io/Rollout',
    action: 'promote-full',
    parts: { spec: canary, status: { observedGeneration: 'abc', abort: true } },
    path: ['status'],
    value: { observedGeneration: 'abc', currentStepIndex: 3 },
  },
  {
    kind: 'argoproj.io/Rollout',
    action: 'skip-current-step',
    parts: { spec: canary, status: { currentStepIndex: 1, pauseConditions: [{}] } },
    path: ['status'],
    value: { currentStepIndex: 2 },
  },
  {
    kind: 'argoproj.io/Rollout',
    action: 'resume',
    parts: { spec: { paused: true }, status: { pauseConditions: [{}] } },
    path: ['spec', 'paused'],
    value: false,
  },
  { kind: 'promoter.argoproj.io/PullRequest', action: 'merge', path: ['spec', 'state'], value: 'merged' },
  {
    kind: 'helm.toolkit.fluxcd.io/HelmRelease',
    action: 'reconcile',
    path: annotation('reconcile.fluxcd.io/requestedAt'),
    value: 'By Argo CD at: 2024-11-18T04:12:30',
  },
  {
    kind: 'external-secrets.io/ExternalSecret',
    action: 'refresh',
    path: annotation('force-sync'),
    value: time,
  },
  {
    kind: 'postgresql.cnpg.io/Cluster',
    action: 'promote',
    parts: { status: { currentPrimary: 'web-2', instancesStatus: { healthy: ['web-1', 'web-2'] } } },
    parameters: { instance: 'any' },
    path: ['status', 'targetPrimary'],
    value: 'web-1',
  },
  {
    kind: 'postgresql.cnpg.io/Cluster',
    action: 'promote',
    parts: { status: { currentPrimary: 'web-1', instancesStatus: { healthy: ['web-1', 'web-2'] } } },
    parameters: { instance: '2' },
    path: ['status', 'phaseReason'],
    value: 'Switching over to web-2',
  },
  {
    kind: 'keda.sh/ScaledObject',
    action: 'paused-replicas',
    parameters: { replicas: '0' },
    path: annotation('autoscaling.keda.sh/paused-replicas'),
    value: '0',
  },
  {
    kind: 'numaflow.numaproj.io/MonoVertex',
    action: 'unpause-gradual',
    parts: { spec: { replicas: 2, lifecycle: { desiredPhase: 'Paused' } } },
    path: ['spec'],
    value: { lifecycle: { desiredPhase: 'Running' } },
  },
  {
    kind: 'numaplane.numaproj.io/PipelineRollout',
    action: 'unpause-fast',
    path: ['spec'],
    value: {
      pipeline: { spec: { lifecycle: { desiredPhase: 'Running' } } },
      strategy: { pauseResume: { fastResume: true } },
    },
  },
];

for (const { kind, action, parts = {}, parameters = {}, path, value } of runs) {
  test(`${action} of ${kind} sets ${path.join('.')} to ${JSON.stringify(value)}`, async () => {
    const before = object(kind, parts);
    const copy = structuredClone(before);
    const [impacted] = await runAction(before, action, { now, parameters }, options);
    assert.equal(impacted?.operation, 'patch');
    assert.deepEqual(at(impacted?.object, ...path), value);
    assert.deepEqual(before, copy, 'the object itself is left as it is');
  });
}

test('a Job that a CronJob creates by hand has its template, a name with the time, and the CronJob as its owner', async () => {
  const cronJob = object('batch/CronJob', {
    spec: {
      jobTemplate: { metadata: { labels: { a: 'b' } }, spec: { template: { spec: { volumes: [{ emptyDir: {} }] } } } },
    },
  });
  const [impacted] = await runAction(cronJob, 'create-job', { now, parameters: {} }, options);
  assert.deepEqual(impacted, {
    operation: 'create',
    object: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: {
        labels: { a: 'b' },
        annotations: { 'cronjob.kubernetes.io/instantiate': 'manual' },
        name: 'web-2411180412',
        namespace: 'shop',
        ownerReferences: [
          {
            apiVersion: 'batch/v1',
            kind: 'CronJob',
            name: 'web',
            uid: 'u1',
            blockOwnerDeletion: true,
            controller: true,
          },
        ],
      },
      spec: { template: { spec: { volumes: [{ emptyDir: {} }] } } },
    },
  });
});

test('a Workflow that a CronWorkflow creates by hand has its labels, finalizers and the time', async () => {
  const cron = object('argoproj.io/CronWorkflow', {
    metadata: { labels: { 'workflows.argoproj.io/controller-instanceid': 'main' } },
    spec: { workflowSpec: { entrypoint: 'x' }, workflowMetadata: { labels: { a: 'b' }, finalizers: ['f'] } },
  });
  const [impacted] = await runAction(cron, 'create-workflow', { now, parameters: {} }, options);
  assert.deepEqual(impacted?.object.metadata.labels, {
    a: 'b',
    'workflows.argoproj.io/controller-instanceid': 'main',
    'workflows.argoproj.io/cron-workflow': 'web',
  });
  assert.deepEqual(impacted?.object.metadata.finalizers, ['f']);
  assert.equal(impacted?.object.metadata.annotations?.['workflows.argoproj.io/scheduled-time'], time);
  assert.equal(impacted?.object.metadata.name, 'web-202411180412');
});

test('a parameter that is missing or not a number is refused', async () => {
  const scale = (parameters: Record<string, string>) =>
    runAction(object('apps/Deployment'), 'scale', { now, parameters }, options);
  await assert.rejects(scale({}), { message: 'replicas parameter is required' });
  await assert.rejects(scale({ replicas: 'many' }), { message: 'invalid number: many' });
  const pause = runAction(
    object('keda.sh/ScaledObject'),
    'paused-replicas',
    { now, parameters: { replicas: '-1' } },
    options,
  );
  await assert.rejects(pause, { message: 'invalid number: -1 (must be >= 0)' });
});

test('an unknown action, kind, or name of a property of every object is refused', async () => {
  for (const [kind, action] of [
    ['apps/Deployment', 'fly'],
    ['example.org/Thing', 'restart'],
    ['apps/Deployment', 'constructor'],
  ] as const) {
    await assert.rejects(runAction(object(kind), action, { now, parameters: {} }, options), /has no action/);
  }
});

test('every action that a kind offers can be run, and no action runs that is never offered', async () => {
  for (const [kind, { changes = {}, creations = {} }] of builtinActions) {
    const tested = new Set<string>();
    for (const [of, parts] of discoveries) {
      if (of !== kind) continue;
      for (const { name } of await discoverActions(object(of, parts), options)) tested.add(name);
    }
    const runnable = [...Object.keys(changes), ...Object.keys(creations)];
    for (const name of tested) assert.ok(runnable.includes(name), `${kind} offers ${name}, which cannot be run`);
    if (tested.size > 0 && kind !== 'argoproj.io/Application') {
      assert.deepEqual(
        runnable.filter((name) => !tested.has(name)),
        [],
        `${kind} never offers these`,
      );
    }
  }
});
