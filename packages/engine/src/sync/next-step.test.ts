import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import fc from 'fast-check';
import { hookFinalizer } from './hook.ts';
import { endedWell, nextStep, releasable } from './next-step.ts';
import { planSync } from './plan-sync.ts';
import type { SyncPhase, SyncTask, TaskPhase, TaskResult, TaskState } from './sync-task.ts';

interface Given {
  readonly hook?: boolean;
  readonly phase?: SyncPhase;
  readonly wave?: number;
  readonly prune?: boolean;
  readonly policy?: string;
  readonly inSync?: boolean;
  readonly is?: TaskPhase;
  readonly status?: TaskResult['status'];
  readonly message?: string;
  readonly live?: boolean;
}

function state(name: string, given: Given = {}): TaskState {
  const { hook = false, phase = 'Sync', wave = 0, prune = false, policy, inSync, is, status = 'Synced' } = given;
  const annotations = policy ? { 'argocd.argoproj.io/hook-delete-policy': policy } : {};
  const object: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'web', annotations } };
  const task: SyncTask = {
    id: { group: '', kind: 'Pod', namespace: 'web', name },
    phase,
    wave,
    hook,
    action: prune ? 'prune' : 'apply',
    ...(prune ? {} : { target: object }),
    ...(inSync ? { inSync } : {}),
  };
  return {
    task,
    ...(is ? { result: { status, phase: is, message: given.message ?? '' } } : {}),
    ...(given.live ? { live: object } : {}),
  };
}
const hook = (name: string, phase: SyncPhase, more: Given = {}) => state(name, { hook: true, phase, ...more });

function show(states: readonly TaskState[], options: Parameters<typeof nextStep>[1] = {}): string {
  const next = nextStep(states, options);
  if (next.kind === 'wait') return `wait: ${next.message}`;
  if (next.kind === 'run') {
    return `run ${next.step.phase} ${next.step.wave}: ${next.step.tasks.map(({ id }) => id.name).join(' ')}${next.last ? ' (last)' : ''}`;
  }
  return `${next.phase}: ${next.message}${next.remove.length > 0 ? ` (remove ${next.remove.map(({ task }) => task.id.name)})` : ''}`;
}

const cases: [what: string, states: TaskState[], decision: string][] = [
  ['nothing to do', [], 'Succeeded: successfully synced (no more tasks)'],
  ['one wave is the last, and is not waited for', [state('a'), state('b')], 'run Sync 0: a b (last)'],
  ['the first of two waves', [state('a'), state('b', { wave: 1 })], 'run Sync 0: a'],
  [
    'the next wave waits for health',
    [state('a', { is: 'Running' }), state('b', { wave: 1 })],
    'wait: waiting for healthy state of /Pod/a',
  ],
  [
    'how many more are waited for',
    [state('a', { is: 'Running' }), state('b', { is: 'Running' }), state('c', { wave: 1 })],
    'wait: waiting for healthy state of /Pod/a and 1 more resources',
  ],
  [
    'a single wave without hooks is done when it is applied',
    [state('a', { is: 'Running' })],
    'Succeeded: successfully synced (no more tasks)',
  ],
  [
    'a hook is waited for, also in the last wave',
    [state('a', { is: 'Running' }), hook('h', 'Sync', { is: 'Running' })],
    'wait: waiting for completion of hook /Pod/h',
  ],
  ['a wave with a hook is waited for', [hook('h', 'PostSync')], 'run PostSync 0: h'],
  [
    'phases run one after the other',
    [hook('h', 'PreSync', { is: 'Succeeded' }), state('a'), hook('p', 'PostSync')],
    'run Sync 0: a',
  ],
  [
    'SyncFail hooks do not run while no task fails',
    [state('a', { is: 'Succeeded' }), hook('f', 'SyncFail')],
    'Succeeded: successfully synced (no more tasks)',
  ],
  [
    'on failure SyncFail hooks run',
    [hook('h', 'PreSync', { is: 'Failed' }), state('a'), hook('f', 'SyncFail')],
    'run SyncFail 0: f',
  ],
  [
    'SyncFail hooks run wave after wave',
    [
      hook('h', 'PreSync', { is: 'Failed' }),
      hook('f', 'SyncFail', { is: 'Succeeded' }),
      hook('g', 'SyncFail', { wave: 1 }),
    ],
    'run SyncFail 1: g',
  ],
  [
    'and are waited for',
    [hook('h', 'PreSync', { is: 'Failed' }), hook('f', 'SyncFail', { is: 'Running' })],
    'wait: waiting for completion of hook /Pod/f',
  ],
  [
    'then the sync has failed, for the reason that it had',
    [hook('h', 'PreSync', { is: 'Failed', message: 'exit 1' }), hook('f', 'SyncFail', { is: 'Succeeded' })],
    'Failed: one or more synchronization tasks completed unsuccessfully',
  ],
  [
    'a failed SyncFail hook is reported too',
    [
      hook('h', 'PreSync', { is: 'Failed' }),
      hook('f', 'SyncFail', { is: 'Failed', status: 'SyncFailed', message: 'no quota' }),
    ],
    'Failed: one or more synchronization tasks completed unsuccessfully\none or more SyncFail hooks failed, reason: no quota',
  ],
  [
    'a degraded wave stops the next and is named',
    [state('a', { is: 'Failed', message: 'it crashes' }), state('b', { wave: 1 })],
    'Failed: one or more synchronization tasks completed unsuccessfully',
  ],
  [
    'after a failure health is not waited for, but hooks end',
    [
      state('a', { is: 'Failed' }),
      state('b', { is: 'Running' }),
      hook('h', 'Sync', { is: 'Running' }),
      state('c', { wave: 1 }),
    ],
    'wait: waiting for completion of hook /Pod/h',
  ],
  [
    'a message that several objects have is named once',
    [
      state('a', { is: 'Failed', status: 'SyncFailed', message: 'no quota' }),
      state('b', { is: 'Failed', status: 'SyncFailed', message: 'no quota' }),
    ],
    'Failed: one or more objects failed to apply, reason: no quota',
  ],
  [
    'after SyncFail hooks, the message is that of a later pass',
    [
      state('a', { is: 'Failed', status: 'SyncFailed', message: 'no quota' }),
      hook('f', 'SyncFail', { is: 'Succeeded' }),
    ],
    'Failed: one or more synchronization tasks completed unsuccessfully, reason: no quota',
  ],
  [
    'an object that could not be applied is the reason',
    [state('a', { is: 'Failed', status: 'SyncFailed', message: 'no quota' }), state('b', { wave: 1 })],
    'Failed: one or more objects failed to apply, reason: no quota',
  ],
  [
    'an object that is missing after apply is the reason too',
    [state('a', { is: 'Error', status: 'SyncFailed', message: 'it is missing' }), state('b', { wave: 1 })],
    'Failed: one or more synchronization tasks completed unsuccessfully, reason: it is missing',
  ],
  [
    'the next wave waits until pruned objects are deleted',
    [state('a', { prune: true, is: 'Succeeded', status: 'Pruned', live: true }), state('b', { wave: 1 })],
    'wait: waiting for deletion of /Pod/a',
  ],
  [
    'HookSucceeded goes at the end',
    [
      hook('h', 'PreSync', { is: 'Succeeded', live: true, policy: 'HookSucceeded' }),
      hook('k', 'PreSync', { is: 'Succeeded', live: true }),
    ],
    'Succeeded: successfully synced (no more tasks) (remove h)',
  ],
  [
    'HookFailed goes when the sync has failed, whatever became of the hook itself; HookSucceeded stays then',
    [
      hook('h', 'PreSync', { is: 'Failed', live: true, policy: 'HookFailed', message: 'x' }),
      hook('k', 'PreSync', { is: 'Succeeded', live: true, policy: 'HookSucceeded' }),
      hook('l', 'PreSync', { is: 'Failed', live: true, policy: 'HookSucceeded', message: 'x' }),
      hook('m', 'PreSync', { is: 'Succeeded', live: true, policy: 'HookFailed' }),
    ],
    'Failed: one or more synchronization tasks completed unsuccessfully (remove h,m)',
  ],
];
for (const [what, states, decision] of cases) test(`next: ${what}`, () => assert.equal(show(states), decision));

test('with outOfSyncOnly, objects in sync are skipped, and hooks still run', () => {
  const states = [hook('h', 'PreSync', { inSync: true }), state('a', { inSync: true }), state('b')];
  assert.equal(show(states, { outOfSyncOnly: true }), 'run PreSync 0: h');
  assert.equal(show(states.slice(1), { outOfSyncOnly: true }), 'run Sync 0: b (last)');
});

test('the finalizer is removed only from hooks that have ended and still have it', () => {
  const protectedBy = (one: TaskState): TaskState => ({
    ...one,
    live: { ...one.live!, metadata: { ...one.live!.metadata, finalizers: [hookFinalizer] } },
  });
  const states = [
    protectedBy(hook('a', 'Sync', { is: 'Succeeded', live: true })),
    protectedBy(hook('b', 'Sync', { is: 'Running', live: true })),
    hook('c', 'Sync', { is: 'Succeeded', live: true }),
    hook('d', 'Sync', { is: 'Succeeded' }),
  ];
  assert.deepEqual(
    releasable(states).map(({ task }) => task.id.name),
    ['a'],
  );
});

test('a sync whose last wave is applied has succeeded', () => {
  const ended = endedWell([hook('h', 'PreSync', { is: 'Succeeded', live: true, policy: 'HookSucceeded' })]);
  assert.deepEqual(ended.kind === 'end' && [ended.phase, ended.message, ended.remove.length], [
    'Succeeded',
    'successfully synced (all tasks run)',
    1,
  ]);
});

/** Runs a sync to its end, with a random result for each task. */
function play(tasks: readonly SyncTask[], fails: (task: SyncTask) => boolean): { ran: SyncTask[]; phase: string } {
  const results = new Map<SyncTask, TaskResult>();
  const ran: SyncTask[] = [];
  for (let passes = 0; passes < 100; passes++) {
    const states = tasks.map((task): TaskState => {
      const result = results.get(task);
      return result ? { task, result } : { task };
    });
    const next = nextStep(states);
    if (next.kind === 'end') return { ran, phase: next.phase };
    assert.equal(next.kind, 'run', 'everything that runs has ended');
    if (next.kind !== 'run') continue;
    for (const task of next.step.tasks) {
      assert.ok(!results.has(task), 'no task runs twice');
      ran.push(task);
      results.set(task, { status: 'Synced', phase: fails(task) ? 'Failed' : 'Succeeded', message: '' });
    }
  }
  throw new Error('the sync does not end');
}

test('for any tasks and results, each task runs at most once, in order, and the phase follows from the results', () => {
  const phases = fc.constantFrom('PreSync', 'Sync', 'PostSync', 'SyncFail', 'Sync,SyncFail');
  const hooks = fc.uniqueArray(
    fc.record({ name: fc.constantFrom('p', 'q', 'r', 's'), phase: phases, wave: fc.integer({ min: -1, max: 1 }) }),
    {
      selector: ({ name }) => name,
    },
  );
  const objects = fc.uniqueArray(
    fc.record({ name: fc.constantFrom('a', 'b', 'c'), wave: fc.integer({ min: -1, max: 2 }) }),
    {
      selector: ({ name }) => name,
    },
  );
  const annotated = (name: string, annotations: Record<string, string>): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'web', annotations },
  });
  const wave = (n: number) => ({ 'argocd.argoproj.io/sync-wave': String(n) });
  fc.assert(
    fc.property(
      objects,
      hooks,
      fc.array(fc.constantFrom<string>('a', 'b', 'c', 'p', 'q', 'r', 's')),
      (drawn, run, failing) => {
        const tasks = planSync(
          drawn.map((one) => ({ target: annotated(one.name, wave(one.wave)) })),
          { hooks: run.map((one) => annotated(one.name, { ...wave(one.wave), 'argocd.argoproj.io/hook': one.phase })) },
        );
        const { ran, phase } = play(tasks, ({ id }) => failing.includes(id.name));
        const regular = ran.filter((task) => task.phase !== 'SyncFail');
        const failed = regular.some(({ id }) => failing.includes(id.name));
        assert.equal(phase, failed ? 'Failed' : 'Succeeded');
        assert.deepEqual(
          ran,
          tasks.filter((task) => ran.includes(task)),
          'in the order of the plan',
        );
        if (!failed) assert.equal(regular.length, tasks.filter((task) => task.phase !== 'SyncFail').length);
        assert.ok(failed || ran.every((task) => task.phase !== 'SyncFail'));
      },
    ),
  );
});
