import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createManifestCache } from '../manifest-cache.ts';
import { RenderError } from '../render-error.ts';
import { renderSource } from '../source/render-source.ts';
import { memoryTree } from './memory-tree.ts';
import { isUnchangedIn } from './recording-tree.ts';
import type { Tree } from './tree.ts';

const configMap = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: n${name}}\n`;
const source = { repoURL: 'https://example.com/mono.git', path: 'app' };

test('a change elsewhere in a monorepo does not affect the record', async () => {
  const before = memoryTree({
    'app/a.yaml': configMap('a'),
    'app/sub/x.yaml': configMap('x'),
    'other/b.yaml': configMap('b'),
  });
  const { record } = await renderSource(source, before);
  const elsewhere = { 'app/a.yaml': configMap('a'), 'other/b.yaml': configMap('changed') };
  assert.equal(await isUnchangedIn(record, memoryTree({ ...elsewhere, 'app/sub/x.yaml': configMap('changed') })), true);
  assert.equal(
    await isUnchangedIn(record, memoryTree({ ...elsewhere, 'app/sub/x.yaml': '', 'app/a.yaml': configMap('z') })),
    false,
    'read',
  );
  assert.equal(
    await isUnchangedIn(record, memoryTree({ ...elsewhere, 'app/sub/x.yaml': '', 'app/new.yaml': '' })),
    false,
    'new file',
  );
  assert.equal(
    await isUnchangedIn(record, memoryTree({ ...elsewhere, 'app/kustomization.yaml': '' })),
    false,
    'found absent before',
  );
  assert.equal(await isUnchangedIn(record, memoryTree({ 'other/b.yaml': '' })), false, 'removed');
});

const file = fc.tuple(
  fc.constantFrom('app/a.yaml', 'app/b.yaml', 'app/c.txt', 'app/sub/d.yaml', 'app/Chart.yaml', 'other/e.yaml'),
  fc.constantFrom('a', 'b', 'c').map(configMap),
);
const files = fc.array(file, { minLength: 1, maxLength: 6 }).map((list) => Object.fromEntries(list));

test('while the record is unchanged, another render gives the same result', async () => {
  const result = async (from: Record<string, string>, recurse: boolean): Promise<string> => {
    try {
      const { manifests } = await renderSource({ ...source, directory: { recurse } }, memoryTree(from));
      return JSON.stringify(manifests);
    } catch (error) {
      return String(error);
    }
  };
  await fc.assert(
    fc.asyncProperty(files, files, fc.boolean(), async (before, after, recurse) => {
      let record: Awaited<ReturnType<typeof renderSource>>['record'];
      try {
        ({ record } = await renderSource({ ...source, directory: { recurse } }, memoryTree(before)));
      } catch {
        return;
      }
      if (await isUnchangedIn(record, memoryTree(after)))
        assert.equal(await result(after, recurse), await result(before, recurse));
    }),
    { numRuns: 300 },
  );
});

test('the cache renders equal content once, at any revision, and again after forget', async () => {
  const cache = createManifestCache();
  const first = await cache.render('r', source, memoryTree({ 'app/a.yaml': configMap('a'), 'x/y': '1' }));
  const second = await cache.render(
    'r',
    { ...source, targetRevision: 'v2' },
    memoryTree({ 'app/a.yaml': configMap('a'), 'x/y': '2' }),
  );
  assert.equal(second, first);
  assert.equal(cache.renders, 1);
  await cache.render('r', { ...source, path: 'x' }, memoryTree({ 'app/a.yaml': configMap('a'), 'x/y': '2' }));
  assert.equal(cache.renders, 2, 'another path is another source');
  await cache.render('r', source, memoryTree({ 'app/a.yaml': configMap('b') }));
  await cache.render('r', source, memoryTree({ 'app/a.yaml': configMap('a') }));
  assert.equal(cache.renders, 3, 'going back to a state seen before costs nothing');
  cache.forget('r', source);
  await cache.render('r', source, memoryTree({ 'app/a.yaml': configMap('a') }));
  assert.equal(cache.renders, 4);
});

test('an operation that the tree rejected is checked again', async () => {
  const refusing = (message: string | undefined): Tree => {
    const tree = memoryTree({ 'app/a.yaml': configMap('a') });
    const read = async (path: string): Promise<Uint8Array | undefined> => {
      if (message) throw new RenderError('PathOutsideTree', message);
      return tree.read(path);
    };
    return { ...tree, read };
  };
  const cache = createManifestCache();
  const render = (message?: string): Promise<unknown> => cache.render('r', source, refusing(message));
  await assert.rejects(render('leads out'), /leads out/);
  await assert.rejects(render('leads out'), /leads out/);
  assert.equal(cache.renders, 1);
  await assert.rejects(render('leads elsewhere'), /leads elsewhere/);
  assert.equal(cache.renders, 2);
  await render();
  assert.equal(cache.renders, 3);
});
