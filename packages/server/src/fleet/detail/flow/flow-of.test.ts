import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Agent, Application, ApplicationCondition, GitOpsDeployment } from '@fairlead/api';
import type { RoleStatus } from '@fairlead/kube';
import type { FlowHop } from '../../api/detail-shapes.ts';
import { flowOf } from './flow-of.ts';
import type { FlowState } from './flow-state.ts';

const now = Date.UTC(2030, 0, 1, 0, 10);
const ago = (seconds: number): string => new Date(now - seconds * 1_000).toISOString();
const revision = 'a'.repeat(40);
const source = { repoURL: 'https://git.example.com/shop.git', path: 'web' };

const application = (
  status: Partial<NonNullable<Application['status']>> = {},
  spec: Partial<Application['spec']> = {},
): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'web', namespace: 'argocd' },
  spec: { project: 'default', source, destination: { name: 'in-cluster', namespace: 'shop' }, ...spec },
  status: {
    sync: { status: 'Synced', revision },
    health: { status: 'Healthy' },
    reconciledAt: ago(60),
    ...status,
  },
});
const condition = (type: string, message: string): ApplicationCondition => ({
  type,
  message,
  lastTransitionTime: ago(30),
});
const role = (name: string, over: Partial<RoleStatus> = {}): RoleStatus => ({
  role: name,
  instance: 'host-1',
  queues: [],
  reportedAt: now - 5_000,
  ...over,
});
const deployment = (conditions: NonNullable<GitOpsDeployment['status']>['conditions'] = []): GitOpsDeployment => ({
  apiVersion: 'managed-gitops.redhat.com/v1alpha1',
  kind: 'GitOpsDeployment',
  metadata: { name: 'shop', namespace: 'team-a' },
  spec: { source: { ...source }, type: 'automated' },
  status: {
    conditions,
    sync: { status: 'Synced', revision },
    health: { status: 'Healthy' },
    reconciledState: {
      source: { repoURL: source.repoURL, path: 'web', branch: '' },
      destination: { name: '', namespace: '' },
    },
  },
});
const agent = (status: Agent['status'] = {}, spec: Partial<Agent['spec']> = {}): Agent => ({
  apiVersion: 'fairlead.dev/v1alpha1',
  kind: 'Agent',
  metadata: { name: 'edge', namespace: 'argocd' },
  spec: { mode: 'managed', ...spec },
  status: { transport: 'Up', data: 'Fresh', live: 'Up', pending: 0, connectedAt: ago(3_600), ...status },
});
const all = ['controller', 'service', 'principal'].map((name) => role(name));
const state = (over: Partial<FlowState> = {}): FlowState => ({
  now,
  application: application(),
  isTenant: false,
  roles: all,
  ...over,
});
const failed =
  'Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc =';
const operation = (phase: string, resources: object[], message = ''): Partial<NonNullable<Application['status']>> => ({
  sync: { status: 'OutOfSync', revision },
  operationState: {
    phase,
    message,
    startedAt: ago(120),
    ...(phase === 'Running' ? {} : { finishedAt: ago(90) }),
    operation: { sync: {} },
    syncResult: { revision, resources },
  } as NonNullable<NonNullable<Application['status']>['operationState']>,
});

const broken: readonly [string, FlowState, FlowHop['id'], RegExp][] = [
  [
    'the repository does not respond',
    state({
      application: application({
        sync: { status: 'Unknown' },
        conditions: [condition('ComparisonError', `${failed} ${source.repoURL}: connect ECONNREFUSED 127.0.0.1:1`)],
      }),
    }),
    'commit',
    /ECONNREFUSED/,
  ],
  [
    'the revision does not exist',
    state({
      application: application({
        conditions: [
          condition('ComparisonError', `${failed} unable to resolve 'main' to a commit SHA: revision not found`),
        ],
      }),
    }),
    'commit',
    /revision not found/,
  ],
  [
    'the source cannot be rendered',
    state({
      application: application({
        conditions: [condition('ComparisonError', `${failed} web/chart.yaml: error converting YAML to JSON: line 3`)],
      }),
    }),
    'render',
    /error converting YAML/,
  ],
  [
    'the project forbids the repository',
    state({
      application: application({
        sync: { status: 'Unknown' },
        conditions: [condition('InvalidSpecError', "application repo https://x is not permitted in project 'default'")],
      }),
    }),
    'render',
    /not permitted in project/,
  ],
  [
    'no controller runs',
    state({ roles: [role('controller', { reportedAt: now - 300_000 })] }),
    'render',
    /The application controller does not run: it reported last 5m ago/,
  ],
  [
    'the database does not respond',
    state({
      isTenant: true,
      deployment: deployment(),
      roles: [role('controller'), role('service', { problem: 'the database does not respond' })],
    }),
    'tenant',
    /The database does not respond/,
  ],
  [
    'a deployment is retried',
    state({
      isTenant: true,
      deployment: deployment([
        {
          type: 'ErrorOccurred',
          status: 'True',
          reason: 'Retrying',
          message: 'the database does not respond: retrying',
        },
      ]),
    }),
    'tenant',
    /The database does not respond: retrying/,
  ],
  [
    'an Operation has failed',
    state({
      isTenant: true,
      deployment: deployment([
        { type: 'ErrorOccurred', status: 'True', reason: 'OperationFailed', message: 'the Application is not valid' },
      ]),
    }),
    'operation',
    /The Application is not valid/,
  ],
  [
    'the principal has crashed',
    state({ agent: agent(), roles: [role('controller'), role('principal', { reportedAt: now - 60_000 })] }),
    'principal',
    /The principal does not run: it reported last 60s ago/,
  ],
  ['no principal runs', state({ agent: agent(), roles: [role('controller')] }), 'principal', /No principal reports/],
  [
    'the agent is cut off',
    state({ agent: agent({ transport: 'Down', reason: 'no stream is open', lastSeenTime: ago(600) }) }),
    'agent',
    /The agent edge is not connected: no stream is open/,
  ],
  ['the agent is blocked', state({ agent: agent({}, { blocked: true }) }), 'agent', /is blocked/],
  [
    'the agent rejects the Application',
    state({ agent: agent({ quarantined: [{ kind: 'Application', name: 'argocd/web', reason: 'spec is invalid' }] }) }),
    'agent',
    /The agent rejects it: spec is invalid/,
  ],
  [
    'the cluster does not respond',
    state({
      application: application({
        conditions: [condition('ComparisonError', 'Failed to load live state: cluster prod does not respond')],
      }),
    }),
    'cluster',
    /cluster prod does not respond/,
  ],
  [
    'the cluster refuses an object',
    state({
      application: application(
        operation('Failed', [
          {
            group: 'apps',
            version: 'v1',
            kind: 'Deployment',
            namespace: 'shop',
            name: 'web',
            status: 'SyncFailed',
            message: 'denied by policy',
          },
        ]),
      ),
    }),
    'cluster',
    /The cluster does not accept Deployment shop\/web: denied by policy/,
  ],
  [
    'a hook fails',
    state({
      application: application(
        operation('Failed', [
          {
            group: 'batch',
            version: 'v1',
            kind: 'Job',
            namespace: 'shop',
            name: 'migrate',
            hookType: 'PreSync',
            hookPhase: 'Failed',
            message: 'Job has reached the specified backoff limit',
          },
        ]),
      ),
    }),
    'cluster',
    /The PreSync hook Job shop\/migrate failed: Job has reached the specified backoff limit/,
  ],
  [
    'the project forbids an object',
    state({
      application: application({
        sync: { status: 'OutOfSync', revision },
        conditions: [condition('NotPermittedWarning', 'Secret shop/s: resource :Secret is not permitted in project p')],
      }),
    }),
    'cluster',
    /not permitted in project p/,
  ],
];

for (const [what, given, hop, reason] of broken) {
  test(`${what}: the hop ${hop} is broken`, () => {
    const flow = flowOf(given);
    assert.equal(flow.broken, hop, JSON.stringify(flow.hops, null, 1));
    assert.match(flow.hops.find(({ id }) => id === hop)?.reason ?? '', reason);
    assert.match(flow.summary, /makes no progress at the hop/);
  });
}

const stateOf = (given: FlowState, hop: FlowHop['id']): string =>
  flowOf(given).hops.find(({ id }) => id === hop)?.state ?? '';

test('everything is delivered', () => {
  const flow = flowOf(state({ isTenant: true, deployment: deployment(), agent: agent() }));
  assert.deepEqual(new Set(flow.hops.map((hop) => hop.state)), new Set(['ok']));
  assert.equal(flow.summary, 'web has passed every hop.');
  assert.equal(flow.broken, undefined);
  assert.equal(flow.hops[0]?.ageSeconds, 60);
});

test('hops behind a broken one wait for it', () => {
  const [, given] = broken[0] ?? [];
  assert.ok(given);
  assert.equal(stateOf(given, 'render'), 'waiting');
  assert.equal(stateOf(given, 'cluster'), 'waiting');
  const cutOff = state({ agent: agent({ transport: 'Down' }), roles: [role('controller')] });
  assert.equal(flowOf(cutOff).broken, 'principal');
  assert.equal(stateOf(cutOff, 'agent'), 'waiting', 'nobody knows whether the agent would be connected');
});

test('under way: the status of a tenant, a running sync, an agent with events', () => {
  const tenant = state({
    isTenant: true,
    deployment: { ...deployment(), spec: { source: { ...source, path: 'api' }, type: 'automated' } },
  });
  assert.equal(stateOf(tenant, 'operation'), 'working');
  const behind = state({
    isTenant: true,
    deployment: deployment(),
    application: application({ sync: { status: 'Synced', revision: 'b'.repeat(40) } }),
  });
  assert.equal(stateOf(behind, 'status'), 'working');
  assert.equal(
    stateOf(state({ application: application(operation('Running', [], 'applying')) }), 'cluster'),
    'working',
  );
  const events = flowOf(state({ agent: agent({ pending: 7 }) }));
  assert.deepEqual(events.hops.find(({ id }) => id === 'principal')?.queue, { depth: 7 });
});

test('out of sync with a manual policy or a closed window waits for a person or for time', () => {
  const outOfSync = application({ sync: { status: 'OutOfSync', revision } });
  const manual = flowOf(state({ application: outOfSync })).hops.find(({ id }) => id === 'cluster');
  assert.equal(manual?.state, 'waiting');
  assert.equal(manual?.action, 'sync it: fairlead app sync web');
  const closed = flowOf(state({ application: outOfSync, window: 'deny window at night' }));
  assert.match(closed.hops.find(({ id }) => id === 'cluster')?.reason ?? '', /deny window at night/);
});

test('queues of the roles are shown in front of their hops', () => {
  const queues = [
    { name: 'refresh', depth: 3, oldestSeconds: 4 },
    { name: 'sync', depth: 2 },
  ];
  const flow = flowOf(state({ roles: [role('controller', { queues })] }));
  assert.deepEqual(flow.hops.find(({ id }) => id === 'render')?.queue, { depth: 5, oldestSeconds: 4 });
});

test('an Application that no controller has seen', () => {
  const { status: _, ...fresh } = application();
  assert.equal(flowOf(state({ application: fresh, roles: [] })).broken, 'render');
  assert.equal(flowOf(state({ application: fresh, roles: undefined })).broken, undefined);
});
