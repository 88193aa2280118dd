/**
 * This version continues with the data folder of the version before: a control plane with Applications and a database with tenants, as `fairlead up` of commit
 * a1158aae left them. The Applications contain the path of the folder, so it is restored in the same place.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { type Application, applicationKind, type GitOpsDeployment, gitopsDeploymentKind } from '@fairlead/api';
import { deploymentType } from '@fairlead/apimachinery';
import { connect, Fairlead, until } from '../test/support/fairlead-process.ts';

const folder = '/tmp/fairlead-previous-version';
const archive = new URL('./fixtures/previous-version.tar.zst', import.meta.url);
const skip = process.env['FAIRLEAD_E2E']
  ? existsSync(folder)
    ? `${folder} exists`
    : false
  : 'only in npm run e2e -- upgrade';

test('the data folder of the version before: nothing is synced again, and tenants and Applications are served', {
  skip,
}, async (t) => {
  mkdirSync(folder, { mode: 0o700 });
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync('tar', ['-x', '-C', folder], { input: zstdDecompressSync(readFileSync(archive)) });
  const up = new Fairlead(['up', '--data-dir', folder, '--no-agents']);
  t.after(() => up.stop('SIGKILL'));
  await up.line('ready', 120_000);
  await until(
    () => /multi-tenant service on PGlite/u.test(up.output),
    120_000,
    () => up.output,
  );
  const api = await connect(join(folder, 'kubeconfig'));
  t.after(() => api.close());
  const applications = async (): Promise<readonly Application[]> =>
    (await api.client.list<Application>(applicationKind.type, { namespace: 'argocd' })).items;
  const text = async (): Promise<string> =>
    (await applications())
      .map(
        ({ metadata, status }) =>
          `${metadata.name} ${status?.sync?.status} ${status?.health?.status} ${status?.history?.length}`,
      )
      .join('\n');
  await until(
    async () =>
      (await applications()).length === 5 &&
      (await applications()).every(
        ({ status }) => status?.sync?.status === 'Synced' && status.health?.status === 'Healthy',
      ),
    60_000,
    text,
  );
  for (const { metadata, status } of await applications())
    assert.equal(status?.history?.length, 1, `${metadata.name} was synced again`);
  const { items: deployments } = await api.client.list<GitOpsDeployment>(gitopsDeploymentKind.type);
  assert.equal(deployments.length, 3);
  for (const { metadata, status } of deployments)
    assert.equal(status?.sync?.status, 'Synced', `GitOpsDeployment ${metadata.namespace}/${metadata.name}`);

  // A change of a tenant goes through the database of the version before.
  const [first] = deployments;
  assert.ok(first);
  await api.client.delete(gitopsDeploymentKind.type, {
    namespace: first.metadata.namespace ?? '',
    name: first.metadata.name,
  });
  await until(async () => (await applications()).length === 4, 90_000, text);
  assert.ok((await api.client.list(deploymentType)).items.length > 0);
  assert.equal((await up.stop()).code, 0, up.output);
});
