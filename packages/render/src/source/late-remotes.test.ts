import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryTree } from '../tree/memory-tree.ts';
import { withoutWaitingForRemotes } from './late-remotes.ts';
import { type FetchRemote, remoteFile } from './remotes.ts';
import { type Renderer, renderSource } from './render-source.ts';

const source = { repoURL: 'x', path: '.' };
const tree = memoryTree({
  'kustomization.yaml': 'resources: ["https://example.com/a.yaml", "https://example.com/b.yaml"]\n',
});
const configMap = (name: string) =>
  memoryTree({
    [remoteFile]: new TextEncoder().encode(`apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`),
  });

/** Counts renders, and running ones. */
function counted() {
  const counts = { renders: 0, running: 0, fetches: 0 };
  const render: Renderer = async (...args) => {
    counts.renders += 1;
    counts.running += 1;
    try {
      return await renderSource(...args);
    } finally {
      counts.running -= 1;
    }
  };
  return { counts, render: withoutWaitingForRemotes(render) };
}

test('a render that waits for a remote ends, and starts again when the remote is there', async () => {
  const { counts, render } = counted();
  const late = Promise.withResolvers<void>();
  const fetchRemote: FetchRemote = async (request) => {
    counts.fetches += 1;
    const isLate = request.kind === 'file' && request.url.endsWith('/b.yaml');
    if (isLate) await late.promise;
    return configMap(isLate ? 'b' : 'a');
  };
  const rendered = render(source, tree, { fetchRemote });
  await new Promise((resolve) => setTimeout(resolve, 600));
  assert.equal(counts.running, 0, 'nothing is rendered meanwhile');
  late.resolve();
  assert.deepEqual(
    (await rendered).manifests.map(({ object }) => object.metadata.name),
    ['a', 'b'],
  );
  assert.deepEqual(counts, { renders: 2, running: 0, fetches: 2 });
});

test('a remote that fails late fails the render with its error', async () => {
  const { counts, render } = counted();
  const fetchRemote: FetchRemote = () =>
    new Promise((_, reject) => setTimeout(() => reject(new Error('no route')), 500));
  await assert.rejects(render(source, tree, { fetchRemote }), /no route/);
  assert.equal(counts.renders, 2);
});
