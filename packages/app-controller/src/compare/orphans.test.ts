import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppProject } from '@fairlead/api';
import type { KubeObject } from '@fairlead/apimachinery';
import { orphansOf } from './orphans.ts';

const configMap = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'web' },
});
const job: KubeObject = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j', namespace: 'web' } };
const cluster = {
  server: 's',
  name: 'n',
  live: { orphansIn: (namespace: string) => (namespace === 'web' ? [configMap('a'), configMap('b'), job] : []) },
};
const orphans = (orphanedResources: AppProject['spec']['orphanedResources'], rest: AppProject['spec'] = {}) =>
  orphansOf(
    {
      apiVersion: '',
      kind: 'AppProject',
      metadata: { name: 'p' },
      spec: {
        destinations: [{ server: '*', namespace: '*' }],
        ...(orphanedResources ? { orphanedResources } : {}),
        ...rest,
      },
    },
    cluster,
    'web',
  );

test('orphans are not searched for unless the project enables it', () => {
  assert.deepEqual(orphans(undefined), { ids: [], conditions: [] });
});

test('orphaned objects are reported, with names and the remedy', () => {
  const { ids, conditions } = orphans({ warn: true });
  assert.equal(ids.length, 3);
  assert.deepEqual(conditions, [
    {
      type: 'OrphanedResourceWarning',
      message:
        "Application has 3 orphaned resources: ConfigMap web/a, ConfigMap web/b, Job web/j: delete them, or list them in spec.orphanedResources.ignore of project 'p'",
    },
  ]);
});

test('without warn: true orphans are counted but not reported', () => {
  for (const settings of [{}, { warn: false }]) {
    const { ids, conditions } = orphans(settings);
    assert.deepEqual([ids.length, conditions], [3, []]);
  }
});

const ignored: [entry: object, left: string[]][] = [
  [{ kind: 'ConfigMap' }, ['j']],
  [{ kind: 'ConfigMap', name: 'a*' }, ['b', 'j']],
  [{ group: 'batch', kind: 'Job' }, ['a', 'b']],
  [{ kind: 'Job' }, ['a', 'b', 'j']],
  [{ group: '*', kind: '*' }, []],
];
for (const [entry, left] of ignored) {
  test(`ignore ${JSON.stringify(entry)} leaves ${left.join(', ') || 'none'}`, () => {
    assert.deepEqual(
      orphans({ ignore: [entry] }).ids.map(({ name }) => name),
      left,
    );
  });
}

test('an object that the project does not permit is not its orphan', () => {
  const { ids } = orphans({}, { namespaceResourceBlacklist: [{ group: 'batch', kind: 'Job' }] });
  assert.deepEqual(
    ids.map(({ name }) => name),
    ['a', 'b'],
  );
});
