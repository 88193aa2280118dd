import assert from 'node:assert/strict';
import { test } from 'node:test';
import { added, changeKind, changeRole, policyLine, removed } from './change-project.ts';
import { projectSpecFromFlags } from './spec-from-flags.ts';

test('an item is added once, and removed only if it is there', () => {
  assert.deepEqual(added([{ server: 'a', namespace: 'b' }], { server: 'c', namespace: 'b' }, 'x').length, 2);
  assert.throws(
    () => added([{ server: 'a', namespace: 'b' }], { namespace: 'b', server: 'a' }, 'x'),
    /^CliError: x is there already/,
  );
  assert.deepEqual(removed(['a', 'b'], 'a', 'x'), ['b']);
  assert.throws(() => removed(undefined, 'a', 'x'), /x is not there/);
});

const lists: readonly [allow: boolean, list: string, before: object, after: object][] = [
  [true, 'allow', {}, { clusterResourceWhitelist: [{ group: 'g', kind: 'K' }] }],
  [true, 'deny', { clusterResourceBlacklist: [{ group: 'g', kind: 'K' }] }, { clusterResourceBlacklist: [] }],
  [false, 'allow', { clusterResourceWhitelist: [{ group: 'g', kind: 'K' }] }, { clusterResourceWhitelist: [] }],
  [false, 'deny', {}, { clusterResourceBlacklist: [{ group: 'g', kind: 'K' }] }],
];
for (const [allow, list, before, after] of lists)
  test(`${allow ? 'allow' : 'deny'} a kind with --list ${list}`, () => {
    assert.deepEqual(changeKind(before, { scope: 'cluster', allow, list }, 'g', 'K'), after);
  });

test('a role that does not exist is named with those that do', () => {
  assert.throws(
    () => changeRole({ roles: [{ name: 'a' }, { name: 'b' }] }, 'c', (role) => role),
    /no role c: it has a, b/,
  );
});

test('a policy is written as argocd writes it', () => {
  assert.equal(
    policyLine('shop', 'deployer', { action: 'sync', object: '*' }),
    'p, proj:shop:deployer, applications, sync, shop/*, allow',
  );
  assert.throws(() => policyLine('shop', 'deployer', { action: 'sync' }), /missing --action or --object/);
});

test('flags replace only the fields that they name', () => {
  const before = { description: 'old', sourceRepos: ['a'], orphanedResources: { warn: true } };
  const flags = {
    dest: ['https://k,shop', 'prod,shop'],
    'deny-namespaced-resource': ['apps/DaemonSet', 'Secret'],
    'orphaned-resources': false,
  };
  assert.deepEqual(projectSpecFromFlags(before, flags), {
    description: 'old',
    sourceRepos: ['a'],
    destinations: [
      { server: 'https://k', namespace: 'shop' },
      { name: 'prod', namespace: 'shop' },
    ],
    namespaceResourceBlacklist: [
      { group: 'apps', kind: 'DaemonSet' },
      { group: '', kind: 'Secret' },
    ],
  });
  assert.throws(
    () => projectSpecFromFlags({}, { dest: ['https://k'] }),
    /invalid --dest https:\/\/k: use SERVER,NAMESPACE/,
  );
});
