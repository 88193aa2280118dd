import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createManifestCache } from './manifest-cache.ts';
import { RenderError } from './render-error.ts';
import type { FetchRemote } from './source/remotes.ts';
import type { RenderContext } from './source/render-context.ts';
import { renderSource } from './source/render-source.ts';
import { memoryTree } from './tree/memory-tree.ts';
import { createRenderPool } from './workers/render-pool.ts';

const pool = createRenderPool({ workers: 1 });
after(() => pool.close());

const source = { repoURL: 'x', path: 'app' };
const chart = (template: string) => ({
  'app/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
  'app/README.md': 'old',
  'app/templates/a.yaml': template,
});
const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'well',
    (error: Error) => error.message,
  );

for (const [where, renderer] of [
  ['this thread', renderSource],
  ['a worker', pool.render],
] as const) {
  test(`a failed render in ${where} is repeated only when one of its inputs changes`, async () => {
    const cache = createManifestCache({ renderer });
    const render = (files: Record<string, string>, context?: RenderContext) =>
      messageOf(cache.render('r', source, memoryTree(files), context));
    const broken = chart('{{ fail "broken" }}');
    const first = await render(broken);
    assert.match(first, /broken/);
    assert.equal(await render({ ...broken, 'app/README.md': 'x', 'other/a.yaml': 'x' }), first);
    assert.equal(cache.renders, 1);
    await render(broken, { kubeVersion: '1.31.0' });
    assert.equal(cache.renders, 2, 'templates may depend on the cluster');
    assert.equal(await render(chart('')), 'well');
    assert.equal(cache.renders, 3);
    assert.equal(await render(broken), first, 'going back costs nothing');
    assert.equal(cache.renders, 3);
    cache.forget('r', source);
    await render(broken);
    assert.equal(cache.renders, 4);
  });

  test(`an operation that was rejected in ${where} is checked again`, async () => {
    const cache = createManifestCache({ renderer });
    let permitted = false;
    const fetchRemote: FetchRemote = async () => {
      if (!permitted) throw new RenderError('Unsupported', 'not permitted');
      return memoryTree({ 'k/kustomization.yaml': 'namePrefix: a-\n' });
    };
    const tree = memoryTree({ 'app/kustomization.yaml': 'resources: ["https://h/o/r//k"]\n' });
    const render = () => messageOf(cache.render('r', source, tree, { fetchRemote }));
    assert.match(await render(), /not permitted/);
    assert.match(await render(), /not permitted/);
    assert.equal(cache.renders, 1);
    permitted = true;
    assert.equal(await render(), 'well');
  });

  test(`a render in ${where} whose tree could not be read is not cached`, async () => {
    const cache = createManifestCache({ renderer });
    class Offline extends Error {}
    let online = false;
    const fetchRemote: FetchRemote = async () => {
      if (!online) throw new Offline('no network');
      return memoryTree({ 'k/kustomization.yaml': 'namePrefix: a-\n' });
    };
    const tree = memoryTree({ 'app/kustomization.yaml': 'resources: ["https://h/o/r//k"]\n' });
    await assert.rejects(cache.render('r', source, tree, { fetchRemote }), Offline);
    online = true;
    assert.equal(await messageOf(cache.render('r', source, tree, { fetchRemote })), 'well');
  });
}

test('a kustomization with a chart depends on the cluster, and reports nondeterministic functions', async () => {
  const cache = createManifestCache();
  const tree = memoryTree({
    'app/kustomization.yaml': 'helmCharts: [{name: c}]\n',
    'app/charts/c/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
    'app/charts/c/templates/a.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {kube: "{{ .Capabilities.KubeVersion.Version }}", r: "{{ randAlpha 3 }}"}\n',
  });
  const kube = async (kubeVersion: string) => {
    const { manifests, nondeterministic } = await cache.render('r', source, tree, { kubeVersion });
    assert.deepEqual(nondeterministic, ['randAlpha']);
    return (manifests[0]!.object as unknown as { data: { kube: string } }).data.kube;
  };
  assert.deepEqual(
    [await kube('1.30.0'), await kube('1.31.0'), await kube('1.30.0')],
    ['v1.30.0', 'v1.31.0', 'v1.30.0'],
  );
  assert.equal(cache.renders, 2);
});
