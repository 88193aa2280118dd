import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createManifestCache } from '../manifest-cache.ts';
import { RenderError } from '../render-error.ts';
import { renderSource } from '../source/render-source.ts';
import { memoryTree } from '../tree/memory-tree.ts';
import type { Tree } from '../tree/tree.ts';
import { createRenderPool } from './render-pool.ts';

const pool = createRenderPool({ workers: 1, timeMs: 1500 });
after(() => pool.close());

const configMap = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
const chart = (template: string): Tree =>
  memoryTree({ 'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n', 'templates/a.yaml': template });
const source = { repoURL: 'x', path: '.' };
const files = {
  'base/kustomization.yaml': 'resources: [c.yaml, "https://example.com/o/r//k"]\n',
  'base/c.yaml': configMap('c'),
  'over/kustomization.yaml': 'resources: [../base]\nnamePrefix: p-\n',
  'chart/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
  'chart/templates/a.yaml': configMap('{{ .Values.name }}-{{ .Release.Name }}'),
};
const context = {
  name: 'web',
  refs: new Map([['v', memoryTree({ 'x.yaml': 'name: n\n' })]]),
  fetchRemote: async () => memoryTree({ 'k/kustomization.yaml': 'resources: [d.yaml]\n', 'k/d.yaml': configMap('d') }),
};
const sources = [
  { repoURL: 'x', path: 'over' },
  { repoURL: 'x', path: 'base', directory: {} },
  { repoURL: 'x', path: 'chart', helm: { valueFiles: ['$v/x.yaml'] } },
];

for (const one of sources) {
  test(`a worker renders ${one.path} as this thread does, with the same record, with and without a hint`, async () => {
    const here = await renderSource(one, memoryTree(files), context);
    assert.deepEqual(await pool.render(one, memoryTree(files), context), here);
    assert.deepEqual(await pool.render(one, memoryTree(files), context), here, 'with a hint');
  });
}

test('preloaded files come from the current revision', async () => {
  const changed = { ...files, 'chart/templates/a.yaml': configMap('changed') };
  const { manifests } = await pool.render(sources[2]!, memoryTree(changed), context);
  assert.equal(manifests[0]!.object.metadata.name, 'changed');
});

test('an error keeps its reason and message across threads', async () => {
  const failing = chart('{{ fail "on purpose" }}');
  await assert.rejects(pool.render(source, failing), (error) => {
    assert.ok(error instanceof RenderError);
    assert.equal(error.reason, 'TemplateFailed');
    assert.match(error.message, /on purpose/);
    return true;
  });
});

test('an error of the tree is passed on, and is not a RenderError', async () => {
  class Offline extends Error {}
  const broken: Tree = {
    ...memoryTree(files),
    async read() {
      throw new Offline('no network');
    },
  };
  await assert.rejects(pool.render({ repoURL: 'y', path: 'over' }, broken), Offline);
});

test('a render that exceeds the time limit is terminated, and the next one runs', async () => {
  // Few expressions that each take long, which the limit on steps does not cover.
  const slow = chart('{{ $x := genCA "a" 1 }}'.repeat(2000));
  await assert.rejects(pool.render(source, slow), {
    reason: 'LimitExceeded',
    message: /^\.: rendering took longer than the limit of 1\.5 s/,
  });
  assert.equal((await pool.render(source, chart(configMap('a')))).manifests.length, 1);
});

test('a render that exceeds the memory limit is terminated, and the next one runs', async () => {
  const small = createRenderPool({ workers: 1, memoryMb: 48 });
  after(() => small.close());
  const greedy = chart(
    '{{ $all := dict }}{{ range $i := until 200000 }}{{ $_ := set $all (printf "k%d" $i) (dict "a" (repeat 200 (printf "%d" $i))) }}{{ end }}',
  );
  await assert.rejects(small.render(source, greedy), {
    reason: 'LimitExceeded',
    message: /^\.: rendering needs more memory than the limit of 48 MiB/,
  });
  assert.equal(small.replaced, 1);
  assert.equal((await small.render(source, chart(configMap('a')))).manifests.length, 1);
});

test('time spent waiting for files does not count', async () => {
  const tree = memoryTree({ ...files, 'over/kustomization.yaml': 'resources: [../base]\nnameSuffix: -s\n' });
  const slow: Tree = {
    stat: (path) => tree.stat(path),
    list: (dir) => tree.list(dir),
    async read(path) {
      await new Promise((resolve) => setTimeout(resolve, path === 'base/c.yaml' ? 1200 : 0));
      return tree.read(path);
    },
  };
  const quick = createRenderPool({ workers: 1, timeMs: 1000 });
  after(() => quick.close());
  await quick.render(sources[0]!, tree, context);
  assert.equal((await quick.render({ repoURL: 'z', path: 'over' }, slow, context)).manifests.length, 2);
});

test('renders wait for a free worker', async () => {
  const trees = Array.from({ length: 20 }, (_, i) => memoryTree({ 'a.yaml': configMap(`n${i}`) }));
  const rendered = await Promise.all(trees.map((tree) => pool.render(source, tree)));
  assert.deepEqual(
    rendered.map(({ manifests }) => manifests[0]!.object.metadata.name),
    trees.map((_, i) => `n${i}`),
  );
});

test('the cache renders in a pool', async () => {
  const cache = createManifestCache({ renderer: pool.render });
  const first = await cache.render('r', sources[0]!, memoryTree(files), context);
  assert.equal(await cache.render('r', sources[0]!, memoryTree({ ...files, other: '1' }), context), first);
  assert.equal(cache.renders, 1);
});

test('slow renders of one project leave workers for others', async () => {
  const busy = createRenderPool({ workers: 1, timeMs: 5_000 });
  after(() => busy.close());
  const order: string[] = [];
  const slow = chart('{{ range until 100000 }}{{ $x := repeat 50 "x" | upper }}{{ end }}'.repeat(3));
  const hostile = Array.from({ length: 4 }, () =>
    busy.render(source, slow, { project: 'hostile' }).then(
      () => order.push('hostile'),
      () => order.push('hostile'),
    ),
  );
  await busy.render(source, chart(configMap('a')), { project: 'honest' });
  order.push('honest');
  await Promise.all(hostile);
  assert.ok(order.indexOf('honest') <= 1, order.join());
});

test('closing a pool fails running, waiting and new renders', async () => {
  const other = createRenderPool({ workers: 1 });
  const under = other.render(source, chart('{{ range until 1000000 }}x{{ end }}'.repeat(20)));
  const waiting = other.render(source, chart(''));
  setTimeout(() => void other.close(), 20);
  await assert.rejects(under, /closed/);
  await assert.rejects(waiting, /closed/);
  await assert.rejects(other.render(source, chart('')), /closed/);
});
