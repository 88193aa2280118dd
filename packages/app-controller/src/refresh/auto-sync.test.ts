import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application, OperationState } from '@fairlead/api';
import type { ComparedResource, Comparison } from '../compare/compare.ts';
import { decideAutoSync } from './auto-sync.ts';

type Automated = NonNullable<NonNullable<Application['spec']['syncPolicy']>['automated']>;
const source = { repoURL: 'https://x/y', path: '.' };
const now = 1_000_000_000;

const application = (automated: Automated | undefined, more: Partial<Application> = {}): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'a' },
  spec: {
    project: 'default',
    source,
    destination: { name: 'in-cluster' },
    syncPolicy: automated ? { automated, syncOptions: ['CreateNamespace=true'] } : {},
  },
  ...more,
});
const resource = (name: string, status: 'Synced' | 'OutOfSync', requiresPruning = false): ComparedResource => ({
  id: { group: 'apps', kind: 'Deployment', namespace: 'web', name },
  status,
  requiresPruning,
  fields: [],
});
const comparison = (...resources: ComparedResource[]): Comparison => ({
  sync: resources.some(({ status }) => status === 'OutOfSync') ? 'OutOfSync' : 'Synced',
  health: 'Healthy',
  healthCauses: '',
  resources,
  hooks: [],
  conditions: [],
});
const attempt = (change: Partial<OperationState> = {}, revision = 'abc', heals = 0): Partial<Application> => ({
  status: {
    operationState: {
      operation: { sync: heals > 0 ? { autoHealAttemptsCount: heals } : {} },
      phase: 'Succeeded',
      startedAt: '',
      finishedAt: new Date(now - 1000).toISOString(),
      syncResult: { revision, source },
      ...change,
    },
  },
});
const decide = (app: Application, compared = comparison(resource('a', 'OutOfSync'), resource('b', 'Synced'))) =>
  decideAutoSync({ application: app, comparison: compared, revisions: ['abc'], now });

test('no automated sync without a policy, if skipped, in sync, busy or being deleted', () => {
  const quiet = [
    application(undefined),
    application({ enabled: false }),
    application({}, { operation: {} }),
    application({}, { metadata: { name: 'a', deletionTimestamp: 'now' } }),
  ];
  for (const app of quiet) assert.deepEqual(decide(app), { kind: 'nothing' });
  assert.deepEqual(decide(application({}), comparison(resource('a', 'Synced'))), { kind: 'nothing' });
});

test('OutOfSync and never attempted: everything is synced', () => {
  assert.deepEqual(decide(application({ prune: true })), {
    kind: 'sync',
    operation: {
      sync: { source, revision: 'abc', prune: true, syncOptions: ['CreateNamespace=true'] },
      initiatedBy: { automated: true },
      retry: { limit: 5 },
    },
  });
});

test('only prunes remain and pruning is off: no sync', () => {
  assert.deepEqual(decide(application({}), comparison(resource('a', 'OutOfSync', true), resource('b', 'Synced'))), {
    kind: 'nothing',
  });
});

test('a sync that would delete everything is refused, unless empty is allowed', () => {
  const all = comparison(resource('a', 'OutOfSync', true));
  const refused = decide(application({ prune: true }), all);
  assert.equal(
    refused.kind === 'refuse' && refused.condition.message,
    'Skipping sync attempt to [abc]: auto-sync will wipe out all resources',
  );
  assert.equal(decide(application({ prune: true, allowEmpty: true }), all).kind, 'sync');
});

test('a revision that failed is not synced again, a newer one is', () => {
  const failed = decide(application({ selfHeal: true }, attempt({ phase: 'Failed', message: 'no quota' })));
  assert.deepEqual(failed, {
    kind: 'refuse',
    condition: { type: 'SyncError', message: 'Failed last sync attempt to [abc]: no quota' },
  });
  assert.equal(decide(application({}, attempt({ phase: 'Failed' }, 'older'))).kind, 'sync');
});

test('a sync that failed without a result is not repeated', () => {
  const { syncResult: _, ...state } = attempt().status!.operationState!;
  const operation = { sync: { revision: 'abc', source } };
  const app = application(
    {},
    { status: { operationState: { ...state, phase: 'Failed', message: 'forbidden', operation } } },
  );
  assert.equal(decide(app).kind, 'refuse');
});

test('a changed source is a new attempt', () => {
  const app = application({}, attempt({ phase: 'Failed' }));
  assert.equal(decide({ ...app, spec: { ...app.spec, source: { ...source, path: 'other' } } }).kind, 'sync');
});

test('drift after a successful sync is healed only with selfHeal, and only the objects that drifted', () => {
  assert.deepEqual(decide(application({}, attempt())), { kind: 'nothing' });
  const healed = decide(application({ selfHeal: true }, attempt()));
  assert.ok(healed.kind === 'sync');
  assert.deepEqual(healed.operation.sync?.resources, [{ group: 'apps', kind: 'Deployment', name: 'a' }]);
  assert.equal(healed.operation.sync?.autoHealAttemptsCount, 1);
});

test('repeated self-heal has growing delays', () => {
  const waits = [0, 1, 2, 3, 4, 5, 6, 20].map((heals) => {
    const decision = decide(application({ selfHeal: true }, attempt({}, 'abc', heals)));
    return decision.kind === 'later' ? decision.ms! / 1000 : decision.kind;
  });
  assert.deepEqual(waits, ['sync', 1, 5, 17, 53, 161, 299, 299]);
});

test('a newer commit replaces a pending automated sync, but no other', () => {
  const busy = (state: Partial<OperationState>, revision: string, automated = true): Application =>
    application(
      {},
      {
        operation: { sync: { revision, source }, initiatedBy: { automated } },
        ...attempt({ phase: 'Running', ...state }, revision),
      },
    );
  assert.equal(decide(busy({ retryCount: 1 }, 'older')).kind, 'sync', 'waits for its next try');
  assert.equal(decide(busy({}, 'older')).kind, 'sync', 'waits between waves');
  assert.equal(decide(busy({ retryCount: 1 }, 'abc')).kind, 'nothing', 'same commit');
  assert.equal(decide(busy({ retryCount: 1 }, 'older', false)).kind, 'nothing', 'it was requested by a user');
  const job = { group: 'batch', version: 'v1', kind: 'Job', namespace: 'web', name: 'migrate', hookType: 'PreSync' };
  const syncResult = { revision: 'older', source, resources: [{ ...job, hookPhase: 'Running' }] };
  assert.equal(decide(busy({ syncResult }, 'older')).kind, 'nothing', 'a hook runs, and is not cut off');
  const { syncResult: _, ...started } = attempt().status!.operationState!;
  const fresh = {
    operation: { sync: { revision: 'older', source }, initiatedBy: { automated: true } },
    status: { operationState: { ...started, phase: 'Running' } },
  };
  assert.equal(decide(application({}, fresh)).kind, 'nothing', 'has only just started');
});

test('several sources are synced with all their revisions', () => {
  const app = application({});
  const many: Application = { ...app, spec: { ...app.spec, sources: [source, source] } };
  const decision = decideAutoSync({
    application: many,
    comparison: comparison(resource('a', 'OutOfSync')),
    revisions: ['x', 'y'],
    now,
  });
  assert.ok(decision.kind === 'sync');
  assert.deepEqual(decision.operation.sync, {
    sources: [source, source],
    revisions: ['x', 'y'],
    syncOptions: ['CreateNamespace=true'],
  });
});

test('a failed sync is reported before one that would delete everything', () => {
  const all = comparison(resource('a', 'OutOfSync', true));
  const failed = decide(application({ prune: true }, attempt({ phase: 'Failed', message: 'no quota' })), all);
  assert.match(failed.kind === 'refuse' ? failed.condition.message : '', /^Failed last sync attempt/);
});

test('automated.enabled: false disables automated sync', () => {
  assert.deepEqual(decide(application({ enabled: false })), { kind: 'nothing' });
  assert.equal(decide(application({ enabled: true })).kind, 'sync');
});

test('live hooks count neither as remaining objects nor as OutOfSync', () => {
  const hook: ComparedResource = { ...resource('h', 'Synced'), hook: true };
  const all = comparison(resource('a', 'OutOfSync', true), hook);
  assert.equal(decide(application({ prune: true }), all).kind, 'refuse');
});

test('a self-heal includes live hooks, as Argo CD does', () => {
  const { status: _, ...hook } = resource('h', 'Synced');
  const all = comparison(resource('a', 'OutOfSync'), { ...hook, hook: true });
  const healed = decide(application({ selfHeal: true }, attempt()), all);
  assert.ok(healed.kind === 'sync');
  assert.deepEqual(
    healed.operation.sync?.resources?.map(({ name }) => name),
    ['a', 'h'],
  );
});

test('a closed window delays a sync until it opens, and is checked only when a sync is due', () => {
  const shut = { open: false, reason: 'the deny window is open', opensAt: now + 60_000 } as const;
  const input = { comparison: comparison(resource('a', 'OutOfSync')), revisions: ['abc'], now };
  assert.deepEqual(decideAutoSync({ ...input, application: application({}), window: () => shut }), {
    kind: 'later',
    ms: 60_000,
    condition: { type: 'SyncWindow', message: 'automated sync waits: the deny window is open' },
  });
  const inSync = comparison(resource('a', 'Synced'));
  const never = () => assert.fail('nothing is due');
  assert.equal(
    decideAutoSync({ ...input, comparison: inSync, application: application({}), window: never }).kind,
    'nothing',
  );
});
