import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Application } from '@fairlead/api';
import type { KubeObject } from '@fairlead/apimachinery';
import { createJq, createKinds, createLua } from '@fairlead/engine';
import type { ApiClient } from '@fairlead/kube';
import { readInstallation } from '../settings/read-installation.ts';
import { ResourceEvaluator } from './resource-evaluator.ts';

const jq = createJq({ timeMs: 20_000 });
const lua = createLua();
after(() => Promise.all([jq.close(), lua.close()]));

const type = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true, verbs: [] };
const configMap = (name: string, data: object, rest: object = {}): KubeObject =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'web' }, data, ...rest }) as KubeObject;
const application = (spec: object = {}): Application => ({ metadata: { name: 'a' }, spec }) as unknown as Application;

function evaluator(data: Record<string, string> = {}, asked: string[] = []) {
  const client = {
    patch: async (_: unknown, key: { name: string }, kind: string) => {
      asked.push(`${kind} ${key.name}`);
      throw new Error('the server says no');
    },
  } as unknown as ApiClient;
  return new ResourceEvaluator({
    client,
    clientAs: () => client,
    kinds: () => createKinds([type]),
    live: () => ({ read: async () => undefined }),
    installation: readInstallation(data),
    jq,
    lua,
  });
}

test('one object that cannot be compared does not affect the others', async () => {
  const good = [configMap('good', { a: '1' }), configMap('good', { a: '2' })] as const;
  const target = configMap('bad', { a: '1' });
  const bad = [
    {
      ...target,
      metadata: { ...target.metadata, annotations: { 'argocd.argoproj.io/compare-options': 'ServerSideDiff=true' } },
    },
    configMap('bad', {}),
  ] as const;
  const asked: string[] = [];
  const { differ } = await evaluator({}, asked).prepare(application(), [good, bad]);
  assert.deepEqual(differ(...good).fields, ['data.a']);
  assert.throws(() => differ(...bad), /the server says no/);
  assert.deepEqual(asked, ['apply bad']);
});

test('a result is cached until one of its inputs changes', async () => {
  const asked: string[] = [];
  const one = evaluator({}, asked);
  const target = {
    ...configMap('a', {}),
    metadata: {
      name: 'a',
      namespace: 'web',
      annotations: { 'argocd.argoproj.io/compare-options': 'ServerSideDiff=true' },
    },
  };
  const live = configMap('a', {});
  for (let i = 0; i < 3; i++) await one.prepare(application(), [[target, live]]);
  assert.equal(asked.length, 1);
  await one.prepare(application({ ignoreDifferences: [{ kind: 'X' }] }), [[target, live]]);
  assert.equal(asked.length, 2, 'another policy');
});

test('health scripts of the installation are used', async () => {
  const one = evaluator({
    'resource.customizations.health.ConfigMap': 'return {status = "Degraded", message = obj.data.why}',
  });
  const object = configMap('a', { why: 'so' });
  const assess = await one.assess([object], 'p');
  assert.deepEqual(assess(object), { status: 'Degraded', message: 'so' });
  assert.throws(() => assess(configMap('b', {})), /the health of ConfigMap b is not known yet/);
  assert.equal(one.hasScriptFor(configMap('a', {})), true);
  assert.equal((await evaluator().assess([], 'p'))(object), undefined);
});

test('JSON pointers select the fields to ignore', async () => {
  const ignoreDifferences = [{ kind: 'ConfigMap', jsonPointers: ['/data/x'], jqPathExpressions: ['.data | .a'] }];
  const pair = [configMap('a', { a: '1' }), configMap('a', { a: '2' })] as const;
  const ignored = await evaluator().ignoredFields(application({ ignoreDifferences }), [pair]);
  assert.deepEqual(ignored({ group: '', kind: 'ConfigMap', namespace: 'web', name: 'a' }), ['/data/x', '/data/a']);
  assert.deepEqual(ignored({ group: '', kind: 'ConfigMap', namespace: 'web', name: 'b' }), []);
});

const updates: [what: string, rules: Record<string, string>, before: object, now: object, relevant: boolean][] = [
  ['without rules', {}, { a: '1' }, { a: '1' }, true],
  ['of an ignored field', { all: 'jsonPointers: [/data/a]' }, { a: '1' }, { a: '2' }, false],
  ['of another field', { all: 'jsonPointers: [/data/a]' }, { a: '1', b: '1' }, { a: '2', b: '2' }, true],
  ['by a jq path', { ConfigMap: 'jqPathExpressions: [".data.a"]' }, { a: '1' }, { a: '2' }, false],
  ['by a jq path, of another field', { ConfigMap: 'jqPathExpressions: [".data.a"]' }, { b: '1' }, { b: '2' }, true],
  ['by an invalid jq path', { ConfigMap: 'jqPathExpressions: [".["]' }, { a: '1' }, { a: '2' }, true],
  ['of another kind', { Secret: 'jsonPointers: [/data]' }, { a: '1' }, { a: '2' }, true],
];
for (const [what, rules, before, now, relevant] of updates) {
  test(`an update ${what} is ${relevant ? 'relevant' : 'not relevant'}`, async () => {
    const data = Object.entries(rules).map(([kind, text]) => [
      `resource.customizations.ignoreResourceUpdates.${kind}`,
      text,
    ]);
    const version = (n: string) => ({
      metadata: { name: 'a', namespace: 'web', resourceVersion: n, generation: Number(n) },
    });
    const one = evaluator(Object.fromEntries(data));
    assert.equal(
      await one.isRelevantChange(configMap('a', before, version('1')), configMap('a', now, version('2'))),
      relevant,
    );
  });
}
