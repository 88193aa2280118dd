/** `fairlead server`: only the API server, on a separate cluster. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Secret, secretType, secretValue } from '@fairlead/apimachinery';
import { startEmbeddedCluster } from '@fairlead/control-plane';
import { HttpClient, loadKubeconfig } from '@fairlead/kube';
import { Fairlead } from '../test/support/fairlead-process.ts';

test('the first start generates the password of admin, and sessions outlive a restart', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-server-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const cluster = await startEmbeddedCluster({ nodes: 0 });
  t.after(() => cluster.close());
  const kubeconfig = join(dir, 'kubeconfig');
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
  const client = new HttpClient((await loadKubeconfig({ path: kubeconfig })).client);
  t.after(() => client.close());
  const start = async (): Promise<{ server: Fairlead; url: string; line: string }> => {
    const server = new Fairlead(['server', '--kubeconfig', kubeconfig, '--insecure', '--port', '0']);
    t.after(() => server.stop('SIGKILL'));
    const line = await server.line('serving on ');
    return { server, line, url: /http:\S+?(?=;|$)/u.exec(line)?.[0] ?? '' };
  };

  const first = await start();
  assert.match(first.line, /the password of admin is in Secret argocd-initial-admin-secret$/u);
  const secret = await client.get<Secret>(secretType, { namespace: 'argocd', name: 'argocd-initial-admin-secret' });
  const password = secretValue(secret, 'password');
  const signedIn = await fetch(`${first.url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  });
  assert.equal(signedIn.status, 200, first.server.output);
  const { token } = (await signedIn.json()) as { token: string };
  const headers = { authorization: `Bearer ${token}` };
  const projects = await fetch(`${first.url}/api/v1/projects?fields=items.metadata.name`, { headers });
  assert.deepEqual(((await projects.json()) as { items: unknown }).items, [{ metadata: { name: 'default' } }]);
  assert.equal((await first.server.stop()).code, 0);

  const second = await start();
  assert.doesNotMatch(second.line, /password/u);
  const info = await fetch(`${second.url}/api/v1/session/userinfo`, { headers });
  assert.deepEqual(await info.json(), { loggedIn: true, username: 'admin', iss: 'argocd' });
});
