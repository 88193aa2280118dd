import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManifestCache, memoryTree } from '@fairlead/render';
import { settingsIn, withSettings } from './render-settings.ts';

test('reads Kustomize options from Argo CD settings, and renders again when they change', async () => {
  const tree = memoryTree({
    'k/kustomization.yaml': 'configMapGenerator: [{name: c, files: [../x.txt]}]\n',
    'x.txt': 'x',
  });
  let data: Record<string, string> = {};
  const manifests = withSettings(createManifestCache(), () => settingsIn(data));
  const render = () => manifests.render('r', { repoURL: 'x', path: 'k' }, tree);
  await assert.rejects(render(), { reason: 'PathOutsideTree' });
  data = { 'kustomize.buildOptions': ' --load-restrictor LoadRestrictionsNone ' };
  assert.equal((await render()).manifests.length, 1);
  assert.equal((await render()).manifests.length, 1);
  assert.equal(manifests.renders, 2);
});
