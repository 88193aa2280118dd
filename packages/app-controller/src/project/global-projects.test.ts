import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppProject } from '@fairlead/api';
import { formatSelector, selectorFromObject } from '@fairlead/apimachinery';
import { type GlobalProject, globalsOf, withGlobals } from './global-projects.ts';

const project = (name: string, labels: Record<string, string> = {}, spec: Partial<AppProject['spec']> = {}) =>
  ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name, namespace: 'argocd', labels },
    spec,
  }) as AppProject;

const global = (selector: Parameters<typeof selectorFromObject>[0], projectName = 'rules'): GlobalProject => ({
  projectName,
  selector: selectorFromObject(selector),
});

const expression = (operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist', ...values: string[]): GlobalProject => ({
  projectName: 'rules',
  selector: selectorFromObject({ matchExpressions: [{ key: 'tier', operator, values }] }),
});

test('a selector matches labels as in Kubernetes, and never inherited properties', () => {
  const cases: [GlobalProject, Record<string, string>, boolean][] = [
    [global({}), {}, true],
    [global({ matchLabels: { tier: 'a' } }), { tier: 'a' }, true],
    [global({ matchLabels: { tier: 'a' } }), { tier: 'b' }, false],
    [global({ matchExpressions: [{ key: 'constructor', operator: 'Exists' }] }), {}, false],
    [global({ matchExpressions: [{ key: 'constructor', operator: 'DoesNotExist' }] }), {}, true],
    [global({ matchLabels: { toString: '' } }), {}, false],
    [expression('In', 'a', 'b'), { tier: 'b' }, true],
    [expression('In', 'a', 'b'), {}, false],
    [expression('NotIn', 'a'), {}, true],
    [expression('NotIn', 'a'), { tier: 'a' }, false],
    [expression('Exists'), { tier: 'a' }, true],
    [expression('DoesNotExist'), { tier: 'a' }, false],
  ];
  for (const [one, labels, matches] of cases)
    assert.deepEqual(globalsOf(project('web', labels), [one]), matches ? ['rules'] : [], formatSelector(one.selector));
  assert.deepEqual(globalsOf(project('rules'), [global({})]), [], 'never its own');
});

test('rules are merged, absent fields remain absent, and the merged project is cached while its parts are unchanged', () => {
  const rules = project(
    'rules',
    {},
    { sourceRepos: ['b'], namespaceResourceBlacklist: [{ group: '', kind: 'Secret' }] },
  );
  const web = project('web', {}, { sourceRepos: ['a'], destinations: [] });
  const find = (name: string) => (name === 'rules' ? rules : undefined);
  const settings = ['gone', 'rules'].map((name) => global({}, name));
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
