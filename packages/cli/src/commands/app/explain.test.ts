import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application, ApplicationCondition } from '@fairlead/api';
import type { KubeObject } from '@fairlead/apimachinery';
import { type ExplainInput, explain, headline, type TreeNode } from '@fairlead/app-controller/explain';
import { application, operationState, resource, result } from '../../../test/support/application.ts';
import { noStyle } from '../../terminal/style.ts';
import { explanation } from './explain.ts';

const now = Date.UTC(2030, 0, 1, 0, 1);
const explained = (app: Application, over: Partial<ExplainInput> = {}): string[] =>
  explanation(headline(app), explain({ application: app, tree: [], now, ...over }), noStyle);
const condition = (type: string, message: string): ApplicationCondition => ({ type, message });

const node = (
  kind: string,
  name: string,
  health: string,
  over: Partial<TreeNode> & { message?: string } = {},
): TreeNode => ({
  id: { group: kind === 'Pod' ? '' : 'apps', kind, namespace: 'demo', name },
  health: { status: health as 'Healthy', ...(over.message ? { message: over.message } : {}) },
  children: [],
  ...over,
});
const pod = (name: string, status: object): TreeNode =>
  node('Pod', name, 'Degraded', {
    live: { apiVersion: 'v1', kind: 'Pod', metadata: { name }, status } as unknown as KubeObject,
  });

test('a Synced and Healthy Application is one sentence', () => {
  assert.deepEqual(explained(application()), ['web is Synced and Healthy: the live state matches the source.']);
});

test('out of sync without automated sync', () => {
  const app = application({
    status: {
      sync: { status: 'OutOfSync' },
      resources: [
        resource('Deployment', 'web', { status: 'OutOfSync' }),
        resource('Service', 'old', { status: 'OutOfSync', requiresPruning: true }),
      ],
      conditions: [condition('OutOfSync', 'Deployment demo/web differs in spec.replicas; and 1 more')],
    },
  });
  assert.deepEqual(explained(app), [
    'web is OutOfSync and Healthy.',
    '',
    'Why it is out of sync',
    '  Deployment demo/web differs from the source in spec.replicas.',
    '  Service demo/old is no longer in the source but still in the cluster.',
    '  It is synced manually, and was not synced since.',
    '  → fairlead app diff web shows the difference, fairlead app sync web --prune deletes it',
  ]);
});

test('why an automated sync does not run: sync window, pruning, drift', () => {
  const spec = { syncPolicy: { automated: {} } };
  const outOfSync = (extra: object, resources = [resource('Service', 'web', { status: 'OutOfSync' })]): Application =>
    application({ spec, status: { sync: { status: 'OutOfSync', revision: 'b'.repeat(40) }, resources, ...extra } });
  assert.ok(
    explained(outOfSync({}), {
      window: { automated: 'deny window at night', manual: 'deny window at night' },
    }).includes('  A sync window blocks it: deny window at night.'),
  );
  const prune = [resource('Service', 'web', { status: 'OutOfSync', requiresPruning: true })];
  assert.ok(explained(outOfSync({}, prune)).includes('  → enable pruning: fairlead app set web --auto-prune'));
  const synced = operationState({
    phase: 'Succeeded',
    finishedAt: '2030-01-01T00:00:30Z',
    syncResult: { revision: 'b'.repeat(40) },
  });
  assert.ok(
    explained(outOfSync({ operationState: synced })).includes('  → enable self-heal: fairlead app set web --self-heal'),
  );
});

test('unhealthy: names the container that is the cause', () => {
  const waiting = {
    name: 'web',
    state: { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "nginx:nope"' } },
  };
  const tree = [
    node('Deployment', 'web', 'Degraded', {
      message: 'Deployment "web" exceeded its progress deadline',
      children: [
        node('ReplicaSet', 'web-1', 'Progressing', { children: [pod('web-1-x', { containerStatuses: [waiting] })] }),
      ],
    }),
  ];
  const app = application({ status: { health: { status: 'Degraded' } } });
  assert.deepEqual(explained(app, { tree }).slice(2), [
    'Why it is Degraded',
    '  Deployment demo/web is Degraded: Deployment "web" exceeded its progress deadline.',
    '    ReplicaSet demo/web-1 is Progressing.',
    '      Container web of Pod demo/web-1-x waits: ImagePullBackOff, Back-off pulling image "nginx:nope".',
    '  → check that the image and its tag exist and that the node may pull it, then commit the right one',
  ]);
});

test('a stuck sync: names the wave and the object', () => {
  const app = application({
    operation: { sync: {} },
    status: {
      sync: { status: 'OutOfSync' },
      operationState: operationState({
        message: 'waiting for healthy state of apps/Deployment/web',
        operation: { sync: {}, initiatedBy: { username: 'ann' } },
        syncResult: { revision: 'c'.repeat(40), resources: [result('Deployment', 'web')] },
      }),
      resources: [
        resource('Deployment', 'web', {
          syncWave: 1,
          health: { status: 'Progressing', message: '0 of 2 updated replicas are available' },
        }),
        resource('Service', 'web', { syncWave: 2, status: 'OutOfSync' }),
      ],
    },
  });
  const lines = explained(app);
  assert.deepEqual(lines.slice(2, 6), [
    'What the sync waits for',
    '  It has been running for 60s, started by ann, and is in Sync wave 1: waiting for healthy state of apps/Deployment/web.',
    '    Deployment demo/web is not ready: Progressing: 0 of 2 updated replicas are available.',
    '  1 objects of later waves have not started.',
  ]);
});

test('an object that the project does not permit: names the field of the project', () => {
  const why =
    'Secret demo/s: resource :Secret is not permitted in project p: its namespaceResourceBlacklist refuses /Secret';
  const app = application({
    status: {
      sync: { status: 'OutOfSync' },
      resources: [resource('Secret', 's', { status: 'Unknown' })],
      conditions: [condition('NotPermittedWarning', why)],
    },
  });
  assert.ok(explained(app).includes(`  ${why}.`));
});

test('a failed sync: names the object or hook and the reason', () => {
  const app = application({
    spec: { syncPolicy: { automated: {} } },
    status: {
      sync: { status: 'OutOfSync' },
      operationState: operationState({
        phase: 'Failed',
        finishedAt: '2030-01-01T00:00:30Z',
        message: 'one or more synchronization tasks completed unsuccessfully',
        operation: { initiatedBy: { automated: true } },
        syncResult: {
          revision: '',
          resources: [
            result('Job', 'migrate', {
              hookType: 'PreSync',
              hookPhase: 'Failed',
              message: 'Job has reached the specified backoff limit',
            }),
          ],
        },
      }),
    },
  });
  const lines = explained(app);
  assert.ok(lines.includes('    The PreSync hook Job demo/migrate: Job has reached the specified backoff limit.'));
  assert.ok(lines.some((line) => line.startsWith('  → fairlead app logs web shows the output of the hook')));
});

test('a missing namespace: suggests CreateNamespace', () => {
  const message = 'namespaces "demo" not found';
  const resources = [result('Service', 'web', { status: 'SyncFailed', hookPhase: 'Failed', message })];
  const state = operationState({ phase: 'Failed', message, syncResult: { revision: '', resources } });
  const app = application({ status: { sync: { status: 'OutOfSync' }, operationState: state } });
  assert.ok(
    explained(app).includes(
      '    Service demo/web: namespaces "demo" not found: create the namespace, or set the sync option CreateNamespace=true.',
    ),
  );
  assert.ok(
    explained(app).includes(
      '  → let it create its namespace: fairlead app set web --sync-option CreateNamespace=true, then fairlead app sync web',
    ),
  );
});

test('a failed sync with retries: names the reason and the time of the next attempt', () => {
  const message = 'Job demo/migrate failed: no. Retrying attempt #2 at 2030-01-01T00:01:20Z.';
  const app = application({
    operation: { sync: {} },
    status: { operationState: operationState({ message, retryCount: 2 }) },
  });
  assert.deepEqual(explained(app).slice(2), [
    'Why the sync has not succeeded',
    '  Job demo/migrate failed: no.',
    '  It was started by somebody 60s ago, and is retried, next in 20s: attempt 2.',
    '  → fix the source and commit; fairlead app terminate web stops the retries',
  ]);
});

test('suggests a fix for each problem of source, project and destination', () => {
  const remedy = (type: string, message: string): string =>
    explained(application({ status: { sync: { status: 'Unknown' }, conditions: [condition(type, message)] } })).find(
      (line) => line.includes('→'),
    ) ?? '';
  assert.match(remedy('ComparisonError', 'desc = web: app path does not exist'), /set an existing folder/);
  assert.match(remedy('ComparisonError', 'authentication required'), /add credentials for the repository/);
  assert.match(
    remedy('InvalidSpecError', 'Application referencing project x which does not exist'),
    /choose a project that exists/,
  );
  assert.match(
    remedy('InvalidSpecError', "application repo https://a is not permitted in project 'p'"),
    /permit the repository in spec.sourceRepos/,
  );
  assert.match(
    remedy('ComparisonError', "unable to resolve 'x' to a commit SHA: revision not found"),
    /set an existing revision: .*--revision/,
  );
  assert.match(remedy('ComparisonError', 'failed to list refs: repository not found'), /app set web --repo URL/);
  assert.match(
    remedy('InvalidSpecError', "application 'web' in namespace 'a' is not permitted to use project 'p': add"),
    /permit the namespace argocd in spec\.sourceNamespaces of project default/,
  );
  assert.match(
    remedy('ComparisonError', "commit c of x is not signed, and project 'p' requires a signature by one of A"),
    /sign the commit and push it/,
  );
  assert.match(
    remedy('ComparisonError', 'Error: x: must specify --enable-helm'),
    /add --enable-helm to kustomize\.buildOptions/,
  );
  assert.match(
    remedy('ComparisonError', '`helm template . --values a.yaml` failed: open a.yaml: no such file or directory'),
    /set helm\.ignoreMissingValueFiles/,
  );
  assert.match(remedy('ComparisonError', 'web/templates/a.yaml:8: nil pointer'), /fix the source and commit/);
});

test('in a namespace that the controller does not watch', () => {
  const { status: _, ...fresh } = application({ namespace: 'team-a' });
  assert.deepEqual(explained(fresh, { overlooked: 'argocd, team-b' }).slice(2), [
    'Why it has no status',
    '  The controller watches Applications in argocd, team-b, and this one is in team-a.',
    '  → create it there instead, or add team-a to application.namespaces in ConfigMap argocd-cmd-params-cm and to spec.sourceNamespaces of AppProject default',
  ]);
});

test('never reconciled, and being deleted', () => {
  const { status: _, ...fresh } = application();
  assert.deepEqual(explained(fresh)[3], '  No controller has reconciled it yet.');
  const going = application({
    metadata: { deletionTimestamp: '2030-01-01T00:00:00Z', finalizers: ['resources-finalizer.argocd.argoproj.io'] },
  });
  const held: TreeNode = {
    ...node('Deployment', 'web', 'Healthy'),
    live: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', deletionTimestamp: 'x', finalizers: ['example.com/keep'] },
    },
  };
  assert.deepEqual(explained(going, { tree: [held] }), [
    'web is being deleted.',
    '',
    'Why it still exists',
    '  Deployment demo/web waits for its finalizers example.com/keep.',
    '  → the controller that set the finalizer must remove it: check that it runs',
  ]);
});
