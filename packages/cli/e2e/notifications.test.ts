/** `fairlead notifications` as separate processes on one cluster, with a receiver on loopback. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Application, applicationKind } from '@fairlead/api';
import { type ConfigMap, configMapType } from '@fairlead/apimachinery';
import { startEmbeddedCluster } from '@fairlead/control-plane';
import { connect, Fairlead, runCommand, temporaryFolder, until } from '../test/support/fairlead-process.ts';

test('replicas and restarts send nothing twice, and a slow receiver delays no other', async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const received: string[] = [];
  const receiver = createServer((request, response) => {
    received.push(request.url ?? '');
    // Nobody answers /slow.
    if (request.url !== '/slow') response.writeHead(request.url === '/broken' ? 404 : 200).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const cluster = await startEmbeddedCluster({ nodes: 0 });
  t.after(() => cluster.close());
  const kubeconfig = join(folder.path, 'kubeconfig');
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
  const api = await connect(kubeconfig);
  t.after(() => api.close());
  const start = (...args: string[]): Fairlead => {
    const started = new Fairlead(['notifications', ...args, '--kubeconfig', kubeconfig]);
    t.after(() => started.stop('SIGKILL'));
    return started;
  };

  const first = start('--cache-dir', join(folder.path, 'cache'));
  await first.line('leader');
  const second = start('--cache-dir', join(folder.path, 'cache'));
  await second.line('notifications controller: waiting for leadership');
  const services = ['hook', 'slow', 'broken'];
  await api.client.create<ConfigMap>(configMapType, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'argocd-notifications-cm', namespace: 'argocd' },
    data: {
      ...Object.fromEntries(services.map((name) => [`service.webhook.${name}`, `url: ${address}/${name}`])),
      'trigger.on-synced':
        "- when: app.status.sync.status == 'Synced'\n  oncePer: app.status.sync.revision\n  send: [note]",
      'template.note': 'message: "{{.app.metadata.name}} is synced"',
    },
  });
  const key = { namespace: 'argocd', name: 'web' };
  await api.client.create<Application>(applicationKind.type, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      ...key,
      annotations: Object.fromEntries(
        services.map((name) => [`notifications.argoproj.io/subscribe.on-synced.${name}`, '']),
      ),
    },
    spec: {
      project: 'default',
      source: { repoURL: 'https://git.example.com/app.git', path: '.' },
      destination: { name: 'in-cluster', namespace: 'default' },
    },
  });
  const setRevision = (revision: string): Promise<unknown> =>
    api.client.patch(applicationKind.type, key, 'merge', { status: { sync: { status: 'Synced', revision } } });
  const marks = async (): Promise<string> =>
    (await api.client.get<Application>(applicationKind.type, key)).metadata.annotations?.[
      'notified.notifications.argoproj.io'
    ] ?? '';
  const hooks = (): number => received.filter((path) => path === '/hook').length;
  await setRevision('r1');
  await until(async () => (await marks()).includes('r1:on-synced'), 30_000, marks);
  assert.equal(hooks(), 1, 'the slow receiver has not answered yet');
  assert.ok(received.includes('/slow') && received.includes('/broken'));

  await first.stop('SIGKILL');
  await second.line('leader', 60_000);
  await setRevision('r2');
  await until(async () => (await marks()).includes('r2:on-synced'), 30_000, marks);
  assert.equal(hooks(), 2, 'the new leader sends r2, and not r1 again');

  const status = () => runCommand(['notifications', 'status', '--kubeconfig', kubeconfig]);
  const shown = async (): Promise<string> => (await status()).stdout;
  await until(async () => /Notification on-synced to broken failed/u.test(await shown()), 30_000, shown);
  assert.match(await shown(), /r1:on-synced/u);
  assert.equal((await status()).code, 3, 'a failed delivery is a problem');
});
