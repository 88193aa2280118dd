import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { find, isAlreadyExists, isConflict, isNotFound, type KubeObject } from '@fairlead/apimachinery';
import { accessOf, HttpClient, parseKubeconfig } from '@fairlead/kube';
import { type ControlPlane, startControlPlane } from '../src/index.ts';

const configMaps = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const key = { namespace: 'default', name: 'one' };

let dataDir: string;
let plane: ControlPlane;
let http: HttpClient;
before(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'fairlead-conflict-'));
  plane = await startControlPlane({ dataDir });
  http = new HttpClient((await accessOf(parseKubeconfig(plane.kubeconfig(), 'embedded'))).client);
});
after(async () => {
  await http.close();
  await plane.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const configMap = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'default', name },
});

test('a client that gets a conflict can read the conflicting write, even while that is being written to disk', async () => {
  await http.create(configMaps, configMap('one'));
  let conflicts = 0;
  for (let round = 0; round < 30; round++) {
    const { resourceVersion } = (await http.get<KubeObject>(configMaps, key)).metadata;
    const write = (who: string) =>
      http.patch(configMaps, key, 'merge', { metadata: { resourceVersion }, data: { [who]: String(round) } });
    const lost = async (who: string): Promise<void> => {
      await write(who).catch(async (error: unknown) => {
        if (!isConflict(error)) throw error;
        conflicts += 1;
        const now = await http.get<KubeObject>(configMaps, key);
        assert.notEqual(now.metadata.resourceVersion, resourceVersion, 'the write that won is there to be read');
      });
    };
    await Promise.all([lost('a'), lost('b'), lost('c')]);
  }
  assert.equal(conflicts, 60, 'of three writes from one version, two lose');
});

test('an object that exists already can be read after the conflict', async () => {
  let refusals = 0;
  const create = async (name: string): Promise<void> => {
    await http.create(configMaps, configMap(name)).catch(async (error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
      refusals += 1;
      assert.ok(await find(http.get(configMaps, { namespace: 'default', name })), 'the object that exists');
    });
  };
  for (let round = 0; round < 30; round++)
    await Promise.all(Array.from({ length: 3 }, () => create(`created-${round}`)));
  assert.equal(refusals, 60, 'of three creations, two are refused');
});

test('a deleted object cannot be read after the refusal', async () => {
  let refusals = 0;
  const remove = async (name: string): Promise<void> => {
    await http.delete(configMaps, { namespace: 'default', name }).catch(async (error: unknown) => {
      if (!isNotFound(error)) throw error;
      refusals += 1;
      assert.equal(await find(http.get(configMaps, { namespace: 'default', name })), undefined);
    });
  };
  for (let round = 0; round < 30; round++) {
    await http.create(configMaps, configMap(`deleted-${round}`));
    await Promise.all(Array.from({ length: 3 }, () => remove(`deleted-${round}`)));
  }
  assert.equal(refusals, 60, 'of three deletions, two are refused');
});
