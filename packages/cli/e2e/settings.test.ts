/** Settings without effect, in the logs of roles that run as separate processes. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ConfigMap, configMapType, namespaceType } from '@fairlead/apimachinery';
import { startEmbeddedCluster } from '@fairlead/control-plane';
import { connect, Fairlead, temporaryFolder, until } from '../test/support/fairlead-process.ts';

/** The command of each role, and the key that its log names. */
const roles: readonly (readonly [words: readonly string[], key: string])[] = [
  [['controller'], 'controller.status.processors'],
  [['applicationset'], 'applicationsetcontroller.dryrun'],
  [['notifications'], 'notificationscontroller.processors.count'],
  [['server', '--port', '0'], 'server.insecure'],
];

test('each role logs the settings without effect that it would read, and no other', async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const cluster = await startEmbeddedCluster({ nodes: 0 });
  t.after(() => cluster.close());
  const kubeconfig = join(folder.path, 'kubeconfig');
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
  const api = await connect(kubeconfig);
  t.after(() => api.close());
  await api.client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'argocd' } });
  const values = { dryrun: 'true', insecure: 'true' };
  const data = Object.fromEntries(
    roles.map(([, key]) => [key, Object.entries(values).find(([end]) => key.endsWith(end))?.[1] ?? '7']),
  );
  await api.client.create<ConfigMap>(configMapType, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'argocd-cmd-params-cm', namespace: 'argocd' },
    data,
  });
  const logsKey = async ([words, key]: (typeof roles)[number]): Promise<void> => {
    const role = new Fairlead([...words, '--cache-dir', join(folder.path, words[0] ?? ''), '--kubeconfig', kubeconfig]);
    t.after(() => role.stop('SIGKILL'));
    const isLogged = (each: string): boolean => role.output.includes(`ConfigMap argocd-cmd-params-cm: ${each}`);
    await until(
      () => isLogged(key),
      30_000,
      () => role.output,
    );
    assert.deepEqual(roles.map(([, each]) => each).filter(isLogged), [key]);
  };
  await Promise.all(roles.map(logsKey));
});
