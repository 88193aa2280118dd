import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { deletePoliciesOf, hookFinalizer, hookKinds, hookObject, isHook, isSameRun, isSkipped } from './hook.ts';

const object = (annotations: Record<string, string>, metadata: Partial<KubeObject['metadata']> = {}): KubeObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'migrate', annotations, ...metadata },
});
const argo = (text: string): KubeObject => object({ 'argocd.argoproj.io/hook': text });
const helm = (text: string): KubeObject => object({ 'helm.sh/hook': text });

const cases: [what: string, object: KubeObject, kinds: string[], hook: boolean][] = [
  ['an ordinary object', object({}), [], false],
  ['one hook', argo('PreSync'), ['PreSync'], true],
  ['several, in the order in which they run', argo('PostSync, PreSync'), ['PreSync', 'PostSync'], true],
  ['the same twice', argo('Sync,Sync'), ['Sync'], true],
  ['a deletion hook', argo('PreDelete'), ['PreDelete'], true],
  ['an unknown type', argo('Presync'), [], true],
  ['one known and one unknown type', argo('Sync,Garbage'), ['Sync'], true],
  ['Skip alone', argo('Skip'), ['Skip'], false],
  ['Skip with others', argo('Skip,PreSync'), ['PreSync', 'Skip'], true],
  ['Helm, before', helm('pre-install,pre-upgrade'), ['PreSync'], true],
  ['Helm, after', helm('post-install'), ['PostSync'], true],
  ['Helm, deletion', helm('post-delete'), ['PostDelete'], true],
  ['Helm, tests', helm('test'), [], true],
  ['Helm, definitions', helm('crd-install'), [], false],
  [
    'the Argo CD annotation wins over Helm',
    object({ 'argocd.argoproj.io/hook': 'Sync', 'helm.sh/hook': 'pre-install' }),
    ['Sync'],
    true,
  ],
];
for (const [what, given, kinds, hook] of cases) {
  test(`hooks: ${what}`, () => {
    assert.deepEqual(hookKinds(given), kinds);
    assert.equal(isHook(given), hook);
  });
}

test('an object is skipped only if Skip is its only hook type', () => {
  assert.ok(isSkipped(argo('Skip')));
  assert.ok(!isSkipped(argo('Skip,PreSync')));
  assert.ok(!isSkipped(object({})));
});

test('delete policies of Argo CD and Helm are combined; the default is BeforeHookCreation', () => {
  const policies = (ours: string, helms: string) =>
    deletePoliciesOf(object({ 'argocd.argoproj.io/hook-delete-policy': ours, 'helm.sh/hook-delete-policy': helms }));
  assert.deepEqual(policies('HookFailed', 'hook-succeeded'), ['HookSucceeded', 'HookFailed']);
  assert.deepEqual(policies('', 'before-hook-creation, hook-failed'), ['BeforeHookCreation', 'HookFailed']);
  assert.deepEqual(policies('sometimes', ''), ['BeforeHookCreation']);
});

test('a hook object is named after its run, has a finalizer, and is recognized again', () => {
  const run = { revision: '0123456789abcdef', startedAt: 1_700_000_000_500, attempt: 'uid/2023/0' };
  const generated = object({}, { name: '', generateName: 'migrate-', finalizers: ['example.com/own'] });
  const made = hookObject(generated, 'PreSync', run);
  assert.equal(made.metadata.name, 'migrate-0123456-presync-1700000000');
  assert.deepEqual(made.metadata.finalizers, ['example.com/own', hookFinalizer]);
  assert.deepEqual(hookObject(generated, 'PreSync', run), made, 'for any number of calls');
  assert.ok(isSameRun(made, hookObject(generated, 'PreSync', run)));
  assert.ok(!isSameRun(made, hookObject(generated, 'PostSync', run)), 'another phase is another run');
  assert.ok(!isSameRun(made, hookObject(generated, 'PreSync', { ...run, attempt: 'uid/2023/1' })), 'so is a retry');
  assert.ok(!isSameRun(generated, generated), 'a hook that never ran is not the same run');
  assert.equal(hookObject(object({}), 'Sync', { ...run, revision: 'v1' }).metadata.name, 'migrate');
});
