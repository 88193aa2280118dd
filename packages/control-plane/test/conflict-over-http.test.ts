import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isConflict, type KubeObject } from '@fairlead/apimachinery';
import { accessOf, HttpClient, parseKubeconfig } from '@fairlead/kube';
import { startControlPlane } from '../src/index.ts';

const configMaps = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const key = { namespace: 'default', name: 'one' };

test('a client that gets a conflict can read the conflicting write, even while that is being written to disk', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlead-conflict-'));
  const plane = await startControlPlane({ dataDir });
  const http = new HttpClient((await accessOf(parseKubeconfig(plane.kubeconfig(), 'embedded'))).client);
  try {
    await http.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: key });
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
  } finally {
    await http.close();
    await plane.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
