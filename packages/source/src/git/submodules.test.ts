import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryTree, type Tree } from '@fairlead/render';
import { readModules, withSubmodules } from './submodules.ts';

const addresses: [repository: string, written: string, address: string][] = [
  ['https://h/org/repo.git', 'https://other/x.git', 'https://other/x.git'],
  ['https://h/org/repo.git', '../lib.git', 'https://h/org/lib.git'],
  ['https://h/org/repo/', '../../team/lib', 'https://h/team/lib'],
  ['https://h/org/repo', './nested', 'https://h/org/repo/nested'],
  ['git@h:org/repo.git', '../lib.git', 'git@h:org/lib.git'],
  ['git@h:repo.git', '../lib.git', 'git@h:lib.git'],
  ['ssh://git@h:22/org/repo', '../lib', 'ssh://git@h:22/org/lib'],
];
for (const [repository, written, address] of addresses)
  test(`${written} in ${repository} is ${address}`, () => {
    const modules = readModules(`[submodule "a"]\n\tpath = "libs/a"\n\turl = ${written}\n`, repository);
    assert.deepEqual([...modules], [['libs/a', address]]);
  });

/** A tree with a submodule. */
function linked(files: Record<string, string>, at: string, commit: string): Tree {
  const tree = memoryTree(files);
  const slash = at.lastIndexOf('/');
  const [dir, name] = [at.slice(0, Math.max(0, slash)), at.slice(slash + 1)];
  const entry = { name, type: 'submodule', id: commit } as const;
  return {
    stat: async (path) => (path === at ? entry : tree.stat(path)),
    list: async (path) => (path === dir ? [...((await tree.list(path)) ?? []), entry] : tree.list(path)),
    read: (path) => tree.read(path),
  };
}

test('a submodule is a directory that is fetched when a file in it is read', async () => {
  const asked: string[] = [];
  const tree = await withSubmodules(
    linked({ '.gitmodules': '[submodule "x"]\n path = libs/x\n url = ../x\n', 'libs/own': '1' }, 'libs/x', 'c1'),
    'https://h/o/r',
    async (url, commit) => {
      asked.push(`${url} ${commit}`);
      return linked({ '.gitmodules': '[submodule "y"]\n path = y\n url = ../y\n', 'a.yaml': url }, 'y', 'c2');
    },
  );
  assert.deepEqual(
    (await tree.list('libs'))?.map(({ name, type, id }) => [name, type, name === 'x' ? id : '']),
    [
      ['own', 'file', ''],
      ['x', 'directory', 'c1'],
    ],
  );
  assert.deepEqual(await tree.stat('libs/x'), { name: 'x', type: 'directory', id: 'c1' });
  assert.deepEqual(asked, []);
  assert.equal(String(Buffer.from((await tree.read('libs/x/a.yaml'))!)), 'https://h/o/x');
  assert.equal(await tree.read('libs/x/none'), undefined);
  assert.equal((await tree.stat('libs/x/y'))?.type, 'directory');
  assert.deepEqual(asked, ['https://h/o/x c1']);
  assert.deepEqual(
    (await tree.list('libs/x/y'))?.map(({ name }) => name),
    ['.gitmodules', 'a.yaml', 'y'],
  );
  assert.deepEqual(asked, ['https://h/o/x c1', 'https://h/o/y c2']);
});

test('a repository that contains itself as a submodule is limited in depth', async () => {
  const itself = (): Tree => linked({ '.gitmodules': '[submodule "x"]\n path = x\n url = ./\n' }, 'x', 'c');
  const tree = await withSubmodules(itself(), 'https://h/o/r', async () => itself());
  assert.equal(await tree.read(`${'x/'.repeat(40)}a`), undefined);
});

test('a path outside the repository is ignored', () => {
  for (const path of ['../x', '/x', 'a/../../x', '.', '', 'a\0b'])
    assert.equal(readModules(`[submodule "x"]\n path = ${path}\n url = y\n`, 'https://h/o/r').size, 0, path);
});
