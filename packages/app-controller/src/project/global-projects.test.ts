import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppProject } from '@fairlead/api';
import { type GlobalProject, globalsOf, withGlobals } from './global-projects.ts';

const project = (name: string, labels: Record<string, string> = {}, spec: Partial<AppProject['spec']> = {}) =>
  ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name, namespace: 'argocd', labels },
    spec,
  }) as AppProject;

const expression = (operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist', ...values: string[]): GlobalProject => ({
  projectName: 'rules',
  selector: { matchExpressions: [{ key: 'tier', operator, values }] },
});

test('a selector chooses by labels as Kubernetes does', () => {
  const cases: [GlobalProject, Record<string, string>, boolean][] = [
    [{ projectName: 'rules', selector: {} }, {}, true],
    [{ projectName: 'rules', selector: { matchLabels: { tier: 'a' } } }, { tier: 'a' }, true],
    [{ projectName: 'rules', selector: { matchLabels: { tier: 'a' } } }, { tier: 'b' }, false],
    [expression('In', 'a', 'b'), { tier: 'b' }, true],
    [expression('In', 'a', 'b'), {}, false],
    [expression('NotIn', 'a'), {}, true],
    [expression('NotIn', 'a'), { tier: 'a' }, false],
    [expression('Exists'), { tier: 'a' }, true],
    [expression('DoesNotExist'), { tier: 'a' }, false],
  ];
  for (const [global, labels, chosen] of cases)
    assert.deepEqual(globalsOf(project('web', labels), [global]), chosen ? ['rules'] : [], JSON.stringify(global));
  assert.deepEqual(globalsOf(project('rules'), [{ projectName: 'rules', selector: {} }]), [], 'none is its own');
});

test('rules add up, what neither has stays absent, and the whole is the same object while its parts are', () => {
  const rules = project(
    'rules',
    {},
    { sourceRepos: ['b'], namespaceResourceBlacklist: [{ group: '', kind: 'Secret' }] },
  );
  const web = project('web', {}, { sourceRepos: ['a'], destinations: [] });
  const find = (name: string) => (name === 'rules' ? rules : undefined);
  const settings = ['gone', 'rules'].map((projectName) => ({ projectName, selector: {} }));
  const whole = withGlobals(web, settings, find);
  assert.deepEqual(whole.spec, {
    sourceRepos: ['a', 'b'],
    destinations: [],
    namespaceResourceBlacklist: [{ group: '', kind: 'Secret' }],
  });
  assert.equal(withGlobals(web, settings, find), whole);
  assert.equal(withGlobals(web, [], find), web);
  assert.deepEqual(web.spec.sourceRepos, ['a']);
});
