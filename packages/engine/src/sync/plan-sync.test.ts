import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import fc from 'fast-check';
import { planSync, type SyncItem, stepsOf, withoutPruned } from './plan-sync.ts';
import type { SyncTask } from './sync-task.ts';

function object(
  kind: string,
  name: string,
  {
    wave,
    namespace = 'web',
    options,
    ...rest
  }: { wave?: number; namespace?: string; options?: string; spec?: object } = {},
): KubeObject {
  const annotations = {
    ...(wave === undefined ? {} : { 'argocd.argoproj.io/sync-wave': String(wave) }),
    ...(options === undefined ? {} : { 'argocd.argoproj.io/sync-options': options }),
  };
  const apiVersion =
    kind === 'CustomResourceDefinition' ? 'apiextensions.k8s.io/v1' : kind === 'Thing' ? 'example.com/v1' : 'v1';
  return { apiVersion, kind, metadata: { name, ...(namespace ? { namespace } : {}), annotations }, ...rest };
}
const want = (...args: Parameters<typeof object>): SyncItem => ({ target: object(...args) });
const stray = (...args: Parameters<typeof object>): SyncItem => ({ live: object(...args) });
const crd = want('CustomResourceDefinition', 'things', {
  wave: 5,
  namespace: '',
  spec: { group: 'example.com', names: { kind: 'Thing' } },
});

const show = (tasks: readonly SyncTask[]): string[] =>
  stepsOf(tasks).map(
    ({ wave, tasks }) =>
      `${wave}: ${tasks.map((task) => `${task.action === 'prune' ? '-' : ''}${task.id.kind}/${task.id.name}`).join(' ')}`,
  );

const cases: [title: string, items: SyncItem[], steps: string[]][] = [
  ['nothing', [], []],
  [
    'kinds in order, then names, unknown kinds last',
    [
      want('Thing', 'a'),
      want('Deployment', 'b'),
      want('Deployment', 'a'),
      want('ConfigMap', 'z'),
      want('Namespace', 'web', { namespace: '' }),
      want('Service', 's'),
    ],
    ['0: Namespace/web ConfigMap/z Service/s Deployment/a Deployment/b Thing/a'],
  ],
  [
    'waves, negative ones first',
    [want('ConfigMap', 'a', { wave: 1 }), want('Deployment', 'b', { wave: -1 }), want('Secret', 'c')],
    ['-1: Deployment/b', '0: Secret/c', '1: ConfigMap/a'],
  ],
  [
    'a namespace is before its first user',
    [want('Namespace', 'web', { namespace: '', wave: 3 }), want('ConfigMap', 'a', { wave: -2 })],
    ['-2: Namespace/web ConfigMap/a'],
  ],
  [
    'a CustomResourceDefinition is before its first object',
    [crd, want('Thing', 'a', { wave: 1 })],
    ['1: CustomResourceDefinition/things Thing/a'],
  ],
  [
    'an unused CustomResourceDefinition stays in its wave',
    [crd, want('ConfigMap', 'a')],
    ['0: ConfigMap/a', '5: CustomResourceDefinition/things'],
  ],
  [
    'prunes run in reverse order of waves and kinds',
    [stray('Deployment', 'a', { wave: 0 }), stray('ConfigMap', 'b', { wave: 0 }), stray('ConfigMap', 'c', { wave: 2 })],
    ['0: -ConfigMap/c', '2: -Deployment/a -ConfigMap/b'],
  ],
  [
    'a prune is before the applies of its wave',
    [want('ConfigMap', 'a'), stray('ConfigMap', 'b')],
    ['0: -ConfigMap/b ConfigMap/a'],
  ],
  [
    'PruneLast comes after all',
    [
      want('ConfigMap', 'a', { wave: 4 }),
      stray('ConfigMap', 'b', { options: 'PruneLast=true' }),
      stray('ConfigMap', 'c'),
    ],
    ['0: -ConfigMap/c', '4: ConfigMap/a', '5: -ConfigMap/b'],
  ],
  [
    'the waves of all prunes are reversed, also with PruneLast',
    [stray('ConfigMap', 'b', { wave: 0, options: 'PruneLast=true' }), stray('ConfigMap', 'c', { wave: 2 })],
    ['0: -ConfigMap/c', '3: -ConfigMap/b'],
  ],
  [
    'a wave that is not a number is ignored',
    [
      {
        target: {
          ...object('ConfigMap', 'a'),
          metadata: { name: 'a', annotations: { 'argocd.argoproj.io/sync-wave': 'x' } },
        },
      },
    ],
    ['0: ConfigMap/a'],
  ],
];
for (const [title, items, expected] of cases) {
  test(`plan: ${title}`, () => assert.deepEqual(show(planSync(items)), expected));
}

test('PruneLast applies to the whole Application', () => {
  assert.deepEqual(
    show(planSync([want('ConfigMap', 'a'), stray('Secret', 'b')], { syncOptions: ['PruneLast=true'] })),
    ['0: ConfigMap/a', '1: -Secret/b'],
  );
});

test('every object has a task, and the order of the items does not matter', () => {
  const item = fc.record({
    kind: fc.constantFrom('Namespace', 'ConfigMap', 'Deployment', 'Thing'),
    name: fc.constantFrom('a', 'b', 'c'),
    wave: fc.integer({ min: -2, max: 2 }),
    isTarget: fc.boolean(),
  });
  const items = fc.uniqueArray(item, { selector: ({ kind, name }) => `${kind}/${name}` });
  fc.assert(
    fc.property(items, fc.nat(), (drawn, turn) => {
      const list = drawn.map(({ kind, name, wave, isTarget }) =>
        isTarget ? want(kind, name, { wave }) : stray(kind, name, { wave }),
      );
      const plan = show(planSync(list));
      assert.equal(planSync(list).length, list.length);
      const turned = [...list.slice(turn % (list.length || 1)), ...list.slice(0, turn % (list.length || 1))];
      assert.deepEqual(show(planSync(turned)), plan);
    }),
  );
});

const hookIn = (phases: string, name: string, more: { wave?: number; namespace?: string } = {}): KubeObject => {
  const made = object('Job', name, more);
  return {
    ...made,
    metadata: { ...made.metadata, annotations: { ...made.metadata.annotations, 'argocd.argoproj.io/hook': phases } },
  };
};
const withPhases = (tasks: readonly SyncTask[]): string[] =>
  stepsOf(tasks).map(
    ({ phase, wave, tasks: together }) =>
      `${phase} ${wave}: ${together.map(({ id }) => `${id.kind}/${id.name}`).join(' ')}`,
  );

test('hooks are in their phases and waves; an object may have several; deletion hooks are in no sync', () => {
  const tasks = planSync([want('ConfigMap', 'a', { wave: 5 })], {
    hooks: [
      hookIn('PostSync,PreSync', 'both', { wave: 1 }),
      hookIn('PreSync', 'early', { wave: -1 }),
      hookIn('SyncFail', 'rescue'),
      hookIn('PreDelete', 'backup'),
    ],
  });
  assert.deepEqual(withPhases(tasks), [
    'PreSync -1: Job/early',
    'PreSync 1: Job/both',
    'Sync 5: ConfigMap/a',
    'PostSync 1: Job/both',
    'SyncFail 0: Job/rescue',
  ]);
});

test('a namespace moves up to the hook that needs it, and the destination namespace is first', () => {
  const namespace = object('Namespace', 'web', { namespace: '' });
  const tasks = planSync([want('Namespace', 'tools', { namespace: '' }), want('ConfigMap', 'a')], {
    hooks: [hookIn('PreSync', 'migrate', { namespace: 'tools', wave: 2 })],
    namespace: { target: namespace },
  });
  assert.deepEqual(withPhases(tasks), [
    'PreSync 0: Namespace/web',
    'PreSync 2: Namespace/tools Job/migrate',
    'Sync 0: ConfigMap/a',
  ]);
});

test('the wave order of prunes is reversed again after some are pruned', () => {
  const tasks = planSync([
    want('ConfigMap', 'keep'),
    ...[-1, 0, 1].map((wave) => stray('ConfigMap', `p${wave}`, { wave })),
  ]);
  assert.deepEqual(show(tasks), ['-1: -ConfigMap/p1', '0: -ConfigMap/p0 ConfigMap/keep', '1: -ConfigMap/p-1']);
  const pruned = (...names: string[]) =>
    withoutPruned(
      tasks.map((task) => ({
        task,
        ...(names.includes(task.id.name) ? { result: { status: 'Pruned', message: '' } as const } : {}),
      })),
    ).map(({ task }) => task);
  assert.deepEqual(show(pruned('p1')), ['-1: -ConfigMap/p0', '0: -ConfigMap/p-1 ConfigMap/keep']);
  assert.deepEqual(show(pruned('p1', 'p0')), ['-1: -ConfigMap/p-1', '0: ConfigMap/keep']);
});
